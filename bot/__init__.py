"""The application: settings, wiring, commands, conversation and presentation."""

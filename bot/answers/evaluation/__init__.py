"""Question sets put to the bot: what is observed, how symmetric it is, and the report."""

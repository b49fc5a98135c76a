"""Results as they are printed in JSON: a view for each kind, and the one encoder."""

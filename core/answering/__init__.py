"""From passages to a verified answer."""

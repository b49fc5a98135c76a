"""What was asked: a question is read once, here, and handed on."""

"""What is said to a message, and who may say it: the table of commands, the conversation, the guard.

What may be seen comes from the chat's settings and its live state, never from the text of a message.
"""

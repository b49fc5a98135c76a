"""Results as text, JSON, tables and attached pages, in the language of whoever asked.

Texts stand in `locales/`; nothing that others wrote comes alive in a chat.
"""

"""The Model Context Protocol: tools with which assistants find, quote and check, over stdio and HTTP."""

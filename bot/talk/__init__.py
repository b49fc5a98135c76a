"""What the bot does with the commands and questions of a chat."""

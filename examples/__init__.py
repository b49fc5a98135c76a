"""The example library: an invented federation, its parties and its statutes, typeset on demand."""

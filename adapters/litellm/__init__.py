"""Language models of any provider or local server, through LiteLLM."""

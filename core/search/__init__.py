"""From a question to passages: scope, plan, fusion, expansion, budget."""

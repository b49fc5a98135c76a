"""A question's way to passages: scope, plan, fusion, expansion, budget."""

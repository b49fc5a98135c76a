"""Who and where: parties, places and documents by their names, found in questions, checked as a whole."""

"""TextRecogniser backed by Tesseract, which the operator installs."""

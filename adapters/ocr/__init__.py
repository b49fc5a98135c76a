"""TextRecogniser with Tesseract, a program that the operator installs."""

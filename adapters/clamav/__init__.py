"""VirusScanner backed by a ClamAV daemon run by the operator."""

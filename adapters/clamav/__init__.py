"""VirusScanner with a ClamAV daemon, which the operator runs."""

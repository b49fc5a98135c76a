"""The files of an installation in object storage that speaks S3."""

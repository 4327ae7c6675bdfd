"""What grades one notebook."""

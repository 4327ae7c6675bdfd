"""A page per student."""

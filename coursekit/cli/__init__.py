"""The commands, and what they print. Nothing imports this package."""

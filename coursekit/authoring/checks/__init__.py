"""`course check`: all that can be known of a week before students see it."""

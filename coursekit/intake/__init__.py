"""From a learning platform's download to submitted/, and from submitted/ to the files that may be a notebook."""

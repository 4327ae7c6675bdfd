"""The tool behind the course: one module or folder for each station from the source notebook to the mark."""

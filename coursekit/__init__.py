"""The tool that grades a course: one module or folder for each stage from the source notebook to the mark."""

"""The tool behind the course: one module or folder for each station from the source notebook to the mark."""

import sys

# jsonschema, which nbformat imports, compiles a grammar for internationalised addresses when it is imported: a second
# at each start of `course`, for a format that no notebook uses. Where the package is missing it does without.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]  # None is what forbids an import

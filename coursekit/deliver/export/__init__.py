"""Export marks: as a new table, or into a sheet from a learning platform.

table   one week or the term, as CSV or JSON
sheets  a platform's own sheet with our marks in one of its columns, and nothing else changed
"""

from coursekit.deliver.export.sheets import LAYOUTS, MergedSheet, merge
from coursekit.deliver.export.table import export_csv, export_json, export_term

__all__ = ["LAYOUTS", "MergedSheet", "export_csv", "export_json", "export_term", "merge"]

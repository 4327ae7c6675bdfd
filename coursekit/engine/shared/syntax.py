"""A lock for `ast.parse`.

Python 3.11 counts the depth of syntax trees for all threads of a process together: parsing in two threads at a time can
raise SystemError, whatever the code. Code that may run in several threads therefore holds this lock.
"""

import threading

PARSER_LOCK = threading.Lock()

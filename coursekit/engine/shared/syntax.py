"""A lock for whoever makes syntax trees.

Python 3.11 counts the depth of a tree for all threads of a process together: two made at a time can end in a
SystemError, whatever the code. So whatever may run on the threads of `classroom` holds this lock for `ast.parse`.
"""

import threading

ONE_AT_A_TIME = threading.Lock()

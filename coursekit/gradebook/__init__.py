"""nbgrader, from here: its gradebook, its formgrader and its converter."""

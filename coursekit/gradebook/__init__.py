"""The use of nbgrader: its gradebook, its formgrader and its converter."""

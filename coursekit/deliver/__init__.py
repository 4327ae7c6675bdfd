"""Results as people see them: students' pages, TAs' pages, marking, marks for learning platforms."""

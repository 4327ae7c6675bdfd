"""What people see of results: students' pages, TAs' pages, marking, marks for learning platforms."""

"""The examiner: runs the tests, in a process that the student's code never touches."""

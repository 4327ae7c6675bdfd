"""`course serve`: students hand in from their notebooks, and read the result seconds later.

One process on this machine, behind a TLS proxy:

    codes     personal codes of the students in the roster
    store     what was handed in: a row for each hand-in in SQLite, its bytes on the disk; a row is the queue
    policy    how often a student may hand in, and which hand-in counts
    grader    takes waiting hand-ins, grades them, and puts what counts into submitted/, autograded/ and the gradebook
    server    the HTTP server: /api/v1 for programs, pages for students
"""

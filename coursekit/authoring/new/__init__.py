"""A course of one's own: the folder that `course init` makes, and what `new-week` and `new-question` write into it.

folder        init: a copy of `small_course/`, with three notebooks handed in to try it on
week          new-week: an entry in course.toml, and a notebook; the notebooks in `templates/`, filled in
question      new-question: cells, and files for the bank

What an author still has to write is marked there with `TODO(author)`, see `coursekit.authoring.release`.
"""

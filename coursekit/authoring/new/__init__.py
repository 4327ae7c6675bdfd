"""A course of one's own: the folder that `course init` makes, and the files that `new-week` and `new-question` write.

folder        init: a copy of `small_course/`, with three notebooks handed in to try it on
week          new-week: an entry in course.toml, and a notebook; the notebooks in `templates/`, filled in
question      new-question: cells, and files for the bank

`TODO(author)` marks there the parts that an author still has to write, see `coursekit.authoring.release`.
"""

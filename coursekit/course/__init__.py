"""The course folder: course.toml, weeks, roster, answer bank, URLs, late policy. It reads files and gives no marks."""

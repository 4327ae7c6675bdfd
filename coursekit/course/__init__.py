"""The course folder: course.toml, weeks, roster, answer bank, addresses, late policy. Reads files; decides no mark."""

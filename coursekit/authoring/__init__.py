"""The authors' part: release, publishing, checks, narration, the form of a lesson, a new course."""

"""What an author needs: release, publishing, checks, narration, the form of a lesson, a new course."""

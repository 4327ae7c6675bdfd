"""The students' repository: release, narration and pages, searched for solutions before it is written."""

"""Grade a class: every submission, in parallel, resumable, guarded."""

"""A class: every submission graded, in parallel, resumable, guarded."""

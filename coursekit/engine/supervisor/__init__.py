"""Trusted: fork servers, the guardian of each fork, and the sandbox that a fork locks itself in."""

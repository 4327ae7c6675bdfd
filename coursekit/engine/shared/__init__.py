"""Plain data and plain functions for every process of the engine. Imports nothing of its other folders."""

"""Concurrent programs: the form that exploration runs, and the front ends that make it."""

"""Annotated sources: comments that say under which model a program is explored, and what is expected of it."""

"""Logs as programs write them: CSV, lines with blanks, JSON Lines with any keys, lines of free form. A mapping says
what stands where; without one, it is guessed from the header."""

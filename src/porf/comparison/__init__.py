"""Models against models: which is stronger, and what holds of each."""

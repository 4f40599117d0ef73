"""porf: does this execution satisfy this memory model, and what is the evidence?"""

"""Measures the boxes of a pack against its pictures, and lists those that a reader should look at."""

"""A week of shifts."""

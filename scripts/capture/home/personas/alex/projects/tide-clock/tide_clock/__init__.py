"""The tide at one harbour, as the hand of a clock."""

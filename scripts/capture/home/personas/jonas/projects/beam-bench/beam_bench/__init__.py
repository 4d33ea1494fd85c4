"""Beams on two supports."""

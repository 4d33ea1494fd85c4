"""Captures real windows with every visible element's box into a windesk pack (see docs/pack.md)."""

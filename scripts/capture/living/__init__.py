"""Living pages: what the controls of a captured window can be set to, and what it looks like then (docs/pack.md)."""

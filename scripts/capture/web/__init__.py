"""Captures web pages made of component libraries as living pages: docs in ../README.md."""

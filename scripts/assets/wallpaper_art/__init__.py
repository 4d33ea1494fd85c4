"""The project's own wallpapers: what is drawn (one module per family) and the canvas it is drawn on."""

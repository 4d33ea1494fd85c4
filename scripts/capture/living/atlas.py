"""One picture that holds the small pictures of a page, each once."""

import numpy as np

WIDTH_PX = 1024
# No side of a WebP image is longer.
MOST_PX = 16_383


class Atlas:
    def __init__(self):
        self.crops: list[np.ndarray] = []
        self.known: dict[tuple, int] = {}
        self.places: list[tuple[int, int]] = []

    def add(self, crop: np.ndarray) -> int:
        """The number of a crop, RGB or RGBA; the same pixels have one number."""
        if crop.shape[2] == 3:
            crop = np.dstack([crop, np.full(crop.shape[:2], 255, np.uint8)])
        key = crop.shape, crop.tobytes()
        if key not in self.known:
            self.known[key] = len(self.crops)
            self.crops.append(crop)
        return self.known[key]

    def pack(self) -> np.ndarray | None:
        """Lays the crops out in rows, the highest first, as wide as it takes to be no higher than MOST_PX; None if
        there are none. The layout depends on sizes and on the order of adding alone."""
        if not self.crops:
            return None
        wide = max(WIDTH_PX, *(c.shape[1] for c in self.crops))
        right, high = self._lay_out(wide)
        while high > MOST_PX:
            wide += WIDTH_PX
            right, high = self._lay_out(wide)
        out = np.zeros((high, right, 4), np.uint8)
        for (left, top), crop in zip(self.places, self.crops, strict=True):
            out[top : top + crop.shape[0], left : left + crop.shape[1]] = crop
        return out

    def _lay_out(self, wide: int) -> tuple[int, int]:
        """Places the crops in rows of so many px; returns the size that they take."""
        self.places = [(0, 0)] * len(self.crops)
        x = y = row = right = 0
        for number in sorted(range(len(self.crops)), key=lambda n: (-self.crops[n].shape[0], n)):
            high, across = self.crops[number].shape[:2]
            if x + across > wide:
                x, y, row = 0, y + row, 0
            self.places[number] = (x, y)
            x, row = x + across, max(row, high)
            right = max(right, x)
        return right, y + row

    def place(self, number: int) -> list[int]:
        """Where a crop lies, once packed."""
        return list(self.places[number])


class Place:
    """Stands for the place of a crop until all are laid out."""

    def __init__(self, number: int):
        self.number = number


def placed(part, crops: Atlas, below: int):
    """The same with the places of crops, which lie `below` px under the top of the page's atlas."""
    if isinstance(part, Place):
        x, y = crops.place(part.number)
        return [x, y + below]
    if isinstance(part, dict):
        return {key: placed(value, crops, below) for key, value in part.items()}
    if isinstance(part, list):
        return [placed(value, crops, below) for value in part]
    return part


def stacked(atlas: np.ndarray | None, strip: np.ndarray | None) -> np.ndarray | None:
    """An atlas with more pictures below: what lies in it keeps its place."""
    parts = [part for part in (atlas, strip) if part is not None]
    if not parts:
        return None
    wide = max(part.shape[1] for part in parts)
    return np.vstack([np.pad(part, ((0, 0), (0, wide - part.shape[1]), (0, 0))) for part in parts])

"""Trains a small network on scenes that are made on the fly: where on a screen can one click?

    python train_torch.py --steps 150

The network sees crops of screenshots and says for every 4 x 4 px whether they belong to an element that a user can
act on. It learns from programs of the train split; its loss is told on scenes of programs that it never saw. Everything
follows from the arguments: the same losses with any number of workers, and `--start` goes on at any step with the
samples that come there.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
import torch
import windesk
from torch import nn
from torch.utils.data import DataLoader, Dataset

SIZE = (1280, 720)
CROP = 128
CELL = 4


class Crops(Dataset):
    """Crops of scenes, and the cells of each that an interactive element covers. A pure function of the index."""

    def __init__(self, scenes: windesk.Scenes, crops: int) -> None:
        self.scenes = scenes
        self.crops = crops

    def __len__(self) -> int:
        return len(self.scenes)

    def __getitem__(self, index: int) -> tuple[torch.Tensor, torch.Tensor]:
        sample = self.scenes[index]
        width, height = SIZE
        cells = np.zeros((height // CELL, width // CELL), dtype=np.float32)
        elements = sample.elements
        seen = elements[elements["interactive"] & (elements["visible_px"] * 2 >= elements["total_px"])]
        # Cells whose middle lies in the visible part; containers that fill a window are no targets.
        for x0, y0, x1, y1 in seen["visible_bbox"]:
            if (x1 - x0) * (y1 - y0) < 0.02 * width * height:
                cells[round(y0 / CELL) : round(y1 / CELL), round(x0 / CELL) : round(x1 / CELL)] = 1
        random = np.random.default_rng(index)
        pictures, masks = [], []
        for _ in range(self.crops):
            x = int(random.integers(0, (width - CROP) // CELL)) * CELL
            y = int(random.integers(0, (height - CROP) // CELL)) * CELL
            pictures.append(sample.image[y : y + CROP, x : x + CROP])
            masks.append(cells[y // CELL : (y + CROP) // CELL, x // CELL : (x + CROP) // CELL])
        return torch.from_numpy(np.stack(pictures)), torch.from_numpy(np.stack(masks))


def network() -> nn.Module:
    """Four layers that look at 4 x 4 px, and three that look around."""
    layers: list[nn.Module] = [nn.Conv2d(3, 24, CELL, stride=CELL), nn.ReLU()]
    for reach in (1, 2, 4):
        layers += [nn.Conv2d(24, 24, 3, padding=reach, dilation=reach), nn.BatchNorm2d(24), nn.ReLU()]
    return nn.Sequential(*layers, nn.Conv2d(24, 1, 1))


def loss_of(net: nn.Module, batch: tuple[torch.Tensor, torch.Tensor]) -> torch.Tensor:
    """Mean loss per cell, in nats."""
    pictures, masks = batch
    shown = pictures.flatten(0, 1).permute(0, 3, 1, 2).float() / 127.5 - 1
    return nn.functional.binary_cross_entropy_with_logits(net(shown).squeeze(1), masks.flatten(0, 1))


@torch.no_grad()
def test(net: nn.Module, batches: list[tuple[torch.Tensor, torch.Tensor]]) -> float:
    """Mean loss on scenes of programs that the network never saw."""
    net.eval()
    loss = float(np.mean([loss_of(net, batch).item() for batch in batches]))
    net.train()
    return loss


def main() -> None:
    """Trains, and prints a line per step."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=150)
    parser.add_argument("--start", type=int, default=0, help="first step, when going on from --weights")
    parser.add_argument("--batch", type=int, default=4, help="scenes per step")
    parser.add_argument("--crops", type=int, default=8, help="crops per scene")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--level", default="L3")
    parser.add_argument("--weights", help="file to go on from, and to write to")
    asked = parser.parse_args()
    torch.manual_seed(0)

    train = Crops(windesk.Scenes(asked.level, seed=0, size=SIZE, split="train"), asked.crops)
    unseen = Crops(windesk.Scenes(asked.level, n=24, seed=1, size=SIZE, split="test"), asked.crops)
    test_batches = list(DataLoader(unseen, batch_size=8, num_workers=asked.workers))

    net = network()
    optimiser = torch.optim.AdamW(net.parameters(), lr=3e-3)
    if asked.weights and asked.start:
        kept = torch.load(asked.weights)
        net.load_state_dict(kept["net"])
        optimiser.load_state_dict(kept["optimiser"])
    before = test(net, test_batches)
    print(f"step {asked.start}: test loss {before:.4f}", flush=True)

    # Samples have no end, so each is seen once; a run that goes on begins with the sample after the last one.
    order = range(asked.start * asked.batch, asked.steps * asked.batch)
    began = time.perf_counter()
    loader = DataLoader(train, batch_size=asked.batch, sampler=order, num_workers=asked.workers)
    for step, batch in enumerate(loader, start=asked.start + 1):
        optimiser.zero_grad()
        loss = loss_of(net, batch)
        loss.backward()
        optimiser.step()
        if step % 25 == 0:
            print(f"step {step}: train loss {loss.item():.4f}", flush=True)
    scenes = len(order)
    seconds = time.perf_counter() - began
    print(f"step {asked.steps}: test loss {test(net, test_batches):.4f}", flush=True)
    print(f"{scenes} scenes in {seconds:.1f} s, {scenes / seconds:.1f} per second", flush=True)
    if asked.weights:
        torch.save({"net": net.state_dict(), "optimiser": optimiser.state_dict()}, asked.weights)


if __name__ == "__main__":
    main()

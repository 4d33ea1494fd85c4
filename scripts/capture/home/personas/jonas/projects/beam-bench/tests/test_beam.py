from beam_bench.beam import Beam
from beam_bench.section import Rectangle

KITCHEN = Beam(4.10, Rectangle(160, 220), 11000, 5.7)


def test_the_middle_bends_most():
    assert KITCHEN.deflection > KITCHEN.bend(1000)
    assert KITCHEN.bend(0) == KITCHEN.bend(4100) == 0


def test_planks_help():
    stiffer = Beam(4.10, KITCHEN.section.with_planks(40), 11000, 5.7)
    assert stiffer.deflection < 0.7 * KITCHEN.deflection


def test_upright_is_stiffer_than_flat():
    flat, upright = Rectangle(200, 50), Rectangle(50, 200)
    assert upright.inertia == 16 * flat.inertia

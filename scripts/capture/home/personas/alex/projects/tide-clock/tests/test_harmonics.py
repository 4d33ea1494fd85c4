from datetime import datetime, timezone

from tide_clock.harmonics import Constituent, Harbour

NOON = datetime(2026, 6, 21, 12, tzinfo=timezone.utc)


def test_height_stays_within_the_sum_of_amplitudes():
    harbour = Harbour("test", 2.0, (Constituent("M2", 1.0, 0.0), Constituent("S2", 0.5, 0.0)))
    assert 0.5 <= harbour.height(NOON) <= 3.5


def test_extremes_alternate():
    harbour = Harbour("test", 2.0, (Constituent("M2", 1.0, 30.0),))
    first, kind = harbour.next_extreme(NOON)
    second, other = harbour.next_extreme(first)
    assert {kind, other} == {"high", "low"}
    assert 5.5 < (second - first).total_seconds() / 3600 < 7

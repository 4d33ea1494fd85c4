from shift_rota.rules import free_after_nights, may_follow, rest_between


def test_no_early_shift_after_a_late_one():
    assert rest_between("L", "E") == 8.5
    assert not may_follow(["L"], "E")


def test_three_nights_at_most():
    assert may_follow(["N", "N"], "N")
    assert not may_follow(["N", "N", "N"], "N")


def test_two_free_days_follow():
    assert free_after_nights(["N", "N", "-", "-", "E"])
    assert not free_after_nights(["N", "-", "E"])

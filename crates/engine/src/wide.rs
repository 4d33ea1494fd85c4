//! Loops over numbers with the widest registers that the machine has. Builds are for any machine of an architecture,
//! which would give them the narrowest.

use std::sync::LazyLock;

use pulp::Arch;

pub(crate) use pulp::NullaryFnOnce;

/// Does work with the widest registers. Only what is inlined into its `call` uses them, which must be `inline(always)`:
/// closures are not.
#[inline]
pub(crate) fn widely<W: NullaryFnOnce>(work: W) -> W::Output {
    static ARCH: LazyLock<Arch> = LazyLock::new(Arch::new);
    ARCH.dispatch(work)
}

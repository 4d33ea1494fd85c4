//! Which targets the filters of a condition let through.

use windesk_model::condition::{Condition, InstructionChoice, TargetSize};
use windesk_model::instruction::InstructionSource;

use crate::pack::{IndexedPack, Target};

/// Whether the pack lets scenes ask for a target, and the condition's filters let it through.
pub(super) fn passes_filters(pack: &IndexedPack, condition: &Condition, target: &Target) -> bool {
    fn lets<T: PartialEq>(list: &[T], value: &T) -> bool {
        list.is_empty() || list.contains(value)
    }
    let program = &pack.program_of(target.window).record;
    let filters = &condition.filters;
    let area = target.bbox.area();
    target.is_asked
        && (condition.instructions != InstructionChoice::Reviewed || target.source == InstructionSource::Reviewed)
        && lets(&filters.categories, &program.category)
        && (filters.apps.is_empty() || filters.apps.iter().any(|a| *a == program.id || *a == program.name))
        && lets(&filters.sessions, &pack.sessions[pack.windows[target.window].session].id)
        && lets(&filters.roles, &target.group)
        && lets(&filters.ui_types, &target.ui_type)
        && lets(&filters.target_sizes, &TargetSize::of(area, condition.canvas))
}

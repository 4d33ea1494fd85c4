//! Twins: windows that show one state of a program as different sessions have it, and the same element in them.

use windesk_model::index::{ElementIndex, SessionIndex, TargetIndex, WindowIndex};
use windesk_model::pack_format::WindowKind;

use super::{IndexedPack, Pack, Window};

/// Twins of twins that are followed; a pack may name circles.
const MAX_STEPS: usize = 8;

impl Pack {
    /// The session with this id.
    pub fn session_index(&self, id: &str) -> Option<SessionIndex> {
        self.sessions.position(|session| session.id == id)
    }

    /// Which state of its program a window shows, whatever session it is of: the id of the capture that its twins name,
    /// without the session.
    pub fn state_of(&self, window: WindowIndex) -> &str {
        let twin_of = |&at: &WindowIndex| self.windows[at].variant_of;
        let first = std::iter::successors(Some(window), twin_of).take(MAX_STEPS).last().unwrap_or(window);
        let first = &self.windows[first];
        let session = &self.sessions[first.session].id;
        first.id.strip_suffix(session.as_str()).and_then(|id| id.strip_suffix("--")).unwrap_or(&first.id)
    }

    /// The window that shows the same state in a session, in its brightness; the window itself in its own session.
    pub fn twin_in(&self, window: WindowIndex, session: SessionIndex) -> Option<WindowIndex> {
        if self.windows[window].session == session {
            return Some(window);
        }
        let state = self.state_of(window);
        let is_twin = |&at: &WindowIndex| self.windows[at].session == session && self.fits_look(at) && self.state_of(at) == state;
        self.program_of(window).windows.iter().copied().find(is_twin)
    }

    /// Whether a window may lie anywhere in scenes of all these sessions: each has a twin that floats, has no menu open
    /// and is no dialog.
    pub fn floats_in_all(&self, window: WindowIndex, sessions: &[SessionIndex]) -> bool {
        let stands_alone = |at: WindowIndex| {
            let window = &self.windows[at];
            window.is_plain() && window.kind != WindowKind::Dialog && window.parent.is_none() && self.fits_look(at)
        };
        sessions.iter().all(|&session| self.twin_in(window, session).is_some_and(stands_alone))
    }
}

impl IndexedPack {
    /// The target that is the same element in a session, asked for with the same words: of the same role and name,
    /// which no other element of its window has.
    pub fn target_in(&self, target: TargetIndex, session: SessionIndex) -> Option<TargetIndex> {
        let wanted = &self.index().targets[target];
        let own = &self.windows[wanted.window];
        if own.session == session {
            return Some(target);
        }
        let element = &own.elements[wanted.element];
        let called = |window: &Window| {
            let alike = |at: &ElementIndex| {
                let other = &window.elements[*at];
                (&other.role, &other.name) == (&element.role, &element.name)
            };
            let mut alike = window.elements.keys().filter(alike);
            alike.next().filter(|_| alike.next().is_none())
        };
        if element.name.is_empty() || called(own) != Some(wanted.element) {
            return None;
        }
        let twin = self.twin_in(wanted.window, session)?;
        let found = self.index().target_at(twin, called(&self.windows[twin])?)?;
        let other = &self.index().targets[found];
        let words = (&wanted.sentences, wanted.wording, wanted.source);
        (words == (&other.sentences, other.wording, other.source)).then_some(found)
    }
}

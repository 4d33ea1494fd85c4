//! The order of windows: raising, putting away, closing. Dialogs lie above the windows that they belong to.

use windesk_engine::pack::Pack;

use crate::event::Effect;
use crate::state::{DesktopState, WindowId};

impl DesktopState {
    /// Whether a window belongs to another, directly or not, or is that window.
    fn is_in_tree_of(&self, id: WindowId, root: WindowId) -> bool {
        id == root || self.ancestors(id).contains(&root)
    }

    /// A window and the dialogs that belong to it, bottom to top.
    pub fn tree(&self, root: WindowId) -> Vec<WindowId> {
        self.windows.iter().map(|w| w.id).filter(|&id| self.is_in_tree_of(id, root)).collect()
    }

    /// Brings a window to the front with all that it belongs to; its dialogs stay above it.
    fn lift(&mut self, id: WindowId) {
        let family = self.tree(self.root(id));
        let own = self.tree(id);
        let rank = |w: WindowId| u8::from(family.contains(&w)) + u8::from(own.contains(&w));
        self.windows.sort_by_key(|w| rank(w.id));
    }

    /// The dialog that keeps a window from taking input, if one does.
    pub(crate) fn blocked_by(&self, pack: &Pack, id: WindowId) -> Option<WindowId> {
        let modal = |w: &&crate::state::DesktopWindow| {
            w.id != id && !w.minimised && w.captured(pack).1.modal && self.ancestors(w.id).contains(&id)
        };
        self.windows.iter().rev().find(modal).map(|w| w.id)
    }

    /// Brings a window to the front and gives it the focus, or the dialog that blocks it. Tells what changed.
    pub(crate) fn raise(&mut self, pack: &Pack, id: WindowId, effects: &mut Vec<Effect>) {
        let takes_focus = self.blocked_by(pack, id).unwrap_or(id);
        let before: Vec<WindowId> = self.windows.iter().map(|w| w.id).collect();
        self.lift(takes_focus);
        let moved = !self.windows.iter().map(|w| w.id).eq(before);
        if moved || self.active != Some(takes_focus) {
            self.active = Some(takes_focus);
            effects.push(Effect::Raised { window: takes_focus });
        }
    }

    /// Gives the focus to the topmost window that shows, if there is one.
    pub(crate) fn focus_topmost(&mut self) {
        let top = self.shown().next_back().map(|w| w.id);
        self.active = top;
    }

    /// Puts a window away with all that belongs to it and all that it belongs to.
    pub(crate) fn minimise(&mut self, id: WindowId, effects: &mut Vec<Effect>) {
        let root = self.root(id);
        for member in self.tree(root) {
            self.window_mut(member).minimised = true;
        }
        self.focus_topmost();
        effects.push(Effect::Minimised { window: root });
    }

    /// Brings back what was put away with a window.
    pub(crate) fn restore(&mut self, pack: &Pack, id: WindowId, effects: &mut Vec<Effect>) {
        let root = self.root(id);
        for member in self.tree(root) {
            self.window_mut(member).minimised = false;
        }
        effects.push(Effect::Restored { window: root });
        let top = self.tree(root).last().copied().unwrap_or(root);
        self.raise(pack, top, effects);
    }

    /// Closes a window and the dialogs that belong to it. The focus goes to the window that it belonged to, else to the
    /// topmost.
    pub(crate) fn close(&mut self, pack: &Pack, id: WindowId, effects: &mut Vec<Effect>) {
        let parent = self.window(id).and_then(|w| w.parent);
        let gone = self.tree(id);
        self.windows.retain(|w| !gone.contains(&w.id));
        effects.push(Effect::Closed { window: id });
        match parent.filter(|&p| self.window(p).is_some_and(|w| !w.minimised)) {
            Some(parent) => self.raise(pack, parent, &mut Vec::new()),
            None => self.focus_topmost(),
        }
    }
}

//! What the symbols beside the clock say.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{FixedButton, fixed};
use crate::pack_format::ShellKind;

/// Network, sound and battery as the tray shows them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Tray {
    /// How the computer is connected.
    pub network: Network,
    /// Whether the sound is off.
    pub muted: bool,
    /// Its battery.
    pub battery: Battery,
}

/// How a computer is connected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names say all there is")]
pub enum Network {
    Wired,
    #[default]
    Wireless,
}

/// The battery of a computer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names say all there is")]
pub enum Battery {
    /// It has none.
    Absent,
    Half,
    #[default]
    Full,
    Charging,
}

/// What one symbol says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Symbol {
    Network(Network),
    Sound { muted: bool },
    Battery(Battery),
}

/// A symbol, its accessible name, and its icon in the tray of a top bar and of a panel.
type Row = (Symbol, &'static str, &'static str, &'static str);

/// Every symbol. Without a battery a top bar shows a power switch, and a panel nothing.
const SYMBOLS: [Row; 8] = [
    (Symbol::Network(Network::Wired), "Wired network", "gnome_tray_wired", "kde_tray_wired"),
    (Symbol::Network(Network::Wireless), "Wireless network", "gnome_tray_wifi", "kde_tray_wifi"),
    (Symbol::Sound { muted: false }, "Volume", "gnome_tray_volume", "kde_tray_volume"),
    (Symbol::Sound { muted: true }, "Volume muted", "gnome_tray_volume_muted", "kde_tray_volume_muted"),
    (Symbol::Battery(Battery::Half), "Battery half full", "gnome_tray_battery_half", "kde_tray_battery_half"),
    (Symbol::Battery(Battery::Full), "Battery full", "gnome_tray_battery_full", "kde_tray_battery_full"),
    (Symbol::Battery(Battery::Charging), "Battery charging", "gnome_tray_battery_charging", "kde_tray_battery_charging"),
    (Symbol::Battery(Battery::Absent), "Power", "gnome_tray_power", ""),
];

fn button((_, name, on_top_bar, on_panel): Row, shell: ShellKind) -> Option<FixedButton> {
    let icon = if shell == ShellKind::Panel { on_panel } else { on_top_bar };
    (!icon.is_empty()).then_some(fixed(name, icon))
}

/// All symbols that the tray of a top bar or panel may show.
pub(super) fn symbols(shell: ShellKind) -> impl Iterator<Item = FixedButton> {
    SYMBOLS.into_iter().filter_map(move |row| button(row, shell))
}

impl Tray {
    /// The symbols that say this, left to right.
    pub(super) fn shown(self, shell: ShellKind) -> impl Iterator<Item = FixedButton> {
        let wanted = [Symbol::Network(self.network), Symbol::Sound { muted: self.muted }, Symbol::Battery(self.battery)];
        SYMBOLS.into_iter().filter(move |(symbol, ..)| wanted.contains(symbol)).filter_map(move |row| button(row, shell))
    }
}

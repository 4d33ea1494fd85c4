//! What the symbols beside the clock say.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{FixedButton, fixed};
use crate::pack_format::ShellKind;

/// Network, sound and battery as the tray shows them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names say all there is")]
pub enum Network {
    Wired,
    #[default]
    Wireless,
}

/// The battery of a computer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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

/// Every symbol: its accessible name, and its icon in the tray of a top bar and of a panel.
const SYMBOLS: [(Symbol, &str, &str, &str); 7] = [
    (Symbol::Network(Network::Wired), "Wired network", "tray_ethernet", "tray_ethernet"),
    (Symbol::Network(Network::Wireless), "Wireless network", "tray_wifi", "tray_wifi"),
    (Symbol::Sound { muted: false }, "Volume", "tray_volume", "tray_volume"),
    (Symbol::Sound { muted: true }, "Volume muted", "tray_volume_muted", "tray_volume_muted"),
    (Symbol::Battery(Battery::Half), "Battery half full", "tray_battery_half", "tray_battery_half"),
    (Symbol::Battery(Battery::Full), "Battery full", "tray_battery", "tray_battery"),
    (Symbol::Battery(Battery::Charging), "Battery charging", "tray_battery_charging", "tray_battery_charging"),
];

/// All symbols that the tray of a top bar or panel may show.
pub(super) fn symbols(shell: ShellKind) -> impl Iterator<Item = FixedButton> {
    SYMBOLS
        .into_iter()
        .map(move |(_, name, on_top_bar, on_panel)| fixed(name, if shell == ShellKind::Panel { on_panel } else { on_top_bar }))
}

impl Tray {
    /// The symbols that say this, left to right. An absent battery has none.
    pub(super) fn shown(self, shell: ShellKind) -> impl Iterator<Item = FixedButton> {
        let wanted = [Symbol::Network(self.network), Symbol::Sound { muted: self.muted }, Symbol::Battery(self.battery)];
        let said = move |symbol: &Symbol| wanted.contains(symbol);
        SYMBOLS.iter().zip(symbols(shell)).filter(move |((symbol, ..), _)| said(symbol)).map(|(_, button)| button)
    }
}

//! Choices of commands that make packs, as values of flags.

use clap::ValueEnum;

use windesk_authoring::{build, import};

use crate::cli::choices::choice;

choice!(build::FrameStyle as FrameStyle {
    /// Nothing: screenshots as they are.
    None,
    /// Square corners and a narrow shadow.
    Square,
    /// Rounded corners at the top and a wide shadow.
    RoundedTop,
    /// Four rounded corners and a wide shadow.
    Rounded,
});

choice!(import::ImportFormat as ImportFormat {
    /// The WinDeskGround paper's list of instructions and boxes.
    Metadata,
    /// COCO annotations whose categories are roles.
    Coco,
    /// LabelMe, a file per picture, whose labels are roles.
    Labelme,
    /// An accessibility tree per picture, nested or flat.
    Tree,
});

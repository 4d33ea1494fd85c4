//! The library's choices as values of flags: their names and what `--help` says of each.

use clap::ValueEnum;

use windesk_dataset::export;
use windesk_engine::render;
use windesk_eval::{confidence, icons, predict, review, source};

/// A flag's values, one per variant of a type of the library; a variant that is missing here does not compile.
macro_rules! choice {
    ($module:ident::$type:ident as $name:ident { $($(#[$doc:meta])+ $variant:ident,)+ }) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
        pub(super) enum $name { $($(#[$doc])+ $variant,)+ }

        impl From<$name> for $module::$type {
            fn from(given: $name) -> Self {
                match given { $($name::$variant => Self::$variant,)+ }
            }
        }

        const _: fn($module::$type) = |value| match value { $($module::$type::$variant => (),)+ };
    };
}

choice!(render::ImageFormat as ImageFormat {
    /// Lossless; bytes are the same for the same build.
    Png,
    /// Lossy, quality 90.
    Jpeg,
    /// Lossless WebP: smaller and slower than PNG.
    Webp,
});

choice!(export::BoxKind as BoxKind {
    /// All of it, hidden parts included, clipped to the image.
    Full,
    /// The smallest box around its visible pixels.
    Visible,
});

choice!(export::ImageMode as ImageMode {
    /// As hard links: no space is used. Copies where the place is on another file system.
    Link,
    /// As copies.
    Copy,
    /// Not at all; paths are those inside the dataset.
    None,
});

choice!(confidence::Norm as Norm {
    /// To probabilities.
    Softmax,
    /// Linearly to 0..=1.
    Minmax,
    /// Nothing.
    Raw,
});

choice!(source::BoxFormat as BoxFormat {
    /// `bbox` is xywh px, `data_type`, `data_source`; image sizes come from the pictures.
    Screenspot,
    /// `bbox` is xyxy px, `img_size`, `application`, `group`, `ui_type`.
    ScreenspotPro,
    /// `gt_bbox` is xyxy px (`bbox` beside it is xywh).
    Windeskground,
});

choice!(review::Task as Task {
    /// Judge instruction and box.
    Judge,
    /// Click where the instruction says, without being shown the box.
    Click,
    /// Click, then judge.
    Both,
});

choice!(icons::Unit as Unit {
    /// Both sides of the image as 1: what the paper's prompt asks for.
    Norm,
    /// Px.
    Px,
    /// The image's diagonal as 1.
    Diagonal,
});

choice!(icons::Variant as Variant {
    /// Correct, near the target, near another, else.
    Published,
    /// As published, but a point strictly inside another icon is misleading however near the target is.
    InsideDistractorFirst,
    /// Whichever box is nearest decides between biased and misleading.
    Nearest,
});

choice!(predict::Agent as Agent {
    /// The recorded click point; refuses absent targets.
    Oracle,
    /// The recorded click point moved by up to 16 px along each axis.
    OracleJitter,
    /// Anywhere in the image.
    Random,
    /// The middle of the image.
    Center,
    /// The middle of the element in the topmost window whose name fits the instruction best.
    Topmost,
    /// The same in the active window.
    Active,
    /// The same in the window of which most is visible.
    Largest,
    /// The words on the screen, as Tesseract reads them, that fit the instruction best.
    Ocr,
});

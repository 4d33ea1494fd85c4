//! The library's choices as values of flags: their names and what `--help` says of each.

use clap::ValueEnum;

use windesk_dataset::{self as dataset, export};
use windesk_desktop::task;
use windesk_engine::render;
use windesk_eval::{asked, confidence, icons, predict, review, truth};
use windesk_model::setting;

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

#[cfg(feature = "pack")]
pub(super) use choice;

choice!(render::ImageFormat as ImageFormat {
    /// Lossless; bytes are the same for the same build.
    Png,
    /// Lossy, quality 90 unless --quality says otherwise.
    Jpeg,
    /// Lossless WebP: smaller and slower than PNG.
    Webp,
});

choice!(dataset::Records as Records {
    /// Every element.
    Full,
    /// Elements that targets name: themselves, their distractors and competitors.
    Targets,
    /// No scenes, annotations alone.
    None,
});

choice!(task::Goals as Goals {
    /// Those that somebody wrote by the pictures.
    Reviewed,
    /// Composed ones too.
    All,
});

choice!(export::BoxKind as BoxKind {
    /// The whole element, hidden parts included, clipped to the image.
    Full,
    /// The smallest box around its visible pixels.
    Visible,
});

choice!(export::ImageMode as ImageMode {
    /// As hard links, which use no space; copies if the target is on another file system.
    Link,
    /// As copies.
    Copy,
    /// Not at all; paths refer to the dataset.
    None,
});

choice!(confidence::Norm as Norm {
    /// Convert to probabilities.
    Softmax,
    /// Scale linearly to 0..=1.
    Minmax,
    /// Leave as they are.
    Raw,
});

choice!(truth::BoxFormat as BoxFormat {
    /// `bbox` is xywh px, `data_type`, `data_source`; image sizes come from the images.
    Screenspot,
    /// `bbox` is xyxy px, `img_size`, `application`, `group`, `ui_type`.
    ScreenspotPro,
    /// `gt_bbox` is xyxy px (`bbox` beside it is xywh).
    Windeskground,
    /// `box_coordinates` is xywh px, or the corners of a polygon, by `box_type`; a `refusal` has no target.
    OsworldG,
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
    /// The sides of the image have length 1, as in the paper's prompt.
    Norm,
    /// Pixels.
    Px,
    /// The diagonal of the image has length 1.
    Diagonal,
});

choice!(icons::Variant as Variant {
    /// Correct, near the target, near another icon, else confusion.
    Published,
    /// As published, but a point strictly inside another icon is misleading, however near the target is.
    InsideDistractorFirst,
    /// The nearest box decides between biased and misleading.
    Nearest,
});

choice!(asked::Asked as Asked {
    /// The step's instruction alone.
    Step,
    /// The goal, the steps before it with their clicks, and the step's instruction.
    #[value(name = "step+history")]
    StepHistory,
    /// The goal and the steps before it with their clicks.
    #[value(name = "goal+history")]
    GoalHistory,
});

choice!(predict::Agent as Agent {
    /// The recorded click point; refuses absent targets.
    Oracle,
    /// The recorded click point moved by up to 16 px along each axis.
    OracleJitter,
    /// A random point of the image.
    Random,
    /// The centre of the image.
    Center,
    /// In the topmost window, the centre of the element whose name fits the instruction best.
    Topmost,
    /// The same in the active window.
    Active,
    /// The same in the window with the most visible pixels.
    Largest,
    /// The words on the screen, as Tesseract reads them, that fit the instruction best.
    Ocr,
    /// For tasks: the middle of the largest region that changed since the keyframe before; at first a random point.
    WhatChanged,
    /// For states: the centre of the control.
    ControlCenter,
    /// For states: a random point of the control.
    ControlRandom,
    /// For states: where the value would be if all values lay evenly along the longer side of the control.
    Linear,
});

choice!(setting::HintKind as HintKind {
    /// None.
    None,
    /// Words about where the control is and what state it has.
    Description,
    /// The box of the control.
    Box,
});

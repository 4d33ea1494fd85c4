//! A second reader of packs and of what datasets say of their scenes, straight from the documentation, pixel by pixel.
//! It uses nothing of windesk, so that what windesk says can be held against it: tests do. A crate of its own, as it
//! goes over every pixel many times and the tests' own crate is compiled without optimisation.

mod pack;
mod pixels;
mod scene;

pub use pack::{Box4, NaivePack, box4, json_file, json_lines};
pub use pixels::check_pixels;
pub use scene::{NaiveScene, check_record};

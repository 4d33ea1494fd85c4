//! One scene and its truth, in memory and as files:
//!
//! ```sh
//! cargo run --release --example one_scene
//! ```

#![allow(clippy::print_stdout, reason = "an example shows what it made")]

use windesk::{Encoder, ImageFormat, Renderer, Study, default_pack, shipped};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (pack, _) = default_pack::open_default(&[])?;
    let pack = pack.indexed()?;
    let study = Study::of_condition(shipped::level("L4", &[])?, 7);
    let targets = study.pool(&pack)?;
    let plans = study.outcome(&pack, &targets, 0)?.plans.ok_or("no draw of index 0 satisfies the level")?;
    let scene = study.record(&pack, &study.conditions[0], &plans[0], "scene.png".into())?;
    std::fs::write("scene.png", ImageFormat::Png.encode(&Renderer::new(&pack)?.render(&plans[0])?))?;
    std::fs::write("scene.json", serde_json::to_vec_pretty(&scene)?)?;
    for target in &scene.truth.targets {
        println!(
            "{}: {} of {} px visible, click {:?}",
            target.instruction, target.visible_px, target.total_px, target.click_point
        );
    }
    Ok(())
}

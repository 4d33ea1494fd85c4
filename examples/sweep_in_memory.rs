//! A sweep in memory: how much of the target each condition shows, scene by scene.
//!
//! ```sh
//! cargo run --release --example sweep_in_memory
//! ```

#![allow(clippy::print_stdout, reason = "an example shows what it made")]

use windesk::{Study, default_pack, shipped};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (pack, _) = default_pack::open_default(&[])?;
    let pack = pack.indexed()?;
    let study = Study::of_sweep(shipped::sweep("occlusion", &[], &[])?, 0);
    let targets = study.pool(&pack)?;
    for index in 0..5 {
        let plans = study.outcome(&pack, &targets, index)?.plans.ok_or("an index without a sample")?;
        println!("{}", plans[0].target.instruction);
        for plan in &plans {
            println!("    {}: {} of {} px", plan.condition, plan.target.visible_px, plan.target.total_px);
        }
    }
    Ok(())
}

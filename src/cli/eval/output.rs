//! A report as a file, and its tables and figures as files for papers.

use std::path::Path;

use anyhow::Context;
use clap::ValueEnum;
use serde::Serialize;

use windesk_eval::render::{Presentation, Rasteriser, html};
use windesk_files::{write_named, write_whole};
use windesk_model::escape;

/// The two weights that charts use.
const CHART_FONTS: [&[u8]; 2] =
    [include_bytes!("../../../assets/fonts/Inter-Regular.ttf"), include_bytes!("../../../assets/fonts/Inter-SemiBold.ttf")];

/// Formats of reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum ReportFormat {
    /// All numbers, with the keys of docs/schemas.
    Json,
    /// A single page with tables, figures and failures.
    Html,
    /// Markdown tables.
    Md,
}

/// Writes a report to a file or standard output, and its tables and figures into the folder `exported`.
pub(in crate::cli) fn write_report(
    format: ReportFormat,
    out: Option<&Path>,
    exported: Option<&Path>,
    report: &impl Serialize,
    page: &Presentation,
    gallery: &str,
) -> anyhow::Result<()> {
    let json = || escape::json(&serde_json::to_string_pretty(report).expect("plain data")).into_owned();
    let text = match format {
        ReportFormat::Json => json() + "\n",
        ReportFormat::Md => page.markdown(),
        ReportFormat::Html => html(page, gallery, &json()),
    };
    match out {
        Some(path) => write_named(path, text.as_bytes())?,
        None => crate::cli::streams::write_text(&text),
    }
    exported.map_or(Ok(()), |folder| export(folder, page))
}

fn export(folder: &Path, page: &Presentation) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let write = |name: String, bytes: &[u8]| {
        let path = folder.join(name);
        write_whole(&path, bytes)
    };
    for table in &page.tables {
        let name = file_name(&table.id);
        write(format!("{name}.csv"), table.csv().as_bytes())?;
        write(format!("{name}.tex"), table.latex().as_bytes())?;
        write(format!("{name}.md"), table.markdown().as_bytes())?;
    }
    let mut rasteriser = Rasteriser::new(CHART_FONTS);
    for figure in &page.figures {
        let name = file_name(&figure.id);
        write(format!("{name}.svg"), figure.svg.as_bytes())?;
        write(format!("{name}.png"), &rasteriser.png(figure))?;
    }
    Ok(())
}

/// Names of models come from users and may hold anything.
fn file_name(id: &str) -> String {
    id.chars().map(|c| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' }).collect()
}

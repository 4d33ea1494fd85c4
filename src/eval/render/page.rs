//! The report as one HTML file that needs nothing beside it.

use super::Presentation;
use super::table::escape;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The whole page. `gallery` is finished HTML, may be empty; `json` is the report's data, embedded for scripts.
pub fn html(presentation: &Presentation, gallery: &str, json: &str) -> String {
    let facts: String =
        presentation.facts.iter().map(|(label, value)| format!("<dt>{}</dt><dd>{}</dd>", escape(label), escape(value))).collect();
    let notes: String = presentation.notes.iter().map(|n| format!("<p class=\"note\">{}</p>\n", escape(n))).collect();
    let (first, others) = presentation.tables.split_at(presentation.tables.len().min(1));
    let tables =
        |tables: &[super::Table]| tables.iter().map(|t| format!("<div class=\"table\">{}</div>\n", t.html())).collect::<String>();
    let figures: String =
        presentation.figures.iter().map(|f| format!("<figure id=\"{}\">{}</figure>\n", escape(&f.id), f.svg)).collect();
    let title = escape(&presentation.title);
    // `</script>` inside a string of the data would end the script element.
    let data = json.replace("</", "<\\/");
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>{title}</title><style>{STYLE}</style></head><body>\n<h1>{title}</h1>\n<dl>{facts}</dl>\n{notes}{}\
         <section class=\"figures\">{figures}</section>\n{gallery}<section>{}</section>\n\
         <script type=\"application/json\" id=\"report\">{data}</script>\n<script>{SCRIPT}</script>\n</body></html>\n",
        tables(first),
        tables(others),
    )
}

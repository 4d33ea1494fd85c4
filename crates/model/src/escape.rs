//! Text of strangers in the formats that we write: one function per format.
//!
//! Names of models, programs and elements come from files that anybody may have made. After escaping, a text is text in
//! its format: it starts no command, formula, tag, row or line of its own. Control characters are shown as `\n` or
//! `\u{1b}` in every format, since files are looked at in terminals too. Text without special characters stays as it
//! is.

use std::borrow::Cow;
use std::fmt::Write;

/// Whether a terminal may act on the character: controls (C0, DEL, C1), and what turns the direction of the text around
/// it.
fn is_control(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Replaces the characters for which `with` gives something else.
fn replaced(text: &str, with: impl Fn(usize, char) -> Option<Cow<'static, str>>) -> Cow<'_, str> {
    let mut out = String::new();
    let mut copied = 0;
    for (at, c) in text.char_indices() {
        if let Some(other) = with(at, c) {
            out.push_str(&text[copied..at]);
            out.push_str(&other);
            copied = at + c.len_utf8();
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[copied..]);
    Cow::Owned(out)
}

fn shown(c: char) -> Option<Cow<'static, str>> {
    is_control(c).then(|| Cow::Owned(c.escape_default().to_string()))
}

/// A part of a line on a terminal: a name, an id, a path.
pub fn terminal(text: &str) -> Cow<'_, str> {
    replaced(text, |_, c| shown(c))
}

/// Finished lines on a terminal: as [`terminal`], but lines and tabs stay.
pub fn terminal_lines(text: &str) -> Cow<'_, str> {
    replaced(text, |_, c| if matches!(c, '\n' | '\t') { None } else { shown(c) })
}

/// Text in HTML and SVG, in elements and in quoted attributes.
pub fn html(text: &str) -> Cow<'_, str> {
    replaced(text, |_, c| match c {
        '&' => Some("&amp;".into()),
        '<' => Some("&lt;".into()),
        '>' => Some("&gt;".into()),
        '"' => Some("&quot;".into()),
        '\'' => Some("&#39;".into()),
        _ => shown(c),
    })
}

/// Text in a paragraph, list or table cell of Markdown (GitHub's). What means nothing there, such as the `_` in a name,
/// the `~` in a version or the `<` of `<0.001`, stays.
pub fn markdown(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let before = |at: usize| text[..at].chars().next_back();
    let after = |at: usize| text[at + 1..].chars().next();
    let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    replaced(text, |at, c| {
        let means_something = match c {
            '\\' | '|' | '`' | '*' | '[' | ']' | '$' => true,
            '_' | '~' => !is_word(before(at)) || !is_word(after(at)),
            '<' => after(at).is_some_and(|next| next.is_ascii_alphabetic() || "/!?".contains(next)),
            '&' => after(at).is_some_and(|next| next == '#' || next.is_ascii_alphabetic()) && bytes[at..].contains(&b';'),
            _ => false,
        };
        if means_something { Some(format!("\\{c}").into()) } else { shown(c) }
    })
}

/// A code span of Markdown, with its backquotes.
pub fn markdown_code(text: &str) -> String {
    let shown = terminal(text);
    if shown.contains('`') { markdown(text).into_owned() } else { format!("`{shown}`") }
}

/// Text in LaTeX, in a cell or after a `%`. A bracket or star that comes first would belong to the `\\` or the rule of
/// the row before.
pub fn latex(text: &str) -> Cow<'_, str> {
    replaced(text, |at, c| match c {
        '[' | '*' if text[..at].trim().is_empty() => Some(format!("{{{c}}}").into()),
        '&' | '%' | '$' | '#' | '_' | '{' | '}' => Some(format!("\\{c}").into()),
        '<' => Some("$<$".into()),
        '>' => Some("$>$".into()),
        '\\' => Some("\\textbackslash{}".into()),
        '~' => Some("\\textasciitilde{}".into()),
        '^' => Some("\\textasciicircum{}".into()),
        _ if is_control(c) => Some(latex(&c.escape_default().to_string()).into_owned().into()),
        _ => None,
    })
}

/// A cell of CSV (RFC 4180), quoted where it must be. A text that a spreadsheet would take for a formula gets an
/// apostrophe before it; numbers do not.
pub fn csv(text: &str) -> Cow<'_, str> {
    let plain = terminal(text);
    // Controls at the start are looked for in the text itself: shown, they begin with a backslash.
    let formula = text.trim_start().starts_with(['=', '+', '-', '@']) && !is_number(text);
    let guarded = if formula { Cow::Owned(format!("'{plain}")) } else { plain };
    if guarded.contains([',', '"']) { Cow::Owned(format!("\"{}\"", guarded.replace('"', "\"\""))) } else { guarded }
}

/// A number, a range such as `-1.5 to 2.0`, either with more of them in brackets, or the `-` of an empty cell.
fn is_number(text: &str) -> bool {
    let mut words = text.split(|c: char| c == ' ' || "(),%".contains(c)).filter(|word| !word.is_empty());
    !text.contains(is_control) && words.all(|word| matches!(word, "-" | "to" | "±") || word.parse::<f64>().is_ok())
}

/// Finished JSON that may be shown on a terminal: what JSON lets stand but terminals act on, as `\u009b`.
pub fn json(text: &str) -> Cow<'_, str> {
    replaced(text, |_, c| if matches!(c, '\n' | '\t' | '\r') || !is_control(c) { None } else { Some(escaped_in_json(c)) })
}

/// Finished JSON inside a `<script>` element: as [`json`], and nothing in it can end the element.
pub fn script(text: &str) -> Cow<'_, str> {
    replaced(text, |_, c| match c {
        '<' => Some(escaped_in_json(c)),
        '\n' | '\t' | '\r' => None,
        _ => is_control(c).then(|| escaped_in_json(c)),
    })
}

/// A scalar of YAML in one line, quoted: JSON strings are YAML.
pub fn yaml(text: &str) -> Cow<'_, str> {
    let plain = text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "-_./+".contains(c))
        && !["true", "false", "yes", "no", "on", "off", "null", "y", "n"].contains(&text.to_ascii_lowercase().as_str());
    if plain { Cow::Borrowed(text) } else { Cow::Owned(json(&serde_json::Value::from(text).to_string()).into_owned()) }
}

fn escaped_in_json(c: char) -> Cow<'static, str> {
    let mut out = String::new();
    write!(out, "\\u{:04x}", u32::from(c)).expect("a string takes everything");
    out.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOSTILE: [&str; 9] = [
        "\\input{/etc/passwd}",
        "=cmd|' /C calc'!A0",
        "a\nb\r\nc\td",
        "\u{1b}]0;owned\u{7}\u{1b}[2J",
        "\u{9b}31m\u{7f}\u{202e}txt.exe",
        "</script><script>alert(1)</script><!--<script>",
        "| x | ![i](http://a/b) [l](javascript:x) `c` <img src=x> &lt;",
        "^^5cinput % & # $ ~ _ { }",
        "'\"><b onclick='x'>",
    ];

    #[test]
    fn no_format_lets_a_control_character_through() {
        for text in HOSTILE {
            for escaped in [terminal(text), html(text), markdown(text), latex(text), csv(text), yaml(text)] {
                assert!(!escaped.contains(is_control), "{escaped:?}");
            }
            let value = serde_json::Value::from(text);
            for written in [json(&value.to_string()), script(&value.to_string())] {
                assert!(!written.contains(is_control), "{written:?}");
                assert_eq!(serde_json::from_str::<serde_json::Value>(&written).unwrap(), value);
            }
            assert!(!script(&value.to_string()).contains('<'));
        }
        assert_eq!(terminal("a\u{1b}[2J\nb"), "a\\u{1b}[2J\\nb");
        assert_eq!(terminal_lines("a\u{1b}[2J\nb"), "a\\u{1b}[2J\nb");
    }

    #[test]
    fn plain_text_stays_as_it_is() {
        for text in
            ["Files & more", "wrong_format", "61.2 (58.0 to 64.3)", "org/tiny-7b", "3.0.5~dfsg-3.2", "Größe 3×4", "p <0.001"]
        {
            assert_eq!([terminal(text), markdown(text), csv(text)], [text; 3]);
        }
        assert_eq!(yaml("windesk-levels"), "windesk-levels");
    }

    #[test]
    fn formulas_are_guarded_and_numbers_are_not() {
        for (text, cell) in [
            ("=1+1", "'=1+1"),
            ("+SUM(A1)", "'+SUM(A1)"),
            ("-2+3+cmd|' /C calc'!D2", "'-2+3+cmd|' /C calc'!D2"),
            ("@x,y", "\"'@x,y\""),
            ("\t=1", "'\\t=1"),
            ("\r=1", "'\\r=1"),
            (" =1", "' =1"),
            ("-1.5", "-1.5"),
            ("-1.5 to +2.0", "-1.5 to +2.0"),
            ("-0.5 (-1.0 to 0.2)", "-0.5 (-1.0 to 0.2)"),
            ("-", "-"),
            ("a \"b\", c", "\"a \"\"b\"\", c\""),
        ] {
            assert_eq!(csv(text), cell);
        }
    }

    #[test]
    fn markup_means_nothing_after_escaping() {
        assert_eq!(markdown("a|b `c` *d* [e](f) <img> _g_ h_i"), "a\\|b \\`c\\` \\*d\\* \\[e\\](f) \\<img> \\_g\\_ h_i");
        assert_eq!(markdown("~~a~~ ~b~"), "\\~\\~a\\~\\~ \\~b\\~");
        assert_eq!(markdown("&lt; & x"), "\\&lt; & x");
        assert_eq!(
            latex("\\input{x}^^M\n"),
            "\\textbackslash{}input\\{x\\}\\textasciicircum{}\\textasciicircum{}M\\textbackslash{}n"
        );
        assert_eq!([latex("[5cm] [x]*"), latex(" *best*")], ["{[}5cm] [x]*", " {*}best*"]);
        assert_eq!(html("<b title='x\">&"), "&lt;b title=&#39;x&quot;&gt;&amp;");
        assert_eq!(yaml("a: b\n- c"), "\"a: b\\n- c\"");
        assert_eq!(yaml("no"), "\"no\"");
    }
}

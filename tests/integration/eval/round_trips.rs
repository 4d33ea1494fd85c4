//! What a family's prompt says about the size of the image and what its answer is read as are one value.

use std::io::Cursor;
use std::sync::LazyLock;

use serde_json::{Value, json};
use windesk::eval::parse::{Convention, Scale};
use windesk::eval::predict::Prompt;
use windesk::shipped::{FAMILY_PROMPTS, family_prompt};

use super::chat_server::{Reply, serve};
use crate::command::{finish, windesk};

/// An image that every resizing rule changes.
const SIZE: [u32; 2] = [3840, 2160];

/// Sides of [`SIZE`] as the published `smart_resize` gives them, worked out by hand: the nearest multiples of 28, or
/// what fits into the most pixels.
fn seen_by(family: &str) -> Option<[u32; 2]> {
    match family {
        "qwen2.5-vl" | "ui-tars-1.5" | "holo1" | "opencua" => Some([3836, 2156]),
        "gta1" => Some([3836, 2156]),
        "infigui" => Some([2772, 1568]),
        "holo1.5" => Some([2548, 1428]),
        "jedi" => Some([1932, 1064]),
        _ => None,
    }
}

/// The last corner of the image in the scale that a text names: two numbers as `WxH`, as `height H and width W` or as
/// `W px wide and H px high`.
fn named_corner(text: &str) -> Option<[u32; 2]> {
    let number = |text: &str| text.chars().take_while(char::is_ascii_digit).collect::<String>().parse::<u32>().ok();
    let after = |word: &str| number(text.split_once(word)?.1);
    let before = |word: &str| {
        let digits: String = text.split_once(word)?.0.chars().rev().take_while(char::is_ascii_digit).collect();
        digits.chars().rev().collect::<String>().parse::<u32>().ok()
    };
    let by_cross = || {
        text.match_indices('x').find_map(|(at, _)| {
            let (left, right) = (&text[..at], &text[at + 1..]);
            let digits: String = left.chars().rev().take_while(char::is_ascii_digit).collect();
            Some([digits.chars().rev().collect::<String>().parse().ok()?, number(right)?])
        })
    };
    let by_words = || Some([after(" and width ")?, after("is height ")?]);
    let by_px = || Some([before(" px wide")?, before(" px high")?]);
    by_words().or_else(by_px).or_else(by_cross)
}

fn messages_text(messages: &Value) -> String {
    let text = |content: &Value| content.as_str().or_else(|| content[1]["text"].as_str()).unwrap_or_default().to_owned();
    messages.as_array().unwrap().iter().map(|message| text(&message["content"]) + "\n").collect()
}

/// A blank picture of [`SIZE`]: nothing looks at it.
static PICTURE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut bytes = Cursor::new(Vec::new());
    image::GrayImage::new(SIZE[0], SIZE[1]).write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    bytes.into_inner()
});

/// A set of one image of [`SIZE`] whose only target is its last corner.
fn set() -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let set = folder.path().join("set.json");
    let [w, h] = SIZE;
    let record =
        json!([{"id": "t", "img_filename": "a.png", "img_size": SIZE, "bbox": [w - 4, h - 4, w, h], "instruction": "press it"}]);
    std::fs::write(&set, record.to_string()).unwrap();
    std::fs::write(folder.path().join("a.png"), &*PICTURE).unwrap();
    (folder, set)
}

fn point_of(extra: &[&str], reply: Reply) -> Value {
    let (folder, set) = set();
    let server = serve(&[], reply);
    let out = folder.path().join("out.jsonl");
    let mut command = windesk(["predict", "--endpoint", &server.url, "--model", "m", "--backoff", "0.01", "--out"]);
    command.arg(&out).arg(&set).args(extra).env_remove("OPENAI_API_KEY");
    let done = finish(command);
    assert_eq!(done.code, Some(0), "{extra:?}: {}", done.stderr);
    let text = std::fs::read_to_string(&out).unwrap();
    serde_json::from_str::<Value>(text.lines().nth(1).unwrap()).unwrap()["parsed"]["points"][0].clone()
}

/// A server that answers with the last corner in the scale that the prompt names hits the last corner of the image.
#[test]
fn what_a_prompt_names_is_what_is_read() {
    let mut named = Vec::new();
    for (family, _) in FAMILY_PROMPTS {
        let prompt = family_prompt(family).unwrap();
        let whole = format!("{}\n{}", prompt.system_message(SIZE).unwrap_or_default(), prompt.user_message("press it", SIZE));
        if named_corner(&whole).is_none() {
            continue;
        }
        named.push(family);
        let reply = Reply::Answer(|messages| {
            let [x, y] = named_corner(&messages_text(messages)).expect("a size in the prompt");
            format!("{{\"x\": {x}, \"y\": {y}}}")
        });
        assert_eq!(point_of(&["--family", family], reply), json!(SIZE.map(f64::from)), "{family}");
    }
    assert_eq!(named, ["infigui", "gta1", "jedi", "gui-owl", "json"]);
}

/// Families that are told no size answer in the scale of their models.
#[test]
fn what_a_model_sees_is_what_is_read() {
    for (family, _) in FAMILY_PROMPTS {
        let Prompt { coords, .. } = family_prompt(family).unwrap();
        let sides = match (seen_by(family), coords.scale) {
            (Some(seen), Scale::ResizedBy(_)) => seen,
            (None, Scale::Norm) => [1, 1],
            (None, Scale::Percent) => [100, 100],
            (None, Scale::Norm1000) => [1000, 1000],
            (None, Scale::Px) => SIZE,
            (seen, scale) => panic!("{family}: {seen:?} and {scale:?}"),
        };
        assert_eq!(coords.scale.sides(SIZE), sides, "{family}");
        assert_eq!(coords.scale.to_px(sides.map(f64::from), SIZE), SIZE.map(f64::from), "{family}");
        let told = coords.scale.told_size(SIZE);
        assert!(told == sides || told == SIZE && !matches!(coords.scale, Scale::ResizedBy(_)), "{family}: {told:?}");
    }
}

/// The same for a template of one's own, in every scale that counts pixels.
#[test]
fn templates_of_ones_own_are_told_what_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("own.toml");
    for coords in ["px", "resized:1000x500", "resized:max=1003520", "json:qwen2.5-vl"] {
        let text =
            format!("coords = \"{coords}\"\nsystem = \"The screen is {{width}}x{{height}}.\"\nuser = \"{{instruction}}\"\n");
        std::fs::write(&path, text).unwrap();
        let reply = Reply::Answer(|messages| {
            let [x, y] = named_corner(&messages_text(messages)).expect("a size in the prompt");
            format!("{{\"x\": {x}, \"y\": {y}}}")
        });
        assert_eq!(point_of(&["--prompt", path.to_str().unwrap()], reply), json!(SIZE.map(f64::from)), "{coords}");
    }
}

/// Conventions that come from an interface's tools have no prompt; the error says what to do.
#[test]
fn a_convention_without_a_prompt_says_so() {
    let error = family_prompt("claude").unwrap_err();
    assert!(error.hint.unwrap().contains("coords = \"claude\""));
    assert!("claude".parse::<Convention>().is_ok());
}

//! Model outputs of the families that windesk knows, and of no family at all.

use std::io::Write;
use std::process::Stdio;

use proptest::prelude::*;
use windesk::eval::parse::{Convention, FAMILIES, Family, Reason, parse};

use super::any_output::{parse_any, read_any};
use crate::command::windesk;

const SIZE: [u32; 2] = [2000, 1000];

fn read(convention: &str, output: &str) -> Result<Vec<[f64; 2]>, Reason> {
    let convention: Convention = convention.parse().unwrap();
    parse(output, &convention, SIZE).map(|a| a.points.iter().map(|p| p.map(|v| (v * 100.0).round() / 100.0)).collect())
}

fn point(convention: &str, output: &str, expected: [f64; 2]) {
    assert_eq!(read(convention, output), Ok(vec![expected]), "{convention}: {output}");
}

#[test]
fn families_write_as_their_papers_say() {
    point("seeclick", "(0.49,0.40)", [980.0, 400.0]);
    point("seeclick", "click (0.49, 0.40).", [980.0, 400.0]);
    point(
        "os-atlas",
        "<|object_ref_start|>save<|object_ref_end|><|box_start|>(512,300),(560,340)<|box_end|><|im_end|>",
        [1072.0, 320.0],
    );
    point("os-atlas", "thoughts: go\nactions:\nCLICK <point>[[511, 300]]</point>", [1022.0, 300.0]);
    point("uground", "(512, 300)", [1024.0, 300.0]);
    point("ui-tars", "Thought: The file at (3, 4).\nAction: click(start_box='(512,300)')", [1024.0, 300.0]);
    point("ui-tars", "Action: click(start_box='<|box_start|>(512,300)<|box_end|>')", [1024.0, 300.0]);
    point("ui-tars", "Action: click(point='<point>512 300</point>')", [1024.0, 300.0]);
    point("ui-tars", "Action: click(start_box='[0.5, 0.3, 1.5, 0.5]')", [2.0, 0.4]);
    point("showui", "{'action': 'CLICK', 'value': None, 'position': [0.49, 0.42]}", [980.0, 420.0]);
    point("showui", "[0.49, 0.42]", [980.0, 420.0]);
    point("aguvis", "pyautogui.click(x=0.25, y=0.5)", [500.0, 500.0]);
    point(
        "cogagent",
        "Action: click the box.\nGrounded Operation: CLICK(box=[[352,102,786,139]], element_info='Save')",
        [1138.0, 120.5],
    );
    point("cogagent", "[[352,102,786,139]]", [1138.0, 120.5]);
    assert_eq!(read("gui-actor", "[[0.512, 0.3], [0.6, 0.31]]"), Ok(vec![[1024.0, 300.0], [1200.0, 310.0]]));
    point("qwen-vl", "<ref>save</ref><box>(512,300),(560,340)</box>", [1072.0, 320.0]);
    point("qwen2-vl", "<|box_start|>(512,300),(560,340)<|box_end|>", [1072.0, 320.0]);
    point(
        "qwen3-vl",
        "<tool_call>\n{\"name\": \"computer_use\", \"arguments\": {\"action\": \"left_click\", \"coordinate\": [512, 300]}}\n</tool_call>",
        [1024.0, 300.0],
    );
    point("json", "```json\n{\"x\": 512, \"y\": 300}\n```", [512.0, 300.0]);
    point("json:norm", "{\"point\": [0.5, 0.5]}", [1000.0, 500.0]);
    assert_eq!(read("json", "click(start_box='(512,300)')"), Err(Reason::NoCoordinates), "an argument is no key of JSON");
}

/// It used to be the box (1, 0) to (2, 0).
#[test]
fn commas_between_thousands_are_not_guessed_at() {
    for output in ["(1,000, 2,000)", "1,050, 2,075", "[1,234, 2,345]", "click(start_box='(1,000,2,000)')"] {
        assert_eq!(read("px", output), Err(Reason::Ambiguous), "{output}");
    }
    assert_eq!(read("norm1000", "(1,000, 1,000)"), Err(Reason::Ambiguous));
    // No number of thousandths is as large as these with their commas between thousands, nor is a side of an image.
    point("norm1000", "(20,300, 40,500)", [60.0, 400.0]);
    point("px", "(100,200, 300,400)", [200.0, 300.0]);
    point("px", "(1,234,5,678)", [3.0, 456.0]);
    point("px", "(10, 200, 30, 400)", [20.0, 300.0]);
    point("px", "(45,050)", [45.0, 50.0]);
}

/// Qwen2.5-VL sees 2000x1000 px as 1988x1008, so that its 994 is the middle.
#[test]
fn resized_px_are_scaled_back() {
    point("qwen2.5-vl", "```json\n[{\"bbox_2d\": [984, 494, 1004, 514], \"label\": \"save\"}]\n```", [1000.0, 500.0]);
    point("infigui", "<think>[1, 1]</think>[{\"point_2d\": [994, 504], \"label\": \"save\"}]", [1000.0, 500.0]);
    point("ui-tars-1.5", "Action: click(start_box='(994,504)')", [1000.0, 500.0]);
    point("resized:1000x500", "(500, 250)", [1000.0, 500.0]);
    // 1,003,520 px hold 1400x700.
    point("resized:max=1003520", "(700, 350)", [1000.0, 500.0]);
}

#[test]
fn reasoning_is_no_answer() {
    point("px", "<think>maybe [1, 2] or <point>3 4</point></think>\n[50, 60]", [50.0, 60.0]);
    point("px", "maybe [1, 2]</think>[50, 60]", [50.0, 60.0]);
    point("px", "First I see [1, 2]. The answer is [50, 60].", [50.0, 60.0]);
    point("px", "[1, 2]<answer>[50, 60]</answer>[3, 4]", [50.0, 60.0]);
    point("px", "The 2 of [7, 8] lies left, so I answer\npyautogui.click(x=50, y=60)", [50.0, 60.0]);
    assert_eq!(read("px", "<think>maybe [1, 2]"), Err(Reason::UnfinishedReasoning));
}

#[test]
fn outputs_without_a_point_say_why() {
    let check = |output: &str, reason| assert_eq!(read("px", output), Err(reason), "{output}");
    check("", Reason::Empty);
    check(" \n", Reason::Empty);
    check("<think>[1, 2]</think>", Reason::Empty);
    check("I can not find it.", Reason::NoCoordinates);
    check("There are 3 buttons", Reason::NoCoordinates);
    check("[1, 2, 3]", Reason::NoCoordinates);
    check("[12]", Reason::NoCoordinates);
    check("[-1, -1]", Reason::Refusal);
    check("negative", Reason::Refusal);
    check("{\"refusal\": true}", Reason::Refusal);
    check("[1e999, 2]", Reason::NotFinite);
    assert_eq!(read("json", "(3, 4)"), Err(Reason::NoCoordinates));
}

/// The scale is what was declared, however odd the numbers look.
#[test]
fn scales_are_never_guessed() {
    point("norm", "[480, 0.5]", [960_000.0, 500.0]);
    point("px", "[0.5, 0.5]", [0.5, 0.5]);
    point("norm1000", "[0.5, 0.5]", [1.0, 0.5]);
}

#[test]
fn the_examples_of_all_families_have_points() {
    for Family { name: family, example, .. } in FAMILIES {
        let answer = parse(example, &family.parse().unwrap(), SIZE).unwrap_or_else(|e| panic!("{family}: {e:?}"));
        let [x, y] = answer.points[0];
        assert!((0.0..=2000.0).contains(&x) && (0.0..=1000.0).contains(&y), "{family}: {x}, {y}");
    }
}

#[test]
fn names_that_are_no_convention_are_explained() {
    let problem = |name: &str| name.parse::<Convention>().unwrap_err().to_string();
    assert!(problem("qwen25-vl").contains("did you mean qwen2-vl?"));
    assert!(problem("resized:0x5").contains("expected WxH"));
    assert!(problem("resized:min=9,max=3").contains("min <= max"));
    assert!(problem("resized:max=99999999999999").contains("2^32"));
}

/// Lines of the example file, torn and joined anywhere.
#[test]
fn torn_files_of_predictions_do_no_harm() {
    let whole = std::fs::read(super::fixtures::example("predictions.jsonl")).unwrap();
    for cut in (0..whole.len()).step_by(7) {
        read_any(&whole[..cut]);
        read_any(&whole[cut..]);
        let flipped: Vec<u8> = whole.iter().enumerate().map(|(at, b)| if at == cut { b ^ 0x15 } else { *b }).collect();
        read_any(&flipped);
    }
}

fn soup() -> impl Strategy<Value = String> {
    let token = prop_oneof![
        Just("<think>"),
        Just("</think>"),
        Just("<|box_start|>"),
        Just("<|box_end|>"),
        Just("<point>"),
        Just("</point>"),
        Just("["),
        Just("]"),
        Just("("),
        Just(")"),
        Just(","),
        Just("0.5"),
        Just("-1"),
        Just("1e400"),
        Just("777"),
        Just("x="),
        Just("y="),
        Just("\"point_2d\":"),
        Just("'"),
        Just("é"),
        Just(" "),
        Just("."),
        Just("<answer>"),
        Just("</answer>"),
        Just("\0")
    ];
    proptest::collection::vec(token, 0..40).prop_map(|tokens| tokens.concat())
}

fn conventions() -> impl Strategy<Value = String> {
    let names: Vec<String> = ["norm", "norm1000", "px", "json:norm", "resized:1x65535"]
        .into_iter()
        .chain(FAMILIES.map(|f| f.name))
        .map(str::to_owned)
        .collect();
    proptest::sample::select(names)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_output_panics(output in prop_oneof![soup(), any::<String>(), "\\PC{0,80}"], convention in conventions(), w in 1..40_000_u32, h in 1..40_000_u32) {
        if let Ok(answer) = parse(&output, &convention.parse().unwrap(), [w, h]) {
            prop_assert!(!answer.points.is_empty());
            prop_assert!(answer.points.iter().flatten().all(|v| v.is_finite()));
        }
    }

    #[test]
    fn bytes_of_strangers_do_no_harm(bytes in proptest::collection::vec(any::<u8>(), 0..120), output in soup()) {
        parse_any(&bytes);
        parse_any(&[&bytes[..bytes.len().min(3)], output.as_bytes()].concat());
    }

    #[test]
    fn what_is_written_is_read_back(x in 0..=1000_u32, y in 0..=1000_u32, form in 0..6_usize, words in "[a-zA-Z ]{0,20}") {
        let text = [
            format!("[{x}, {y}]"), format!("({x},{y})"), format!("<|box_start|>({x},{y})<|box_end|>"), format!("{{\"point_2d\": [{x}, {y}]}}"),
            format!("pyautogui.click(x={x}, y={y})"), format!("click(start_box='({x},{y})')"),
        ];
        let output = format!("<think>{words} [9, 9]</think>{}", text[form]);
        prop_assert_eq!(read("norm1000", &output), Ok(vec![[f64::from(x) * 2.0, f64::from(y)]]));
    }
}

#[test]
fn the_command_answers_every_line() {
    let mut child = windesk(["parse", "--convention", "norm1000", "--image", "2000x1000"]);
    let mut child = child.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"(500, 250)\nno idea\n<box>(100,100),(200,200)</box>\n\xff(1,2)\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let lines: Vec<serde_json::Value> =
        output.stdout.split(|b| *b == b'\n').filter(|l| !l.is_empty()).map(|l| serde_json::from_slice(l).unwrap()).collect();
    assert_eq!(lines.len(), 4);
    assert_eq!(lines[0]["point"], serde_json::json!([1000.0, 250.0]));
    assert_eq!(lines[1]["reason"], "no_coordinates");
    assert_eq!(lines[2]["box"], serde_json::json!([200.0, 100.0, 400.0, 200.0]));
    assert_eq!(lines[3]["inside"], true);
}

/// Outputs as the sources of the families print them (each family's prompt file names its source).
#[test]
fn families_of_today_write_as_their_sources_say() {
    // The README of GTA1 takes the first pair in parentheses; 4096 * 2160 px hold 2000x1000 px, which become 1988x1008.
    point("gta1", "(994,504)", [1000.0, 500.0]);
    point("holo1", "Click(994, 504)", [1000.0, 500.0]);
    // Raw outputs of the notebooks of Holo1.5 (an image of 1710x852 px, which became 1708x840) and of Holo2.
    let holo = |name: &str, output: &str| parse(output, &name.parse().unwrap(), [1710, 852]).unwrap().points[0].map(f64::round);
    assert_eq!(holo("holo1.5", "{\"action\": \"click_absolute\", \"x\": 947, \"y\": 338}\n"), [948.0, 343.0]);
    assert_eq!(holo("holo2", "{\"x\":552,\"y\":404}"), [944.0, 344.0]);
    let tool_call = "<tool_call>\n{\"name\": \"computer_use\", \"arguments\": {\"action\": \"left_click\", \"coordinate\": [994, 504]}}\n</tool_call>";
    point("jedi", tool_call, [1000.0, 500.0]);
    point("gui-owl", tool_call, [1988.0, 504.0]);
    point("qwen3-vl", "```json\n[\n\t{\"point_2d\": [394, 105], \"label\": \"save\"}\n]\n```", [788.0, 105.0]);
    point("qwen3-vl", "<points x1=\"394\" y1=\"105\" alt=\"save\">save</points>", [788.0, 105.0]);
    point(
        "opencua",
        "# Step 1\n## Action:\nClick save.\n## Code:\n```python\npyautogui.click(x=994, y=504)\n```",
        [1000.0, 500.0],
    );
    let infeasible = "<tool_call>\n{\"name\": \"computer_use\", \"arguments\": {\"action\": \"terminate\", \"status\": \"failure\"}}\n</tool_call>";
    assert_eq!(read("gui-owl", infeasible), Err(Reason::Refusal));
}

/// Molmo writes percent in attributes; words of its `alt` are no coordinates.
#[test]
fn molmo_points_in_percent() {
    point("molmo", " <point x=\"63.5\" y=\"44.5\" alt=\"Mt Rainier\">Mt Rainier</point>", [1270.0, 445.0]);
    point("molmo", "<point x=\"63.5\" y=\"44.5\" alt=\"page (3, 4)\">page (3, 4)</point>", [1270.0, 445.0]);
    point("molmo", "<point x=\"63.5\" y=\"44.5\" alt=\"< Back\">< Back</point>", [1270.0, 445.0]);
    let several = " <points x1=\"10.5\" y1=\"20\" x2=\"30.0\" y2=\"40.5\" alt=\"tabs\">tabs</points>";
    assert_eq!(read("molmo", several), Ok(vec![[210.0, 200.0], [600.0, 405.0]]));
    assert_eq!(read("molmo", "There are none."), Err(Reason::Refusal));
    point("percent", "[63.5, 44.5]", [1270.0, 445.0]);
}

/// Gemini gives lists with y first, from 0 to 1000, and names x and y in calls of functions.
#[test]
fn gemini_gives_y_first() {
    point("gemini", "```json\n[\n  {\"point\": [376, 508], \"label\": \"save\"}\n]\n```", [1016.0, 376.0]);
    point("gemini", "[{\"box_2d\": [100, 200, 300, 400], \"label\": \"save\"}]", [600.0, 200.0]);
    point("gemini", "[376, 508]", [1016.0, 376.0]);
    point("gemini", "{\"name\": \"click_at\", \"args\": {\"y\": 376, \"x\": 508}}", [1016.0, 376.0]);
    point("json:gemini", "{\"point\": [376, 508]}", [1016.0, 376.0]);
    point("norm1000", "{\"point\": [376, 508]}", [752.0, 508.0]);
}

/// Actions of the computer-use tools: of Claude (its reference client is github.com/anthropics/anthropic-quickstarts),
/// and of OpenAI's Responses API.
#[test]
fn actions_of_computer_use() {
    point("claude", "{\"action\": \"left_click\", \"coordinate\": [512, 300]}", [512.0, 300.0]);
    let block = "{\"type\":\"tool_use\",\"name\":\"computer\",\"input\":{\"action\":\"left_click\",\"coordinate\":[512,300]}}";
    point("claude", block, [512.0, 300.0]);
    point("resized:1000x500", block, [1024.0, 600.0]);
    let call = concat!(
        r#"{"output": [{"type": "reasoning", "id": "rs_67cc"}, {"type": "computer_call", "id": "cu_67cc", "#,
        r#""call_id": "call_zw3", "action": {"type": "click", "button": "left", "x": 156, "y": 50}, "#,
        r#""pending_safety_checks": [], "status": "completed"}]}"#,
    );
    point("openai", call, [156.0, 50.0]);
    point("openai", "{\"type\": \"click\", \"x\": 10, \"button\": \"left\", \"y\": 20}", [10.0, 20.0]);
    point("openai", "{'y': 20, 'type': 'click', 'x': 10}", [10.0, 20.0]);
    assert_eq!(read("openai", "{\"type\": \"keypress\", \"keys\": [\"CTRL\"]}"), Err(Reason::NoCoordinates));
}

/// Numbers after a word are an answer where nothing says it better.
#[test]
fn numbers_after_a_word() {
    point("norm1000", "Answer: 489,852,141,108", [630.0, 480.0]);
    point("norm", "Coordinates: 0.25, 0.75", [500.0, 750.0]);
    point("px", "The save button is at the top.\n**Coordinates:** 512 300", [512.0, 300.0]);
    point("px", "The answer is 512, 300.", [512.0, 300.0]);
    point("px", "Click at 512, 300\nThis saves the file.", [512.0, 300.0]);
    point("px", "Answer:\n512, 300", [512.0, 300.0]);
    point("px", "Answer: 1, 2\nNo. Answer: 512, 300", [512.0, 300.0]);
    point("px", "Size: 1920, 1080\n[512, 300]", [512.0, 300.0]);
    let none = |output: &str| assert_eq!(read("px", output), Err(Reason::NoCoordinates), "{output}");
    none("Step 1: 3 windows are open, 2 of them minimised");
    none("Answer: 512");
    none("Answer: 512, 300, 4");
    none("Version: 1.2.3 4");
}

//! Servers that ask to wait or send elsewhere, lines without end, and files of flags that merely lie in the folder.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant, SystemTime};

use serde_json::{Value, json};

use super::chat_server::{ChatServer, Reply, serve};
use super::fixtures::example;
use crate::command::{finish, refused, windesk};

/// A set of one target with its picture, and a command that asks about it.
fn ask(folder: &Path, server: &ChatServer, extra: &[&str]) -> Command {
    let set = folder.join("set.json");
    let record =
        json!([{"id": "t", "img_filename": "a.png", "img_size": [8, 4], "bbox": [1, 1, 3, 3], "instruction": "press it"}]);
    std::fs::write(&set, record.to_string()).unwrap();
    image::RgbImage::new(8, 4).save(folder.join("a.png")).unwrap();
    let mut command = windesk(["predict", "--endpoint", &server.url, "--model", "m", "--family", "uground", "--backoff", "0.01"]);
    command.arg(&set).arg("--out").arg(folder.join("out.jsonl")).args(extra).env("OPENAI_API_KEY", "sk-secret");
    command
}

/// A date of HTTP so many seconds ahead, counted year by year and month by month.
fn date_in(seconds: u64) -> String {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs() + seconds;
    let (days, rest) = (now / 86_400, now % 86_400);
    let mut year = 1970;
    let mut left = days;
    let leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let length = |year: u64| if leap(year) { 366 } else { 365 };
    while left >= length(year) {
        left -= length(year);
        year += 1;
    }
    let february = length(year) - 337;
    let months = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while left >= months[month] {
        left -= months[month];
        month += 1;
    }
    let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let day_names = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
    format!(
        "{}, {:02} {} {year} {:02}:{:02}:{:02} GMT",
        day_names[(days % 7) as usize],
        left + 1,
        names[month],
        rest / 3600,
        rest / 60 % 60,
        rest % 60
    )
}

#[test]
fn a_date_to_retry_after_is_obeyed() {
    let folder = tempfile::tempdir().unwrap();
    let later = Reply::Head(429, format!("Retry-After: {}\r\n", date_in(3)));
    let started = Instant::now();
    let server = serve(&[("press it", &[later, Reply::Say("(1, 2)")])], Reply::Status(500));
    let done = finish(ask(folder.path(), &server, &[]));
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert!(started.elapsed() > Duration::from_millis(1500), "{:?}", started.elapsed());
    assert_eq!(server.requests.lock().unwrap().len(), 2);
}

#[test]
fn long_waits_are_told_and_longer_ones_end_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let wait = |value: &str| Reply::Head(429, format!("Retry-After: {value}\r\n"));
    let server = serve(&[("press it", &[wait("5"), Reply::Say("(1, 2)")])], Reply::Status(500));
    let done = finish(ask(folder.path(), &server, &[]));
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert!(done.stderr.contains("HTTP 429: waiting 5 s before the next try, as the server asks"), "{}", done.stderr);
    let out = folder.path().join("out.jsonl");
    std::fs::remove_file(&out).unwrap();
    for (asked, extra) in [("3600".to_owned(), &[][..]), ("20".to_owned(), &["--max-wait", "10"][..]), (date_in(86_400), &[])] {
        let server = serve(&[], wait(&asked));
        let started = Instant::now();
        refused(
            ask(folder.path(), &server, extra),
            &["HTTP 429: the server asks for a wait of", "--max-wait", "run the same command"],
        );
        assert!(started.elapsed() < Duration::from_secs(20));
        assert_eq!(server.requests.lock().unwrap().len(), 1, "it is not asked again");
        assert!(!out.exists(), "nothing was answered");
    }
}

/// A redirection is an error, unless it is to be followed: then the same question goes there, without the key.
#[test]
fn redirections_are_refused_unless_followed() {
    let folder = tempfile::tempdir().unwrap();
    for status in [301, 302, 303, 307, 308] {
        let target = serve(&[], Reply::Say("(500, 250)"));
        let place = format!("Location: {}/chat/completions\r\n", target.url);
        let server = serve(&[], Reply::Head(status, place));
        let out = folder.path().join("out.jsonl");
        let _ = std::fs::remove_file(&out);
        refused(ask(folder.path(), &server, &[]), &[&format!("HTTP {status}: sends to `{}", target.url), "--follow"]);
        assert_eq!(target.requests.lock().unwrap().len(), 0);
        let done = finish(ask(folder.path(), &server, &["--follow"]));
        assert_eq!(done.code, Some(0), "{}", done.stderr);
        let line: Value = serde_json::from_str(std::fs::read_to_string(&out).unwrap().lines().nth(1).unwrap()).unwrap();
        assert_eq!(line["parsed"]["points"], json!([[4.0, 1.0]]));
        let (asked, sent) = (server.requests.lock().unwrap()[1].clone(), target.requests.lock().unwrap()[0].clone());
        assert_eq!((asked.0.as_deref(), sent.0), (Some("Bearer sk-secret"), None), "another server is not sent the key");
        assert_eq!(asked.1, sent.1, "the question is the same");
    }
    // Round and round.
    let server = serve(&[], Reply::Head(302, "Location: /v1/chat/completions\r\n".to_owned()));
    let _ = std::fs::remove_file(folder.path().join("out.jsonl"));
    refused(ask(folder.path(), &server, &["--follow"]), &["more than 5 redirections"]);
    let server = serve(&[], Reply::Head(302, "Location: file:///etc/passwd\r\n".to_owned()));
    refused(ask(folder.path(), &server, &["--follow"]), &["file:///etc/passwd", "not followed"]);
}

#[test]
fn a_line_has_at_most_16_mib() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("p.jsonl");
    let long = |bytes: usize| json!({"id": "s0.L1-000000.t0", "output": " ".repeat(bytes)}).to_string();
    let eval = |path: &Path, extra: &[&str]| {
        let mut command = windesk(["eval"]);
        command.arg(example("scenes.jsonl")).arg(path).args(extra);
        command
    };
    std::fs::write(&path, long((16 << 20) - 100)).unwrap();
    assert_eq!(finish(eval(&path, &[])).code, Some(1), "a line of nearly 16 MiB is read; the other targets have none");
    std::fs::write(&path, format!("{{}}\n{}", long(16 << 20)).replace("{}", "")).unwrap();
    refused(eval(&path, &[]), &["p.jsonl:2", "more than 16 MiB"]);
}

/// A device that never ends is an error at once, wherever predictions are read.
#[cfg(unix)]
#[test]
fn a_device_without_end_is_an_error() {
    let zero = Path::new("/dev/zero");
    let (folder, started) = (tempfile::tempdir().unwrap(), Instant::now());
    let check = |args: &[&str], dataset: &str, expected: &str| {
        let mut command = windesk(args);
        command.arg(example(dataset)).arg(zero);
        refused(command, &["/dev/zero", expected]);
    };
    check(&["eval"], "scenes.jsonl", "16 MiB");
    check(&["eval", "--protocol", "sequence"], "tasks.jsonl", "16 MiB");
    check(&["eval", "--protocol", "episode"], "episode-tasks.jsonl", "at most");
    let link = folder.path().join("results.json");
    std::os::unix::fs::symlink(zero, &link).unwrap();
    for (protocol, answers) in [("state", "state-answers.jsonl"), ("episode", "episodes.jsonl")] {
        let mut command = windesk(["eval", "--protocol", protocol]);
        command.arg(zero).arg(example(answers));
        refused(command, &["/dev/zero", "at most"]);
        assert!(started.elapsed() < Duration::from_secs(20), "{protocol}");
    }
    let mut command = windesk(["eval"]);
    command.arg(example("screenspot_pro.json")).arg(&link);
    refused(command, &["results.json", "at most"]);
    let mut command = windesk(["parse", "--convention", "px", "--image", "9x9"]);
    command.arg(zero);
    refused(command, &["/dev/zero:1", "16 MiB"]);
    let mut command = windesk(["predict", "--agent", "center", "--out", "/dev/zero"]);
    command.arg(example("scenes.jsonl"));
    refused(command, &["/dev/zero", "no regular file"]);
}

/// Whoever leaves a file of flags in a folder must not be sent a key: what says where keys go is for files that are
/// named.
#[test]
fn a_file_that_was_found_sends_no_key_anywhere() {
    let folder = tempfile::tempdir().unwrap();
    let (stranger, own) = (serve(&[], Reply::Say("(1, 2)")), serve(&[], Reply::Say("(500, 250)")));
    let run = |text: &str, extra: &[&str]| {
        std::fs::write(folder.path().join("windesk.toml"), text).unwrap();
        let mut command = windesk(extra);
        command.current_dir(folder.path()).arg("predict").arg(example("scenes.jsonl"));
        command.args(["--model", "m", "--family", "uground", "--limit", "1"]).env("OPENAI_API_KEY", "sk-secret");
        command
    };
    let endpoint = format!("[predict]\nendpoint = \"{}\"\n", stranger.url);
    for (text, key) in [
        (endpoint.as_str(), "[predict] endpoint"),
        ("[predict]\nkey_env = \"HOME\"\n", "[predict] key-env"),
        ("[all]\nkey-env = \"HOME\"\n", "[all] key-env"),
        ("[predict]\nfollow = true\n", "[predict] follow"),
    ] {
        let mut command = run(text, &[]);
        if key != "[predict] endpoint" {
            command.args(["--endpoint", &own.url]);
        }
        refused(command, &["windesk.toml", key, "--config windesk.toml"]);
    }
    assert_eq!((stranger.requests.lock().unwrap().len(), own.requests.lock().unwrap().len()), (0, 0));
    let mut typed = run(&endpoint, &[]);
    typed.args(["--endpoint", &own.url]);
    // No picture lies beside the example: what counts is that the file no longer stands in the way.
    assert!(!finish(typed).stderr.contains("was not named"));
    assert!(!finish(run(&endpoint, &["--config", "windesk.toml"])).stderr.contains("was not named"));
    assert!(!finish(run("[predict]\nmax_tokens = 9\n", &[])).stderr.contains("was not named"));
}

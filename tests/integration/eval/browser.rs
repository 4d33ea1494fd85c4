//! Chromium without a window, over its debugging pipe: opens a page, clicks, types, looks. Errors of a page's scripts
//! fail the test.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// The variable by which a machine without a browser leaves these tests out; `scripts/test.sh` sets it and says so.
const LEFT_OUT: &str = "WINDESK_WITHOUT_BROWSER";
/// How long a page may take for anything.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running browser with one page.
pub struct Browser {
    child: Child,
    commands: File,
    answers: BufReader<File>,
    last_id: u64,
    session: Option<String>,
    folder: tempfile::TempDir,
}

impl Browser {
    /// Starts one; `None` where tests in a browser are left out.
    pub fn start() -> Option<Self> {
        if std::env::var_os(LEFT_OUT).is_some() {
            eprintln!("left out: {LEFT_OUT} is set");
            return None;
        }
        let program = program().unwrap_or_else(|| {
            panic!("found no chromium, expected one (Debian: apt-get install chromium); {LEFT_OUT}=1 leaves the tests in a browser out")
        });
        let folder = tempfile::tempdir().unwrap();
        // The pipe's ends are the descriptors 3 and 4, which a shell can set up from two named pipes.
        let pipes = ["commands", "answers"].map(|name| folder.path().join(name));
        assert!(Command::new("mkfifo").args(&pipes).status().unwrap().success());
        let child = Command::new("sh")
            .args(["-c", "pipes=$1; shift; exec \"$@\" 3<\"$pipes/commands\" 4>\"$pipes/answers\"", "sh"])
            .arg(folder.path())
            .arg(program)
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--remote-debugging-pipe",
            ])
            .arg("--window-size=1400,900")
            .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let commands = OpenOptions::new().write(true).open(&pipes[0]).unwrap();
        let answers = BufReader::new(File::open(&pipes[1]).unwrap());
        Some(Self { child, commands, answers, last_id: 0, session: None, folder })
    }

    /// Calls a method of the debugging protocol.
    pub fn call(&mut self, method: &str, params: Value) -> Value {
        self.last_id += 1;
        let mut command = json!({"id": self.last_id, "method": method, "params": params});
        if let Some(session) = &self.session {
            command["sessionId"] = json!(session);
        }
        self.commands.write_all(format!("{command}\0").as_bytes()).unwrap();
        loop {
            let mut message = Vec::new();
            self.answers.read_until(0, &mut message).unwrap();
            assert_eq!(message.pop(), Some(0), "{method}: the browser is gone");
            let message: Value = serde_json::from_slice(&message).unwrap();
            assert_ne!(message["method"], "Runtime.exceptionThrown", "an error in the page: {message:#}");
            if message["id"] == self.last_id {
                assert!(message["error"].is_null(), "{method}: {message}");
                return message["result"].clone();
            }
        }
    }

    /// Opens a file as a page.
    pub fn open(&mut self, page: &Path) {
        self.session = None;
        let target = self.call("Target.createTarget", json!({"url": "about:blank"}));
        let attached = self.call("Target.attachToTarget", json!({"targetId": target["targetId"], "flatten": true}));
        self.session = Some(attached["sessionId"].as_str().unwrap().to_owned());
        self.call("Runtime.enable", json!({}));
        self.call("Page.enable", json!({}));
        self.call("Page.navigate", json!({"url": format!("file://{}", page.canonicalize().unwrap().display())}));
        self.until("document.readyState === 'complete' && location.protocol === 'file:'");
    }

    /// The value of an expression in the page.
    pub fn value(&mut self, expression: &str) -> Value {
        let answer =
            self.call("Runtime.evaluate", json!({"expression": expression, "returnByValue": true, "awaitPromise": true}));
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {answer:#}");
        answer["result"]["value"].clone()
    }

    /// Waits until an expression is true.
    pub fn until(&mut self, expression: &str) {
        let started = Instant::now();
        while self.value(expression) != true {
            assert!(started.elapsed() < PATIENCE, "`{expression}` did not come true");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Presses and releases the mouse on the middle of what a selector names, as a person would.
    pub fn click(&mut self, selector: &str) {
        let middle = format!(
            "(() => {{ const e = document.querySelector({selector:?}); e.scrollIntoView({{block: 'center', behavior: 'instant'}}); \
             const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; }})()"
        );
        let point = self.value(&middle);
        self.click_at([0, 1].map(|axis| point[axis].as_f64().unwrap_or_else(|| panic!("no {selector}"))));
    }

    /// Presses and releases the mouse, px of the view.
    pub fn click_at(&mut self, [x, y]: [f64; 2]) {
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
            self.call("Input.dispatchMouseEvent", json!({"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1}));
        }
    }

    /// Presses and releases a key.
    pub fn key(&mut self, key: &str) {
        for kind in ["keyDown", "keyUp"] {
            self.call("Input.dispatchKeyEvent", json!({"type": kind, "key": key}));
        }
    }

    /// Clicks on what saves a file, and waits for the file.
    pub fn download(&mut self, selector: &str, name: &str) -> PathBuf {
        let folder = self.folder.path().join("downloads");
        std::fs::create_dir_all(&folder).unwrap();
        let session = self.session.take();
        self.call("Browser.setDownloadBehavior", json!({"behavior": "allow", "downloadPath": folder}));
        self.session = session;
        self.click(selector);
        let (file, started) = (folder.join(name), Instant::now());
        while !file.is_file() {
            assert!(started.elapsed() < PATIENCE, "no {name}");
            // Reading lets the browser get rid of its messages.
            self.value("1");
            std::thread::sleep(Duration::from_millis(20));
        }
        file
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Chromium by the names that distributions give it.
fn program() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let names = ["chromium", "chromium-browser", "google-chrome"];
    std::env::split_paths(&path).flat_map(|folder| names.map(|name| folder.join(name))).find(|p| p.is_file())
}

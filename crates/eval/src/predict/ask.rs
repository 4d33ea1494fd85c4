//! One question to an OpenAI-compatible chat endpoint, with retries.

#![allow(clippy::disallowed_methods, reason = "waiting and timing of requests; nothing here reaches a scene")]

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime};

use base64::Engine;
use serde::Deserialize;
use serde_json::{Value, json};

use windesk_files::PictureKind;
use windesk_model::plural::counted;

use super::digits::Token;
use super::retry_after::retry_after;

/// Where to ask, and how patiently. Its `Debug` form hides the key.
#[derive(Clone)]
pub struct Endpoint {
    /// Address up to and with `/v1`.
    pub url: String,
    /// The model's name there.
    pub model: String,
    /// Bearer key, if the server wants one.
    pub key: Option<String>,
    /// Longest wait for a whole answer.
    pub timeout: Duration,
    /// Tries after the first.
    pub retries: u32,
    /// Wait before the first retry; doubles with each.
    pub backoff: Duration,
    /// Longest wait between tries. A server that asks for more ends the run.
    pub max_wait: Duration,
    /// Whether an answer that sends elsewhere is followed.
    pub follow: bool,
    /// Most tokens of an answer.
    pub max_tokens: u32,
    /// Sampling temperature.
    pub temperature: f64,
    /// Whether to ask for log-probabilities.
    pub logprobs: bool,
}

impl std::fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Endpoint").field("url", &self.url).field("model", &self.model).finish_non_exhaustive()
    }
}

/// What a model answered.
#[derive(Clone, Debug, PartialEq)]
pub struct Answered {
    /// Raw text.
    pub output: String,
    /// Why it stopped, as the server says.
    pub finish_reason: Option<String>,
    /// Output tokens, where the server gives log-probabilities.
    pub(super) tokens: Vec<Token>,
    /// Time of the successful try.
    pub latency: Duration,
    /// Tries, from 1.
    pub attempts: u32,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{problem} (after {})", counted(*attempts, "try"))]
pub struct Failed {
    /// What went wrong last.
    pub problem: String,
    /// Tries.
    pub attempts: u32,
    /// Whether every further question would fail the same way: a refused key, an unknown model.
    pub hopeless: bool,
}

#[derive(Deserialize)]
struct Completion {
    choices: Vec<Choice>,
}

#[derive(Deserialize)]
struct Choice {
    message: Message,
    #[serde(default)]
    finish_reason: Option<String>,
    #[serde(default)]
    logprobs: Option<Logprobs>,
}

#[derive(Deserialize)]
struct Message {
    #[serde(default)]
    content: Option<String>,
}

#[derive(Deserialize)]
struct Logprobs {
    #[serde(default)]
    content: Option<Vec<Token>>,
}

/// Largest answer that is read, bytes.
const LIMIT: u64 = 32 << 20;
/// Waits from this on are told.
const TOLD_WAIT: Duration = Duration::from_secs(5);
/// Most redirections of a request.
const REDIRECTIONS: usize = 5;

/// What a question looks at while it waits.
pub(super) struct Waiting<'a> {
    /// Whether the run ends: nothing is asked again.
    pub(super) stop: &'a AtomicBool,
    /// Is told why and how long a question waits.
    pub(super) tell: &'a (dyn Fn(String, Duration) + Sync),
}

impl Waiting<'_> {
    /// Sleeps, unless the run ends.
    fn sleep(&self, time: Duration) {
        let started = Instant::now();
        while !self.stop.load(Ordering::Relaxed) {
            let Some(left) = time.checked_sub(started.elapsed()).filter(|left| !left.is_zero()) else { break };
            std::thread::sleep(left.min(Duration::from_millis(100)));
        }
    }
}

enum Trouble {
    /// Worth another try, perhaps after a time that the server names.
    Passing(String, Option<Duration>),
    Lasting(String, bool),
}

impl Endpoint {
    /// A client that keeps its connections.
    pub(super) fn client(&self) -> ureq::Agent {
        let config =
            ureq::Agent::config_builder().timeout_global(Some(self.timeout)).http_status_as_error(false).max_redirects(0);
        config.build().into()
    }

    /// Asks about pictures (whole files), the last of which is the one that the answer is about.
    ///
    /// # Errors
    /// If no try succeeds, the server refuses the request, or asks for a longer wait than `max_wait`.
    pub(super) fn ask(
        &self,
        client: &ureq::Agent,
        system: Option<&str>,
        user: &str,
        pictures: &[(PictureKind, Vec<u8>)],
        waiting: &Waiting<'_>,
    ) -> Result<Answered, Failed> {
        let body = self.request(system, user, pictures);
        let mut wait = self.backoff;
        for attempt in 1.. {
            let started = Instant::now();
            match self.once(client, &body) {
                Ok(mut answered) => {
                    (answered.latency, answered.attempts) = (started.elapsed(), attempt);
                    return Ok(answered);
                }
                Err(Trouble::Lasting(problem, hopeless)) => return Err(Failed { problem, attempts: attempt, hopeless }),
                Err(Trouble::Passing(problem, Some(asked))) if asked > self.max_wait => {
                    let (asked, most) = (asked.as_secs(), self.max_wait.as_secs_f64());
                    let problem = format!(
                        "{problem}: the server asks for a wait of {asked} s, more than the {most} s of option `max_wait`; run the same command again later"
                    );
                    return Err(Failed { problem, attempts: attempt, hopeless: true });
                }
                Err(Trouble::Passing(problem, _)) if attempt > self.retries || waiting.stop.load(Ordering::Relaxed) => {
                    return Err(Failed { problem, attempts: attempt, hopeless: false });
                }
                Err(Trouble::Passing(problem, asked)) => {
                    let time = asked.unwrap_or(wait).min(self.max_wait);
                    if time >= TOLD_WAIT {
                        let why = if asked.is_some() { ", as the server asks" } else { "" };
                        (waiting.tell)(format!("{problem}: waiting {} s before the next try{why}", time.as_secs()), time);
                    }
                    waiting.sleep(time);
                    wait = wait.saturating_mul(2).min(self.max_wait);
                }
            }
        }
        unreachable!("the last try returns")
    }

    fn request(&self, system: Option<&str>, user: &str, pictures: &[(PictureKind, Vec<u8>)]) -> Value {
        let mut content: Vec<Value> = pictures.iter().map(|(kind, picture)| picture_part(*kind, picture)).collect();
        content.push(json!({ "type": "text", "text": user }));
        let mut messages = Vec::new();
        messages.extend(system.map(|text| json!({ "role": "system", "content": text })));
        messages.push(json!({ "role": "user", "content": content }));
        let mut body =
            json!({ "model": self.model, "messages": messages, "max_tokens": self.max_tokens, "temperature": self.temperature });
        if self.logprobs {
            body["logprobs"] = json!(true);
            body["top_logprobs"] = json!(20);
        }
        body
    }

    fn once(&self, client: &ureq::Agent, body: &Value) -> Result<Answered, Trouble> {
        let mut response = self.send(client, body)?;
        let status = response.status().as_u16();
        let after = header(&response, "retry-after").and_then(|value| retry_after(value, SystemTime::now()));
        let text = response.body_mut().with_config().limit(LIMIT).read_to_string();
        match status {
            200 => {}
            408 | 409 | 425 | 429 | 500.. => return Err(Trouble::Passing(format!("HTTP {status}"), after)),
            _ => {
                let said: String = self.without_key(text.unwrap_or_default().trim()).chars().take(300).collect();
                return Err(Trouble::Lasting(format!("HTTP {status}: {said}"), matches!(status, 401 | 403 | 404)));
            }
        }
        let text = text.map_err(|e| Trouble::Passing(format!("{e}, expected a whole answer"), None))?;
        let completion: Completion =
            serde_json::from_str(&text).map_err(|e| Trouble::Passing(format!("{e}, expected a chat completion"), None))?;
        let choice = completion
            .choices
            .into_iter()
            .next()
            .ok_or_else(|| Trouble::Passing("an answer without choices".to_owned(), None))?;
        Ok(Answered {
            output: choice.message.content.unwrap_or_default(),
            finish_reason: choice.finish_reason,
            tokens: choice.logprobs.and_then(|l| l.content).unwrap_or_default(),
            latency: Duration::ZERO,
            attempts: 0,
        })
    }

    /// Sends the question, and again to where an answer redirects it, if that is wanted: the same question, not a
    /// request without one. The key goes to the endpoint's own server only.
    fn send(&self, client: &ureq::Agent, body: &Value) -> Result<ureq::http::Response<ureq::Body>, Trouble> {
        let first = format!("{}/chat/completions", self.url.trim_end_matches('/'));
        let mut url = first.clone();
        for _ in 0..=REDIRECTIONS {
            let mut request = client.post(&url);
            if let Some(key) = self.key.as_ref().filter(|_| origin(&url) == origin(&first)) {
                request = request.header("Authorization", format!("Bearer {key}"));
            }
            let response = request.send_json(body).map_err(|e| match e {
                ureq::Error::BadUri(_) | ureq::Error::Http(_) => Trouble::Lasting(e.to_string(), true),
                other => Trouble::Passing(other.to_string(), None),
            })?;
            let status = response.status().as_u16();
            if !(300..400).contains(&status) {
                return Ok(response);
            }
            let place = header(&response, "location").unwrap_or_default();
            let next = redirected(&url, place).filter(|_| self.follow);
            url = next.ok_or_else(|| {
                let problem = self.without_key(&format!("HTTP {status}: sends to `{place}`, which is not followed"));
                Trouble::Lasting(format!("{problem}; give the right address as option `endpoint`, or option `follow`"), true)
            })?;
        }
        Err(Trouble::Lasting(format!("more than {REDIRECTIONS} redirections"), true))
    }

    /// Some servers repeat the key in their complaint about it.
    fn without_key(&self, text: &str) -> String {
        match self.key.as_deref().filter(|k| !k.is_empty()) {
            Some(key) => text.replace(key, "***"),
            None => text.to_owned(),
        }
    }
}

/// A picture as a part of a message.
fn picture_part(kind: PictureKind, picture: &[u8]) -> Value {
    let kind = match kind {
        PictureKind::Png => "png",
        PictureKind::Jpeg => "jpeg",
        PictureKind::Webp => "webp",
    };
    let encoded = base64::engine::general_purpose::STANDARD.encode(picture);
    json!({ "type": "image_url", "image_url": { "url": format!("data:image/{kind};base64,{encoded}") } })
}

/// A header's value, if it is text.
fn header<'a>(response: &'a ureq::http::Response<ureq::Body>, name: &str) -> Option<&'a str> {
    response.headers().get(name)?.to_str().ok()
}

/// Scheme and server of an address.
fn origin(url: &str) -> &str {
    let after_scheme = url.find("://").map_or(0, |at| at + 3);
    let end = url[after_scheme..].find(['/', '?', '#']).map_or(url.len(), |at| after_scheme + at);
    &url[..end]
}

/// Where `Location` sends to: an address, or a path on the same server.
fn redirected(url: &str, place: &str) -> Option<String> {
    if place.starts_with("http://") || place.starts_with("https://") {
        Some(place.to_owned())
    } else if place.starts_with('/') && !place.starts_with("//") {
        Some(format!("{}{place}", origin(url)))
    } else {
        None
    }
}

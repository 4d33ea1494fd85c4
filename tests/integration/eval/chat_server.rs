//! A local server that speaks the chat protocol, with its faults: each request of a target gets the next of the planned
//! responses.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

/// What the server does with a request.
#[derive(Clone, Debug)]
pub enum Reply {
    /// Answers with this text.
    Say(&'static str),
    /// Answers with what the request's messages lead to.
    Answer(fn(&Value) -> String),
    /// Answers with a status and these headers, each with its line end.
    Head(u16, String),
    /// Answers with tokens of their own and log-probabilities.
    Tokens(&'static [&'static str]),
    /// Refuses with a status; 429 asks for no wait.
    Status(u16),
    /// Sends half of the JSON and ends properly.
    Truncated,
    /// Promises more bytes than it sends, and hangs up.
    CutOff,
    /// Says nothing for a time, then hangs up.
    Silence(Duration),
    /// Sends a good answer a few bytes at a time.
    Slow(&'static str),
}

/// A running server.
pub struct ChatServer {
    /// Address with `/v1`.
    pub url: String,
    /// All requests, in order of arrival.
    pub requests: Arc<Mutex<Vec<Request>>>,
}

/// A request's Authorization header and its body.
pub type Request = (Option<String>, Value);

/// Starts a server. `plan` gives the replies for a user's text, by a part of it; the last reply repeats. Other texts
/// get `default`.
pub fn serve(plan: &[(&'static str, &[Reply])], default: Reply) -> ChatServer {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let requests = Arc::new(Mutex::new(Vec::new()));
    let plan: Vec<(&str, Vec<Reply>)> = plan.iter().map(|(part, replies)| (*part, replies.to_vec())).collect();
    let counts: Arc<Mutex<HashMap<&str, usize>>> = Arc::default();
    let seen = requests.clone();
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let (plan, counts, seen, default) = (plan.clone(), counts.clone(), seen.clone(), default.clone());
            std::thread::spawn(move || {
                let Some((key, body)) = read_request(&stream) else { return };
                let content = body["messages"].as_array().unwrap().last().unwrap()["content"].as_array().unwrap();
                let text = content.last().unwrap()["text"].as_str().unwrap().to_owned();
                seen.lock().unwrap().push((key, body.clone()));
                let reply = match plan.iter().find(|(part, _)| text.contains(part)) {
                    Some((part, replies)) => {
                        let mut counts = counts.lock().unwrap();
                        let at = counts.entry(part).or_default();
                        *at += 1;
                        replies[(*at - 1).min(replies.len() - 1)].clone()
                    }
                    None => default,
                };
                // A client that has given up is no fault of the server.
                let _ = answer(stream, &reply, &body);
            });
        }
    });
    ChatServer { url, requests }
}

fn read_request(stream: &TcpStream) -> Option<(Option<String>, Value)> {
    let mut reader = BufReader::new(stream);
    let (mut length, mut key) = (0, None);
    let mut line = String::new();
    while reader.read_line(&mut line).ok()? > 2 {
        let (name, value) = line.split_once(':').unwrap_or((&line, ""));
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.trim().parse().ok()?,
            "authorization" => key = Some(value.trim().to_owned()),
            _ => {}
        }
        line.clear();
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some((key, serde_json::from_slice(&body).ok()?))
}

fn completion(text: &str, tokens: Option<&[&str]>) -> String {
    let logprobs = tokens.map(|tokens| {
        let token = |t: &&str| json!({"token": t, "logprob": -0.5, "top_logprobs": [{"token": t, "logprob": -0.5}, {"token": "4", "logprob": -3.0}]});
        json!({ "content": tokens.iter().map(token).collect::<Vec<_>>() })
    });
    json!({"choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": "stop", "logprobs": logprobs}]})
        .to_string()
}

fn answer(mut stream: TcpStream, reply: &Reply, request: &Value) -> std::io::Result<()> {
    let head = |status: u16, length: usize| {
        format!(
            "HTTP/1.1 {status} x\r\nContent-Type: application/json\r\nContent-Length: {length}\r\nRetry-After: 0\r\nConnection: close\r\n\r\n"
        )
    };
    match reply {
        Reply::Say(text) => {
            let body = completion(text, None);
            stream.write_all(format!("{}{body}", head(200, body.len())).as_bytes())
        }
        Reply::Answer(says) => {
            let body = completion(&says(&request["messages"]), None);
            stream.write_all(format!("{}{body}", head(200, body.len())).as_bytes())
        }
        Reply::Head(status, headers) => {
            stream.write_all(format!("HTTP/1.1 {status} x\r\n{headers}Content-Length: 0\r\nConnection: close\r\n\r\n").as_bytes())
        }
        Reply::Tokens(tokens) => {
            let body = completion(&tokens.concat(), Some(tokens));
            stream.write_all(format!("{}{body}", head(200, body.len())).as_bytes())
        }
        Reply::Status(status) => {
            let body = "{\"error\": \"the key sk-secret is no good\"}";
            stream.write_all(format!("{}{body}", head(*status, body.len())).as_bytes())
        }
        Reply::Truncated => {
            let body = &completion("[1, 2]", None)[..30];
            stream.write_all(format!("{}{body}", head(200, body.len())).as_bytes())
        }
        Reply::CutOff => stream.write_all(format!("{}{{\"choices\"", head(200, 500)).as_bytes()),
        Reply::Silence(time) => {
            std::thread::sleep(*time);
            Ok(())
        }
        Reply::Slow(text) => {
            let body = completion(text, None);
            stream.write_all(head(200, body.len()).as_bytes())?;
            for part in body.as_bytes().chunks(8) {
                stream.write_all(part)?;
                stream.flush()?;
                std::thread::sleep(Duration::from_millis(5));
            }
            Ok(())
        }
    }
}

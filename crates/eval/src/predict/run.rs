//! All questions about a dataset to an endpoint, several at a time.

#![allow(clippy::disallowed_methods, reason = "pacing of requests; nothing here reaches a scene")]

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use windesk_files::PictureKind;
use windesk_model::Error;

use super::ask::{Answered, Endpoint, Failed, Waiting};
use super::digits::key_digits;
use super::{OutputFile, Prompt, Recorded};
use crate::parse::parse;
use crate::predictions::Question;

/// How to run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunOptions {
    /// Questions under way at once.
    pub concurrency: usize,
    /// Most questions begun per second.
    pub rate: Option<f64>,
    /// Ask only so many of those that are open.
    pub limit: Option<usize>,
}

/// What asking came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answers {
    /// Answers written now.
    pub answered: u64,
    /// Targets that were not answered: they stay open for the next run.
    pub failed: u64,
    /// The first few problems, by target.
    pub problems: Vec<String>,
}

const EXAMPLES: usize = 5;

/// Hears how a run goes on, from several threads.
pub trait Listener: Sync {
    /// A target was settled.
    fn settled(&self);
    /// Something that a user would want to know: a long wait, and why.
    fn tell(&self, text: &str);
}

/// A question as it is sent.
#[derive(Clone, Debug)]
pub struct Message {
    /// Pictures, each a whole file; the last one is what the answer is about.
    pub pictures: Vec<(PictureKind, Vec<u8>)>,
    /// Size of the last one.
    pub size: [u32; 2],
    /// System message.
    pub system: Option<String>,
    /// User message.
    pub user: String,
}

/// The questions about a dataset, numbered from 0.
pub trait Questions: Sync {
    /// How many there are.
    fn count(&self) -> usize;

    /// What a line of predictions calls one: the id of a target, or that of a task and the number of its step.
    fn name(&self, question: usize) -> (&str, Option<u32>);

    /// Which of the two questions about a state one is; null about anything else.
    fn question(&self, _question: usize) -> Option<Question> {
        None
    }

    /// What is sent.
    ///
    /// # Errors
    /// If a picture can't be read.
    fn message(&self, question: usize) -> Result<Message, Error>;
}

struct Shared<'a> {
    file: Mutex<(&'a mut OutputFile, Answers, Option<Error>)>,
    next: AtomicUsize,
    stop: AtomicBool,
    next_start: Mutex<Instant>,
    /// Until when waits are known to the user.
    told_until: Mutex<Instant>,
}

/// Asks every question that the file does not answer yet; the prompt says how answers are read.
///
/// # Errors
/// If the file can't be written, a picture can't be read, or the endpoint refuses all questions.
pub fn predict_by_endpoint(
    questions: &dyn Questions,
    endpoint: &Endpoint,
    prompt: &Prompt,
    options: RunOptions,
    file: &mut OutputFile,
    listener: &dyn Listener,
) -> Result<Answers, Error> {
    let is_open = |&question: &usize| {
        let (id, step) = questions.name(question);
        !file.answers(id, step)
    };
    let open: Vec<usize> = (0..questions.count()).filter(is_open).take(options.limit.unwrap_or(usize::MAX)).collect();
    let shared = Shared {
        file: Mutex::new((file, Answers::default(), None)),
        next: AtomicUsize::new(0),
        stop: AtomicBool::new(false),
        next_start: Mutex::new(Instant::now()),
        told_until: Mutex::new(Instant::now()),
    };
    let client = endpoint.client();
    // One of many questions that wait for the same reason speaks for all.
    let tell = |text: String, time: Duration| {
        let mut told_until = shared.told_until.lock().expect("no thread panics while it tells");
        if Instant::now() >= *told_until {
            *told_until = Instant::now() + time;
            listener.tell(&text);
        }
    };
    let waiting = Waiting { stop: &shared.stop, tell: &tell };
    std::thread::scope(|scope| {
        for _ in 0..options.concurrency.clamp(1, open.len().max(1)) {
            scope.spawn(|| {
                while let Some(&question) = open.get(shared.next.fetch_add(1, Ordering::Relaxed)) {
                    if shared.stop.load(Ordering::Relaxed) {
                        break;
                    }
                    wait_for_turn(&shared.next_start, options.rate);
                    let line = ask_one(questions, endpoint, &client, prompt, question, &waiting);
                    shared.settle(questions.name(question), line);
                    listener.settled();
                }
            });
        }
    });
    let (_, progress, error) = shared.file.into_inner().expect("no thread panics while it writes");
    match error {
        Some(error) => Err(error),
        None => Ok(progress),
    }
}

enum Unanswered {
    Picture(Error),
    Model(Failed),
}

impl Shared<'_> {
    fn settle(&self, (id, step): (&str, Option<u32>), line: Result<Recorded, Unanswered>) {
        let mut held = self.file.lock().expect("no thread panics while it writes");
        let (file, progress, error) = &mut *held;
        let written = match line {
            Ok(line) => file.write(&line).map(|()| progress.answered += 1),
            Err(Unanswered::Picture(e)) => Err(e),
            Err(Unanswered::Model(failed)) if failed.hopeless => Err(Error::at("endpoint", &failed.problem)),
            Err(Unanswered::Model(failed)) => {
                progress.failed += 1;
                if progress.problems.len() < EXAMPLES {
                    let step = step.map(|step| format!(", step {step}")).unwrap_or_default();
                    progress.problems.push(format!("{id}{step}: {failed}"));
                }
                Ok(())
            }
        };
        if let Err(e) = written {
            self.stop.store(true, Ordering::Relaxed);
            error.get_or_insert(e);
        }
    }
}

/// Spaces the beginnings of questions evenly.
fn wait_for_turn(next_start: &Mutex<Instant>, rate: Option<f64>) {
    let Some(rate) = rate else { return };
    let start = {
        let mut next = next_start.lock().expect("no thread panics while it waits");
        let start = (*next).max(Instant::now());
        *next = start + Duration::from_secs_f64(1.0 / rate);
        start
    };
    std::thread::sleep(start.saturating_duration_since(Instant::now()));
}

fn ask_one(
    questions: &dyn Questions,
    endpoint: &Endpoint,
    client: &ureq::Agent,
    prompt: &Prompt,
    question: usize,
    waiting: &Waiting<'_>,
) -> Result<Recorded, Unanswered> {
    let (id, step) = questions.name(question);
    let Message { pictures, size, system, user } = questions.message(question).map_err(Unanswered::Picture)?;
    let Answered { output, finish_reason, tokens, latency, attempts } =
        endpoint.ask(client, system.as_deref(), &user, &pictures, waiting).map_err(Unanswered::Model)?;
    let parsed = parse(&output, &prompt.coords, size);
    let digits = parsed.as_ref().ok().and_then(|answer| key_digits(&tokens, answer, &prompt.coords, size));
    let asked = questions.question(question);
    Ok(Recorded {
        id: id.to_owned(),
        step: step.filter(|_| asked.is_none()),
        question: asked,
        coords: Some(prompt.coords.name().to_owned()),
        output: Some(output),
        reason: parsed.as_ref().err().map(|r| r.name()),
        parsed: parsed.ok(),
        prompt: Some(user),
        finish_reason,
        latency_ms: Some(latency.as_millis() as u64),
        attempts: Some(attempts),
        digits,
        token_logprobs: (!tokens.is_empty()).then(|| tokens.iter().map(|t| t.logprob).collect()),
        ..Recorded::default()
    })
}

//! The file of predictions while it is being written: what is in it already, and one line after another.

use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use windesk_files::{Durability, lock_file};
use windesk_model::Error;

use crate::lines::next_line;
use crate::parse::Answer;
use crate::predictions::{Digits, Header, Question};

/// A line of predictions as this program writes it. `windesk eval` reads `output` anew; `parsed` is for people.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[allow(missing_docs, reason = "docs/evaluation.md describes the fields")]
pub struct Recorded {
    pub id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub question: Option<Question>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub point: Option<[f64; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drag: Option<[[f64; 2]; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refusal: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coords: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parsed: Option<Answer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finish_reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub latency_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attempts: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digits: Option<Digits>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token_logprobs: Option<Vec<f64>>,
}

/// An open file of predictions, which no other process writes to meanwhile.
#[derive(Debug)]
pub struct OutputFile {
    path: PathBuf,
    file: File,
    durability: Durability,
    synced: Instant,
    /// Whether this run began it, and if so whether there was a file of nothing.
    begun: Option<Begun>,
    /// Whether this run wrote an answer.
    has_answers: bool,
    /// Questions that it answers already: ids, and steps of tasks or the numbers of a state's questions.
    done: HashSet<(String, Option<u32>)>,
}

/// How a run began a file of predictions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Begun {
    New,
    /// In a file that was there, without a prediction.
    Empty,
}

/// How long answers may lie in memory alone, where a power cut takes them: what each is worth differs, what it costs to
/// wait for the disk does not.
const UNSYNCED: Duration = Duration::from_secs(1);

#[derive(Default, Deserialize)]
struct KnownLine {
    header: Option<Header>,
    id: Option<String>,
    step: Option<u32>,
    question: Option<Question>,
}

/// Whether there is nothing on a line but blanks, or the zeros that a power cut leaves.
fn is_blank(line: &[u8]) -> bool {
    line.iter().all(|&b| b == 0 || b.is_ascii_whitespace())
}

impl OutputFile {
    /// Opens a file, or begins one with the header. A last line that was cut off or torn is dropped.
    ///
    /// # Errors
    /// If it can't be written, another process is writing to it, or it holds predictions under another header: other
    /// model, dataset or prompt.
    pub fn open(path: &Path, header: &Header, durability: Durability) -> Result<Self, Error> {
        let failed = |e: std::io::Error| Error::path(path, e);
        if std::fs::metadata(path).is_ok_and(|known| !known.is_file()) {
            // A device would be read without end for what it answers already.
            return Err(Error::path(path, "found no regular file, expected a file of predictions or none yet"));
        }
        let was_there = path.exists();
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(failed)?;
        lock_file(&file, path, "file")?;
        let begin = format!("{}\n", serde_json::json!({ "header": header }));
        let (mut done, mut found) = (HashSet::new(), None);
        // Bytes of whole lines, and whether the last of them has its line feed.
        let (mut whole, mut is_ended) = (0, true);
        let mut lines = BufReader::new(&file);
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            let hinted = |problem: Error| problem.with_hint("give another option `out`");
            if !next_line(&mut lines, &mut line, path, number).map_err(hinted)? {
                break;
            }
            let is_last = lines.fill_buf().map_err(failed)?.is_empty();
            let known = match serde_json::from_slice::<KnownLine>(&line) {
                Ok(known) => known,
                Err(_) if line.trim_ascii().is_empty() && !is_last => KnownLine::default(),
                // A cut or a kill tears the end of a file, and of none but ours: the last line of another is
                // somebody's.
                Err(_) if is_last && (found.is_some() || begin.as_bytes().starts_with(&line) || is_blank(&line)) => break,
                Err(e) => return Err(hinted(Error::line(path, number, format!("{e}, expected a prediction")))),
            };
            found = found.or(known.header);
            done.extend(known.id.map(|id| (id, known.step.or(known.question.map(Question::number)))));
            whole += line.len() as u64;
            is_ended = line.ends_with(b"\n");
        }
        file.set_len(whole).map_err(failed)?;
        if !is_ended {
            // All of an answer but for its line feed.
            file.write_all(b"\n").map_err(failed)?;
        }
        #[allow(clippy::disallowed_methods, reason = "when to wait for the disk reaches no answer")]
        let synced = Instant::now();
        let mut output = Self { path: path.to_owned(), file, durability, synced, begun: None, has_answers: false, done };
        match found {
            Some(found) if found == *header => {}
            None if output.done.is_empty() => {
                output.append(begin.as_bytes())?;
                output.begun = Some(if was_there { Begun::Empty } else { Begun::New });
                output.finish()?;
                let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
                durability.sync_folder(folder.unwrap_or(Path::new(".")))?;
            }
            _ => {
                return Err(Error::path(path, "holds predictions of another model, dataset or prompt")
                    .with_hint("give another option `out`"));
            }
        }
        Ok(output)
    }

    /// Whether it answers a question already: a target by its id, a step of a task, or a question about a state by its
    /// number.
    pub fn answers(&self, id: &str, step: Option<u32>) -> bool {
        self.done.contains(&(id.to_owned(), step))
    }

    /// How many questions it answers already.
    pub fn answered(&self) -> usize {
        self.done.len()
    }

    /// Writes a line at once, so that an interrupted run keeps it; it is on the disk a second later.
    ///
    /// # Errors
    /// If the disk does not take it.
    pub fn write(&mut self, line: &Recorded) -> Result<(), Error> {
        let text = serde_json::to_string(line).expect("plain data") + "\n";
        self.append(text.as_bytes())?;
        self.has_answers = true;
        if self.synced.elapsed() < UNSYNCED { Ok(()) } else { self.finish() }
    }

    /// Waits until all lines are on the disk.
    ///
    /// # Errors
    /// If the disk does not take them.
    pub fn finish(&mut self) -> Result<(), Error> {
        if self.durability == Durability::Synced {
            self.file.sync_data().map_err(|e| Error::io(&self.path, e))?;
        }
        #[allow(clippy::disallowed_methods, reason = "when to wait for the disk reaches no answer")]
        let now = Instant::now();
        self.synced = now;
        Ok(())
    }

    /// Ends a run with what it came to. If it was refused before it wrote an answer, what opening the file began is
    /// taken back: what was refused leaves nothing.
    ///
    /// # Errors
    /// That of the run, or if the disk does not take what was written, or does not let go of it.
    pub fn conclude<T>(mut self, done: Result<T, Error>) -> Result<T, Error> {
        match done {
            Ok(done) => self.finish().map(|()| done),
            Err(refused) => self.withdraw().and(Err(refused)),
        }
    }

    fn withdraw(self) -> Result<(), Error> {
        match self.begun {
            Some(Begun::New) if !self.has_answers => std::fs::remove_file(&self.path),
            Some(Begun::Empty) if !self.has_answers => self.file.set_len(0),
            _ => Ok(()),
        }
        .map_err(|e| Error::io(&self.path, e))
    }

    /// Appends a line in one write: no other line can come to lie within it.
    fn append(&mut self, line: &[u8]) -> Result<(), Error> {
        let failed = |e: std::io::Error| Error::io(&self.path, e);
        let written = self.file.write(line).map_err(failed)?;
        if written == line.len() {
            return Ok(());
        }
        // A disk that is nearly full takes a part. The rest tells why; what was taken is no line.
        let error = self.file.write_all(&line[written..]).err();
        let Some(error) = error else { return Ok(()) };
        let length = self.file.metadata().map_err(failed)?.len();
        let _ = self.file.set_len(length.saturating_sub(written as u64));
        Err(failed(error))
    }
}

//! The file of flags (`windesk.toml`), and `windesk config`, which says where every value comes from.
//!
//! One rule of precedence: what was typed, then the file's table of the command, then its table `all`, then the
//! environment (of flags that have a variable), then the default. What the file says is put among the arguments before
//! they are parsed, so that it means exactly what the same flags would.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, CommandFactory};
use toml::{Table, Value};

use windesk_files::{MAX_WHOLE_BYTES, read_named};
use windesk_model::Error;
use windesk_model::spelling::nearest;

use super::{Cli, Done};

/// The file that is read where none is named.
const DEFAULT_FILE: &str = "windesk.toml";
/// The table whose keys count for every command that has such a flag.
const ALL: &str = "all";

/// Flags of `windesk config`.
#[derive(Debug, Args)]
#[command(
    after_help = "Precedence: the command line, the file's table for the command, its table `all`, the environment, the default.

Examples:
  windesk config synth --level L4
  windesk --config nightly.toml config sweep occlusion --n 200"
)]
pub(super) struct ConfigArgs {
    /// A command and its arguments, as on the command line.
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// Options of `predict` that say where pictures and keys go. A file that merely lies in the folder, which may be a
/// stranger's, can't set them.
const SENT: [&str; 3] = ["endpoint", "key-env", "follow"];

/// A file of flags: tables by command.
struct FlagFile {
    path: PathBuf,
    /// Whether the user named it, rather than its being found.
    named: bool,
    tables: Table,
}

/// Where a value comes from.
enum Origin<'a> {
    Typed,
    File(&'a str),
    Environment(&'a str),
    Default,
}

/// The arguments with those of the file added. Arguments that can't be parsed come back as they are: clap's own message
/// is the best.
pub(super) fn complete(args: Vec<OsString>) -> Result<Vec<OsString>, Error> {
    let Some((matches, Some(file))) = read(&args)? else { return Ok(args) };
    let cli = Cli::command();
    let Some(Asked { table, command, typed, depth }) = asked(&cli, &matches) else { return Ok(args) };
    let is_typed = |arg: &Arg| typed.value_source(arg.get_id().as_str()) == Some(ValueSource::CommandLine);
    let mut added = Vec::new();
    for arg in flags(command) {
        // What was typed counts, and so does what was typed in place of it.
        let excludes = |other: &&Arg| command.get_arg_conflicts_with(other).iter().any(|c| c.get_id() == arg.get_id());
        let key = arg.get_long().unwrap_or_default();
        if !is_typed(arg)
            && !command.get_arguments().filter(excludes).any(is_typed)
            && let Some((table, value)) = file.value(table, key)
        {
            added.extend(as_arguments(&file, table, arg, value)?);
        }
    }
    if !added.is_empty() {
        tell!("config: {}", file.path.display());
    }
    // Behind the last of the command's names.
    let (mut at, mut matches) = (0, &matches);
    for _ in 0..depth {
        let Some((name, inner)) = matches.subcommand() else { break };
        at += args[at..].iter().position(|arg| *arg == *name).map_or(args.len() - at, |found| found + 1);
        matches = inner;
    }
    let (before, after) = args.split_at(at);
    Ok(before.iter().cloned().chain(added).chain(after.iter().cloned()).collect())
}

/// The command that was asked for.
struct Asked<'a> {
    /// The file's table for it: its first name.
    table: &'a str,
    command: &'a Command,
    typed: &'a ArgMatches,
    /// Of how many names it consists.
    depth: usize,
}

/// The innermost command that the arguments name.
fn asked<'a>(cli: &'a Command, matches: &'a ArgMatches) -> Option<Asked<'a>> {
    let (table, typed) = matches.subcommand()?;
    let mut asked = Asked { table, command: cli.find_subcommand(table)?, typed, depth: 1 };
    while let Some((name, typed)) = asked.typed.subcommand() {
        asked = Asked { command: asked.command.find_subcommand(name)?, typed, depth: asked.depth + 1, ..asked };
    }
    Some(asked)
}

/// Parses leniently, and reads the file that counts.
fn read(args: &[OsString]) -> Result<Option<(ArgMatches, Option<FlagFile>)>, Error> {
    let lenient = Cli::command().ignore_errors(true).try_get_matches_from(args);
    let Ok(matches) = lenient else { return Ok(None) };
    let named = matches.get_one::<PathBuf>("config").cloned();
    let file = match named {
        Some(path) => Some(FlagFile::read(&path, true)?),
        None if Path::new(DEFAULT_FILE).is_file() => Some(FlagFile::read(Path::new(DEFAULT_FILE), false)?),
        None => None,
    };
    if let (Some(file), Some(("predict", typed))) = (&file, matches.subcommand()) {
        file.check_sent(typed)?;
    }
    Ok(Some((matches, file)))
}

/// Flags that a file may set: those with a long name and a value of their own.
fn flags(command: &Command) -> impl Iterator<Item = &Arg> {
    let own = |arg: &&Arg| !["help", "version", "config"].contains(&arg.get_id().as_str());
    command.get_arguments().filter(|arg| arg.get_long().is_some()).filter(own)
}

/// The same of a command and all commands below it.
fn all_flags(command: &Command) -> Vec<&Arg> {
    flags(command).chain(command.get_subcommands().flat_map(all_flags)).collect()
}

impl FlagFile {
    fn read(path: &Path, named: bool) -> Result<Self, Error> {
        let place = path.display().to_string();
        let unfit = |found: String| Error::config(&place, format!("{found}, expected a readable file of flags"));
        let text = read_named(path, MAX_WHOLE_BYTES).map_err(|e| unfit(e.found))?;
        let text = String::from_utf8(text).map_err(|e| unfit(e.to_string()))?;
        let tables: Table = text.parse().map_err(|e: toml::de::Error| Error::config(&place, e.to_string().trim_end()))?;
        let file = Self { path: path.to_owned(), named, tables };
        file.check()?;
        Ok(file)
    }

    /// A file that was found sets none of the options that say where keys go, unless what was typed counts instead.
    fn check_sent(&self, typed: &ArgMatches) -> Result<(), Error> {
        let counts = |flag: &&&str| typed.value_source(&flag.replace('-', "_")) != Some(ValueSource::CommandLine);
        for flag in SENT.iter().filter(|_| !self.named).filter(counts) {
            if let Some((table, value)) = self.value("predict", flag) {
                let table = if table.is_empty() { "predict" } else { table };
                let place = format!("{}: [{table}] {flag}", self.path.display());
                return Err(Error::config(place, format!("found {value} in a file that was not named, expected none"))
                    .with_hint(format!("if you trust it, name it: --config {}", self.path.display())));
            }
        }
        Ok(())
    }

    /// Every table must be one of a command, and every key one of its flags.
    fn check(&self) -> Result<(), Error> {
        let cli = Cli::command();
        let commands: Vec<&Command> = cli.get_subcommands().collect();
        let bad = |what: String, problem: &str, near: Option<&str>| {
            let error = Error::config(format!("{}: {what}", self.path.display()), problem);
            match near {
                Some(near) => error.with_hint(format!("did you mean `{near}`?")),
                None => error,
            }
        };
        for (name, value) in &self.tables {
            let names = || commands.iter().map(|c| c.get_name()).chain([ALL]);
            if !names().any(|known| known == name) {
                return Err(bad(format!("`{name}`"), "expected the name of a command, or `all`", nearest(name, names())));
            }
            let Value::Table(table) = value else {
                return Err(bad(format!("`{name}`"), "expected a table, such as [synth]", None));
            };
            let of_table = |c: &&&Command| name == ALL || c.get_name() == name;
            let known: Vec<&str> =
                commands.iter().filter(of_table).flat_map(|c| all_flags(c)).filter_map(|arg| arg.get_long()).collect();
            for key in table.keys() {
                let flag = key.replace('_', "-");
                if !known.contains(&flag.as_str()) {
                    return Err(bad(format!("[{name}] {key}"), "no such option", nearest(&flag, known.iter().copied())));
                }
            }
        }
        Ok(())
    }

    /// The value of a flag for a command, and the table that it stands in.
    fn value(&self, command: &str, flag: &str) -> Option<(&'static str, &Value)> {
        let in_table = |name: &str| {
            let table = self.tables.get(name)?.as_table()?;
            table.get(flag).or_else(|| table.get(&flag.replace('-', "_")))
        };
        in_table(command).map(|value| ("", value)).or_else(|| in_table(ALL).map(|value| (ALL, value)))
    }
}

/// A file's value as one would type it.
fn as_arguments(file: &FlagFile, table: &str, arg: &Arg, value: &Value) -> Result<Vec<OsString>, Error> {
    let flag = arg.get_long().unwrap_or_default();
    let place = || format!("{}: {table}{}{flag}", file.path.display(), if table.is_empty() { "" } else { "." });
    let switch = matches!(arg.get_action(), ArgAction::SetTrue);
    let scalar = |value: &Value| match value {
        Value::String(text) => Ok(format!("--{flag}={text}").into()),
        Value::Integer(_) | Value::Float(_) => Ok(format!("--{flag}={value}").into()),
        other => Err(Error::config(place(), format!("found {other}, expected a number or a string"))),
    };
    match value {
        Value::Boolean(true) if switch => Ok(vec![format!("--{flag}").into()]),
        Value::Boolean(false) if switch => Ok(Vec::new()),
        other if switch => Err(Error::config(place(), format!("found {other}, expected true or false"))),
        Value::Array(items) if matches!(arg.get_action(), ArgAction::Append) => items.iter().map(scalar).collect(),
        Value::Array(_) => Err(Error::config(place(), "found a list, expected one value")),
        other => Ok(vec![scalar(other)?]),
    }
}

/// What the environment says of a flag.
fn environment_value(arg: &Arg) -> Option<String> {
    std::env::var(arg.get_env()?).ok()
}

/// Runs `windesk config`: prints a file of flags that gives what was typed, with the origin of every value.
pub(super) fn config(args: &ConfigArgs, file: Option<&Path>) -> anyhow::Result<Done> {
    let mut line: Vec<OsString> = vec!["windesk".into()];
    line.extend(file.into_iter().flat_map(|path| ["--config".into(), path.as_os_str().to_owned()]));
    line.extend(args.command.iter().cloned());
    let name = args.command[0].to_string_lossy();
    let cli = Cli::command();
    if cli.find_subcommand(&*name).is_none() {
        let names = cli.get_subcommands().map(Command::get_name);
        let error = Error::config(format!("config {name}"), "expected the name of a command");
        return Err(match nearest(&name, names) {
            Some(near) => error.with_hint(format!("did you mean {near}?")),
            None => error,
        }
        .into());
    }
    let parsed = read(&line)?;
    let asked = parsed.as_ref().and_then(|(matches, _)| asked(&cli, matches));
    let (Some((_, file)), Some(Asked { table: name, command, typed, .. })) = (&parsed, asked) else {
        anyhow::bail!("config {name}: can't be parsed; `windesk {name} --help` lists its options");
    };
    data!("# command line > [{name}] of the file > [{ALL}] of the file > environment > defaults");
    data!("# file: {}\n[{name}]", file.as_ref().map_or("none".to_owned(), |f| f.path.display().to_string()));
    for arg in flags(command) {
        let key = arg.get_long().unwrap_or_default();
        match value_of(arg, typed, file.as_ref(), name) {
            Some((value, Origin::Typed)) => data!("{key} = {value}  # command line"),
            Some((value, Origin::File(""))) => data!("{key} = {value}  # file, [{name}]"),
            Some((value, Origin::File(table))) => data!("{key} = {value}  # file, [{table}]"),
            Some((value, Origin::Environment(name))) => data!("{key} = {value}  # environment, {name}"),
            Some((value, Origin::Default)) => data!("{key} = {value}  # default"),
            None => data!("# {key} is not set"),
        }
    }
    Ok(Done::Clean)
}

/// A flag's value as TOML, and where it comes from.
fn value_of<'a>(arg: &'a Arg, typed: &ArgMatches, file: Option<&'a FlagFile>, command: &str) -> Option<(String, Origin<'a>)> {
    let id = arg.get_id().as_str();
    let switch = matches!(arg.get_action(), ArgAction::SetTrue);
    let as_toml = |text: String| match text.parse::<i64>() {
        Ok(number) => number.to_string(),
        Err(_) => Value::String(text).to_string(),
    };
    if typed.value_source(id) == Some(ValueSource::CommandLine) {
        if switch {
            return Some((typed.get_flag(id).to_string(), Origin::Typed));
        }
        let texts: Vec<String> =
            typed.get_raw(id).into_iter().flatten().map(|v| as_toml(v.to_string_lossy().into_owned())).collect();
        let list = matches!(arg.get_action(), ArgAction::Append);
        return Some((if list { format!("[{}]", texts.join(", ")) } else { texts.join("") }, Origin::Typed));
    }
    if let Some((table, value)) = file.and_then(|f| f.value(command, arg.get_long()?)) {
        return Some((value.to_string(), Origin::File(table)));
    }
    if switch {
        return Some(("false".to_owned(), Origin::Default));
    }
    if let (Some(name), Some(value)) = (arg.get_env().and_then(|name| name.to_str()), environment_value(arg)) {
        return Some((as_toml(value), Origin::Environment(name)));
    }
    let default = arg.get_default_values().first()?;
    Some((as_toml(default.to_string_lossy().into_owned()), Origin::Default))
}

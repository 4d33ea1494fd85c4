//! Which options are for which protocols. One that says nothing to the protocol is refused: whoever gives it expects
//! another score.

use clap::ArgMatches;
use clap::ValueEnum;
use clap::parser::ValueSource;

use windesk_model::Error;

use super::EvalProtocol::{self, Click, Confidence, Episode, Icons, Sequence, State};

/// By their names in the code; all others are for every protocol.
const OF_PROTOCOLS: [(&str, &[EvalProtocol]); 18] = [
    ("failures", &[Click]),
    ("targets", &[Click, Icons, Confidence]),
    ("coords", &[Click, Icons, Confidence, Sequence, State]),
    ("refusals", &[Click, Icons, Confidence]),
    ("tau", &[Icons, Confidence]),
    ("tau_unit", &[Icons, Confidence]),
    ("variant", &[Icons, Confidence]),
    ("pss_norm", &[Confidence]),
    ("pss_c", &[Confidence]),
    ("pss_as_printed", &[Confidence]),
    ("published_code", &[Sequence, State]),
    ("asked", &[Sequence]),
    ("tolerance", &[Sequence]),
    ("other_actions", &[Sequence]),
    ("image_sizes", &[Sequence]),
    ("budget", &[Episode]),
    ("box_format", &[Click, Icons, Confidence]),
    ("image_size", &[Click, Icons, Confidence, Sequence]),
];

/// Those of these options that were typed, or stand in an option file.
pub(in crate::cli) fn given(typed: &ArgMatches) -> Vec<String> {
    let is_given = |name: &&str| typed.value_source(name) == Some(ValueSource::CommandLine);
    OF_PROTOCOLS.iter().map(|(name, _)| *name).filter(is_given).map(str::to_owned).collect()
}

/// # Errors
/// If one of them is for other protocols alone.
pub(super) fn check(given: &[String], protocol: EvalProtocol) -> Result<(), Error> {
    let name_of = |protocol: &EvalProtocol| protocol.to_possible_value().expect("no protocol is hidden").get_name().to_owned();
    for (option, protocols) in OF_PROTOCOLS {
        if given.iter().any(|name| name == option) && !protocols.contains(&protocol) {
            let fitting = protocols.iter().map(name_of).collect::<Vec<_>>().join(" or ");
            let problem = format!("found --protocol {}, expected --protocol {fitting}", name_of(&protocol));
            return Err(Error::config(format!("--{}", option.replace('_', "-")), problem));
        }
    }
    Ok(())
}

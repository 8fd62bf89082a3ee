//! Pairs every `--output` with the `--format` before it.

use std::path::{Path, PathBuf};

use clap::ArgMatches;
use resourcesync::report::Format;

use super::output::Output;
use crate::error::CliError;

/// The requested reports: files first, standard output last.
pub(crate) fn pair(matches: &ArgMatches) -> Result<Vec<Output>, CliError> {
    let formats = places::<Format>(matches, "format");
    let outputs = places::<PathBuf>(matches, "output");
    arrange(&formats, &outputs)
}

/// The values of an option with their positions on the command line.
fn places<T: Clone + Send + Sync + 'static>(matches: &ArgMatches, name: &str) -> Vec<(usize, T)> {
    let places = matches.indices_of(name).into_iter().flatten();
    places.zip(matches.get_many::<T>(name).into_iter().flatten().cloned()).collect()
}

fn arrange(formats: &[(usize, Format)], outputs: &[(usize, PathBuf)]) -> Result<Vec<Output>, CliError> {
    let mut arranged: Vec<Output> = formats.iter().map(|(_, format)| Output { format: *format, file: None }).collect();
    let mut is_there = vec![false; arranged.len()];
    for (place, file) in outputs {
        let shown = file.display();
        let before = formats.iter().filter(|(own, _)| own < place).count();
        let Some((output, is_there)) =
            before.checked_sub(1).and_then(|at| Some((arranged.get_mut(at)?, is_there.get_mut(at)?)))
        else {
            return Err(
                format!("--output {shown} has no --format before it; use e.g. --format json --output {shown}").into()
            );
        };
        if std::mem::replace(is_there, true) {
            return Err(format!(
                "--format {} has two outputs; repeat --format before --output {shown}",
                output.format.as_str()
            )
            .into());
        }
        output.file = (file != Path::new("-")).then(|| file.clone());
    }
    let (mut files, mut stdout): (Vec<_>, Vec<_>) = arranged.into_iter().partition(|output| output.file.is_some());
    if let [one, other, ..] = stdout.as_slice() {
        let (one, other) = (one.format.as_str(), other.format.as_str());
        return Err(
            format!("{one} and {other} would both go to standard output; add an --output to one of them").into()
        );
    }
    if stdout.is_empty() {
        stdout.push(Output { format: Format::Text, file: None });
    }
    let twice =
        files.iter().enumerate().find(|(at, output)| files.iter().take(*at).any(|other| other.file == output.file));
    if let Some((_, Output { file: Some(file), .. })) = twice {
        return Err(format!("two reports would go to {}", file.display()).into());
    }
    files.append(&mut stdout);
    Ok(files)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn said(formats: &[(usize, Format)], outputs: &[(usize, &str)]) -> Result<String, String> {
        let outputs: Vec<_> = outputs.iter().map(|(place, file)| (*place, PathBuf::from(file))).collect();
        let name = |output: &Output| {
            format!("{}>{}", output.format.as_str(), output.file.as_ref().map_or("-", |file| file.to_str().unwrap()))
        };
        let arranged = arrange(formats, &outputs).map_err(|error| error.to_string())?;
        Ok(arranged.iter().map(name).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn each_output_belongs_to_the_format_before_it() {
        let (json, sarif) = (Format::Json, Format::Sarif);
        assert_eq!(said(&[], &[]).unwrap(), "text>-");
        assert_eq!(said(&[(1, json)], &[]).unwrap(), "json>-");
        assert_eq!(said(&[(1, json)], &[(3, "a")]).unwrap(), "json>a text>-");
        assert_eq!(said(&[(1, json), (3, sarif)], &[(5, "a")]).unwrap(), "sarif>a json>-");
        assert_eq!(said(&[(1, json), (5, sarif)], &[(3, "a"), (7, "b")]).unwrap(), "json>a sarif>b text>-");
        assert_eq!(said(&[(1, json)], &[(3, "-")]).unwrap(), "json>-");
    }

    #[test]
    fn what_has_no_meaning_is_refused() {
        let (json, sarif) = (Format::Json, Format::Sarif);
        assert!(said(&[], &[(1, "a")]).unwrap_err().contains("no --format before it"));
        assert!(said(&[(3, json)], &[(1, "a")]).unwrap_err().contains("no --format before it"));
        assert!(said(&[(1, json)], &[(3, "a"), (5, "b")]).unwrap_err().contains("two outputs"));
        assert!(said(&[(1, json), (3, sarif)], &[]).unwrap_err().contains("both go to standard output"));
        assert!(said(&[(1, json), (5, sarif)], &[(3, "a"), (7, "a")]).unwrap_err().contains("two reports"));
    }
}

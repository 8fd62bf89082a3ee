//! Arguments that are made from the declarations of the options of a run.

use std::marker::PhantomData;

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, builder::PossibleValuesParser};
use resourcesync_sync::destination::{OPTIONS, Setting, Settings, Takes};

use super::values;
use crate::error::CliError;

/// A part of the options.
pub(crate) trait Part {
    /// True if an option belongs to it.
    fn has(option: &Setting) -> bool;

    /// Adapts an argument to the subcommand.
    fn adapt(arg: Arg) -> Arg {
        arg
    }
}

/// All options.
#[derive(Debug)]
pub(crate) struct All;

impl Part for All {
    fn has(_: &Setting) -> bool {
        true
    }
}

/// Which of the listed resources are meant.
#[derive(Debug)]
pub(crate) struct Selected;

impl Part for Selected {
    fn has(option: &Setting) -> bool {
        ["include", "exclude", "type", "collection", "max-length"].contains(&option.name)
    }
}

/// The given options of a part.
#[derive(Debug)]
pub(crate) struct Declared<P> {
    given: Vec<(&'static Setting, Vec<String>)>,
    part: PhantomData<P>,
}

impl<P: Part> Declared<P> {
    /// What they set.
    pub(crate) fn settings(&self) -> Result<Settings, CliError> {
        let mut settings = Settings::default();
        for (option, texts) in &self.given {
            for text in texts {
                set(option, &mut settings, text).map_err(|why| format!("--{}: {why}", option.name))?;
            }
        }
        Ok(settings)
    }

    fn options() -> impl Iterator<Item = &'static Setting> {
        OPTIONS.iter().filter(|option| P::has(option))
    }
}

impl<P: Part> Args for Declared<P> {
    fn augment_args(command: Command) -> Command {
        command.args(Self::options().map(|option| P::adapt(argument(option))))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<P: Part> FromArgMatches for Declared<P> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let texts = |option: &Setting| match option.takes {
            Takes::Nothing(_) => matches.get_flag(option.name).then(String::new).into_iter().collect(),
            _ => matches.get_many::<String>(option.name).into_iter().flatten().cloned().collect(),
        };
        Ok(Declared { given: Self::options().map(|option| (option, texts(option))).collect(), part: PhantomData })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

fn argument(option: &'static Setting) -> Arg {
    let check = |text: &str| set(option, &mut Settings::default(), text).map(|()| text.to_owned());
    let arg = Arg::new(option.name).long(option.name).help(option.help);
    let arg = match option.takes {
        Takes::Nothing(_) => arg.action(ArgAction::SetTrue),
        Takes::Word(words, _) => arg.value_parser(PossibleValuesParser::new(words)).hide_possible_values(true),
        Takes::Texts(_) | Takes::Pairs(_) => arg.action(ArgAction::Append).value_parser(check),
        Takes::Number(_) | Takes::Duration(_) | Takes::Text(_) => arg.value_parser(check),
    };
    let arg = if option.value.is_empty() { arg } else { arg.value_name(option.value) };
    let arg = option.default.into_iter().fold(arg, Arg::default_value);
    let arg = option.excludes.into_iter().fold(arg, Arg::conflicts_with);
    option.group.into_iter().fold(arg, |arg, group| arg.help_heading(group))
}

/// Sets an option from its text on the command line, or says what is expected.
fn set(option: &Setting, settings: &mut Settings, text: &str) -> Result<(), String> {
    match option.takes {
        Takes::Nothing(set) => set(settings),
        Takes::Number(set) => set(settings, text.parse().map_err(|_| "expected a whole number")?),
        Takes::Duration(set) => set(settings, values::duration(text)?),
        Takes::Word(_, set) => set(settings, text),
        Takes::Text(set) | Takes::Texts(set) => set(settings, text)?,
        Takes::Pairs(set) => {
            let (one, other) = text.rsplit_once('=').ok_or_else(|| format!("expected {}", option.value))?;
            set(settings, one, other)?;
        }
    }
    Ok(())
}

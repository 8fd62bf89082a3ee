//! Prints the events and errors of a publishing run.

use std::collections::BTreeMap;

use resourcesync::{
    build::Accepted,
    report::{Diagnostic, Lang},
};
use resourcesync_client::publish::{self, Amount, Dropped, Event, Guard};

use super::summary::Summary;
use crate::{
    arguments::{Language, Plain},
    error::{CliError, finding, note, report_error, warn},
    progress::Passed,
    status,
};

/// Findings of a code that are shown.
const SHOWN: u64 = 5;

/// How the result of a run is reported.
pub(crate) struct Reporter {
    /// The subcommand.
    command: &'static str,
    format: Plain,
    lang: Lang,
    quiet: bool,
    /// There are several reports as JSON, each in a line.
    is_line: bool,
    /// Warnings, for a report as JSON.
    warnings: Vec<String>,
    /// The harvest before a publication, for a report as JSON.
    pub(crate) harvest: Option<serde_json::Value>,
}

impl Reporter {
    /// For a subcommand.
    pub(crate) fn new(command: &'static str, format: Plain, language: Language, quiet: bool) -> Reporter {
        Reporter {
            command,
            format,
            lang: language.for_people(),
            quiet,
            is_line: false,
            warnings: Vec::new(),
            harvest: None,
        }
    }

    /// Prints each report as one line of JSON.
    pub(crate) fn one_line(&mut self) {
        self.is_line = true;
    }

    /// Prints an event, except for changes.
    pub(crate) fn show(&mut self, event: Event<'_>, passed: &mut Passed) {
        match event {
            Event::Resource => passed.one(),
            Event::Warning(warning) => {
                warn(&warning.message(self.lang), self.lang);
                self.keep(&warning.to_string());
            }
            Event::Unreadable(words) => {
                report_error(words);
                self.keep(words);
            }
            _ => {}
        }
    }

    fn keep(&mut self, words: &str) {
        if self.is_json() {
            self.warnings.push(words.to_owned());
        }
    }

    /// The warnings so far, for a result in JSON.
    pub(crate) fn take_warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }

    /// True if the result goes to standard output as JSON, and nothing else does.
    pub(crate) fn is_json(&self) -> bool {
        self.format == Plain::Json
    }

    /// Prints the result: as text in the language of the user, or as JSON.
    pub(crate) fn end(
        &mut self,
        json: impl FnOnce() -> Summary,
        text: impl FnOnce(Lang) -> String,
    ) -> Result<i32, CliError> {
        match self.format {
            Plain::Json => {
                let is_line = self.is_line;
                self.completed(json()).print(is_line)
            }
            Plain::Text if self.quiet => Ok(status::VALID),
            Plain::Text => crate::outputs::print(&text(self.lang)),
        }
    }

    /// With what was collected during the run.
    fn completed(&mut self, summary: Summary) -> Summary {
        Summary { warnings: self.take_warnings(), harvest: self.harvest.take(), ..summary }
    }

    /// The subcommand.
    pub(super) fn command(&self) -> &'static str {
        self.command
    }

    /// Prints the findings that did not stop the run, the first ones of each code.
    pub(super) fn accepted(&self, accepted: &Accepted) {
        let mut shown = BTreeMap::<&str, u64>::new();
        for found in &accepted.diagnostics {
            let count = shown.entry(&found.code).or_default();
            *count = count.saturating_add(1);
            if *count <= SHOWN {
                finding(
                    found.severity,
                    &found.code,
                    &format!("{}{}", found.message_in(self.lang), place(found, self.lang)),
                    self.lang,
                );
            }
        }
        for (code, count) in &accepted.counts {
            let more = count.saturating_sub(SHOWN);
            if more > 0 {
                note(&match self.lang {
                    Lang::En => format!("{more} more {code}\n"),
                    Lang::Ja => format!("{code} はほかに {more} 件あります\n"),
                });
            }
        }
    }

    /// Reports an error other than that of a publication.
    pub(crate) fn broken(&mut self, error: &str) -> Result<(), CliError> {
        if self.is_json() {
            let is_line = self.is_line;
            self.completed(Summary::broken(self.command, error)).print(is_line)?;
        }
        report_error(error);
        Ok(())
    }

    /// Reports an error and returns the exit status: rejected input counts as a finding.
    pub(crate) fn failed(&mut self, error: &publish::Error, unchanged: Unchanged) -> Result<i32, CliError> {
        if self.is_json() {
            let is_line = self.is_line;
            self.completed(Summary::failed(self.command, error)).print(is_line)?;
        }
        match error {
            publish::Error::Refused(_) | publish::Error::Guarded(_) | publish::Error::Unexpected { .. } => {
                report_error(&format!("{}\n{}", words(error, self.lang), unchanged.words(self.lang)));
                Ok(status::FOUND)
            }
            error => Err(CliError::new(words(error, self.lang))),
        }
    }
}

/// What a run that failed did not do.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Unchanged {
    /// Publish.
    Published,
    /// Write.
    Written,
}

impl Unchanged {
    fn words(self, lang: Lang) -> &'static str {
        match (self, lang) {
            (Unchanged::Published, Lang::En) => "nothing was published",
            (Unchanged::Written, Lang::En) => "nothing was written",
            (Unchanged::Published, Lang::Ja) => "何も公開されていません",
            (Unchanged::Written, Lang::Ja) => "何も書き込まれていません",
        }
    }
}

/// The entry that a finding is about.
fn place(found: &Diagnostic, lang: Lang) -> String {
    let Some(entry) = &found.entry else { return String::new() };
    let loc = found.shown_loc().map_or_else(String::new, |loc| format!(" `{loc}`"));
    match lang {
        Lang::En => format!(" (entry {}{loc})", entry.index),
        Lang::Ja => format!("（エントリ {}{loc}）", entry.index),
    }
}

/// An error in the language of the user, where it is a finding.
fn words(error: &publish::Error, lang: Lang) -> String {
    match (error, lang) {
        (publish::Error::Refused(refused), Lang::Ja) => {
            let place = place(refused.diagnostic(), lang);
            format!("{}（{}）{place}\nヒント: {}", refused.message(lang), refused.code(), refused.help(lang))
        }
        (publish::Error::Guarded(Guard::Deletions { deleted, published }), Lang::Ja) => format!(
            "公開中の {published} 件のリソースのうち {deleted} 件が削除されることになります。入力が完全であれば、\
             --max-delete {deleted} で許可してください"
        ),
        (publish::Error::Guarded(Guard::Entries { expected: Amount::Number(number), found }), Lang::Ja) => {
            format!("入力のエントリは {found} 件で、{number} 件ではありません（--expect-entries）")
        }
        (publish::Error::Guarded(Guard::Entries { expected, found }), Lang::Ja) => {
            format!("入力のエントリは {found} 件で、公開中の件数の {expected} に足りません（--expect-entries）")
        }
        (publish::Error::NotUtf8 { inventory, line }, Lang::Ja) => {
            format!(
                "{inventory}:{line}: 行の文字コードが UTF-8 ではありません\nヒント: ファイルを UTF-8 で保存してください"
            )
        }
        (publish::Error::Unexpected { uri, is_known, line }, Lang::Ja) => {
            let line = if *line > 0 { format!("{line} 行目: ") } else { String::new() };
            let why = if *is_known {
                "すでに公開されているため、作成できません"
            } else {
                "公開されていません"
            };
            format!("{line}{uri} は{why}（--strict-events）")
        }
        (publish::Error::Dropped(dropped), Lang::Ja) => dropped_words(dropped),
        (error, _) => error.to_string(),
    }
}

/// A part of a Source that the options of a run lack, in Japanese.
fn dropped_words(dropped: &Dropped) -> String {
    match dropped {
        Dropped::Packages => {
            "--dump がありませんが、--out はパッケージ付きで公開されています\nヒント: --dump を付けるか、\
                              --no-dump でパッケージの公開を取りやめてください"
                .to_owned()
        }
        Dropped::Channels => {
            "--hub がありませんが、--out は通知チャンネル付きで公開されています\nヒント: --hub を付けるか、\
                              --no-hub で通知チャンネルの公開を取りやめてください"
                .to_owned()
        }
        Dropped::Topics { published, given } => format!(
            "トピックが {given} の下になりますが、これまでは {published} の下で公開され、購読者はそこで通知を待っています\n\
             ヒント: --topics-uri を直すか、先に --no-hub で通知チャンネルの公開を取りやめてください"
        ),
        dropped => dropped.to_string(),
    }
}

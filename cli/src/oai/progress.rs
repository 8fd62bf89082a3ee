//! The progress of a harvest.

use indicatif::HumanCount;
use resourcesync::report::Lang;
use resourcesync_client::oai::Step;
use resourcesync_oai::harvest::{Moment, Purpose, WaitReason};

use crate::{arguments::OaiCommon, progress::ProgressLine};

/// The progress of a harvest.
pub(super) struct Progress(ProgressLine);

impl Progress {
    pub(super) fn new(common: &OaiCommon) -> Progress {
        Progress(ProgressLine::new(common.printing.terminal.quiet, common.printing.terminal.language.for_people()))
    }

    /// Shows a step.
    pub(super) fn show(&mut self, step: &Step, now: Moment) {
        match step {
            Step::Page { purpose: Purpose::Harvest, delivered, declared } => {
                self.0.show(|_, lang| records(*delivered, *declared, lang));
            }
            Step::Page { purpose: Purpose::Reconcile, delivered, .. } => {
                self.0.show(|_, lang| compared(*delivered, lang));
            }
            Step::Page { .. } => {}
            Step::Wait { until, why } => {
                let seconds = until.since(now) / 1000;
                if seconds > 1 {
                    self.0.show(|_, lang| waiting(seconds, *why, lang));
                }
            }
        }
    }

    /// Shows the number of repositories that were harvested.
    pub(super) fn repositories(&mut self, done: usize, count: usize) {
        self.0.show(|_, lang| match lang {
            Lang::En => format!("{done} of {count} repositories"),
            Lang::Ja => format!("リポジトリ {done}/{count} 件"),
        });
    }

    /// Removes it.
    pub(super) fn end(&mut self) {
        self.0.end();
    }
}

fn records(delivered: u64, declared: Option<u64>, lang: Lang) -> String {
    let shown = HumanCount(delivered);
    match (declared.map(HumanCount), lang) {
        (Some(declared), Lang::En) => format!("{shown} of {declared} records"),
        (Some(declared), Lang::Ja) => format!("レコード {shown}/{declared} 件"),
        (None, Lang::En) => format!("{shown} record{}", if delivered == 1 { "" } else { "s" }),
        (None, Lang::Ja) => format!("レコード {shown} 件"),
    }
}

fn compared(identifiers: u64, lang: Lang) -> String {
    let shown = HumanCount(identifiers);
    match lang {
        Lang::En => format!("{shown} identifier{} compared", if identifiers == 1 { "" } else { "s" }),
        Lang::Ja => format!("識別子 {shown} 件を比較しました"),
    }
}

fn waiting(seconds: u64, why: WaitReason, lang: Lang) -> String {
    let (en, ja) = match why {
        WaitReason::Pace => ("pause between requests", "要求の間隔"),
        WaitReason::RetryAfter => ("requested by the server", "サーバの指定"),
        WaitReason::Unavailable => ("the server is overloaded", "サーバが過負荷"),
        WaitReason::ServerError => ("the server failed", "サーバのエラー"),
        WaitReason::Connection => ("the connection failed", "接続の失敗"),
        WaitReason::Restart => ("the list is restarted", "リストの取得し直し"),
        _ => (why.as_str(), why.as_str()),
    };
    match lang {
        Lang::En => format!("waiting {seconds} s: {en}"),
        Lang::Ja => format!("{seconds} 秒待機中: {ja}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_progress_of_a_harvest_is_in_the_language_of_the_user() {
        assert_eq!(records(6_345, Some(12_000), Lang::En), "6,345 of 12,000 records");
        assert_eq!(records(1, None, Lang::En), "1 record");
        assert_eq!(records(6_345, Some(12_000), Lang::Ja), "レコード 6,345/12,000 件");
        assert_eq!(compared(1, Lang::En), "1 identifier compared");
        assert_eq!(compared(1_000, Lang::Ja), "識別子 1,000 件を比較しました");
        assert_eq!(waiting(30, WaitReason::RetryAfter, Lang::En), "waiting 30 s: requested by the server");
        assert_eq!(waiting(30, WaitReason::RetryAfter, Lang::Ja), "30 秒待機中: サーバの指定");
    }
}

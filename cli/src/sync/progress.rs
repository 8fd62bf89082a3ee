//! The text of the progress of a run.

use indicatif::DecimalBytes;
use resourcesync::report::Lang;
use resourcesync_client::destination::{Phase, Progress};

use super::words::number;

/// The progress of a run.
pub(super) fn text(far: &Progress, lang: Lang) -> String {
    let (done, total) = (number(far.done), number(far.total.unwrap_or(0)));
    let (entries, bytes) = (number(far.amount), DecimalBytes(far.amount));
    match (far.phase, lang) {
        (Phase::Documents, Lang::En) => {
            format!("reading documents: {done}, {entries} {}", if far.amount == 1 { "entry" } else { "entries" })
        }
        (Phase::Documents, Lang::Ja) => format!("文書を読み取り中: {done} 件、{entries} エントリ"),
        (Phase::Resources, Lang::En) => format!("resources: {done}/{total}, {bytes}"),
        (Phase::Resources, Lang::Ja) => format!("リソース: {done}/{total}、{bytes}"),
        (Phase::Files, Lang::En) => format!("reading files: {done}/{total}, {bytes}"),
        (Phase::Files, Lang::Ja) => format!("ファイルを読み取り中: {done}/{total}、{bytes}"),
        (Phase::Deleting, Lang::En) => format!("deleting: {done}/{total}"),
        (Phase::Deleting, Lang::Ja) => format!("削除中: {done}/{total}"),
    }
}

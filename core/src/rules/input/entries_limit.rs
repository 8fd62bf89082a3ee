//! `entries-limit`: a document with more entries than the limit of the run.

use crate::rules::prelude::*;

rule! {
    "entries-limit" reports [LIM_02]
    checks [Check::Entry(Depends::State, check)]
    message "more than {limit} entries; the rest was not checked"
    help "split the document into lists of at most 50,000 entries and list them in an index, or raise `limits.entries` in resourcesync.toml"
    en {
        what "The number of entries that are checked is limited, far above the 50,000 that the standard allows."
        why "The remaining entries were not checked, so the verdict is undetermined unless an error was found. \
            Harvesters that rely on the 50,000 entries of the standard stop reading long before."
        fix "Start a new document after 50,000 entries, and list all of them in an index. If you want to test this \
            very number, raise the limit."
    }
    ja {
        message "エントリが上限の {limit} 件を超過（残りは未検証）"
        help "50,000 件以下のリストに分割してインデックスに列挙するか、resourcesync.toml の `limits.entries` を大きくしてください"
        what "検証するエントリの数には上限があります。この上限は、標準が定める 50,000 件をはるかに上回ります。"
        why "残りのエントリは検証していないため、エラーが見つかった場合を除き、判定は「判定保留」になります。標準の \
            50,000 件を前提とするハーベスタは、もっと手前で読み取りをやめます。"
        fix "50,000 件ごとに文書を分割し、すべてをインデックスに列挙します。この件数を試すことが目的であれば、上限を\
            大きくします。"
    }
    wrong ""
    right ""
}

fn check(cx: &mut CheckContext<'_>, entry: &Entry) {
    let limit = cx.limits.entries;
    // At the first entry beyond the limit, and only there.
    if cx.memory.entries == limit {
        cx.report(Finding::new(Code::LIM_02).arg("limit", limit), entry.span);
    }
}

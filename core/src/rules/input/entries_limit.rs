//! `entries-limit`: a document with more entries than this run checks.

use crate::{
    diagnostic::{Code, Finding},
    model::Entry,
    rules::{Check, Look, rule},
};

rule! {
    "entries-limit" reports [LIM_02]
    checks [Check::Entry(check)]
    message "more than {limit} entries; the rest was not checked"
    help "split the document into lists of at most 50,000 entries below an index, or raise `limits.entries` in \
        resourcesync.toml"
    en {
        what "One document is checked up to a number of entries that lies far above the 50,000 the standard allows."
        why "Entries after this one were not checked, so the verdict is undetermined unless there is an error anyway. \
            Harvesters that rely on the 50,000 of the standard stop reading long before."
        mend "Start a new document after 50,000 entries and list all of them in an index document. If the number is what \
            you want to test, raise the limit."
    }
    ja {
        message "エントリが {limit} 件を超えたため、残りは検査していない"
        help "50,000 件以下のリストに分割してインデックスの下に置くか、resourcesync.toml の `limits.entries` を大きくする"
        what "一つの文書は、標準が認める 50,000 件をはるかに超える上限までエントリを検査します。"
        why "このエントリから後は検査されず、エラーがなければ判定は「未確定」になります。\
            標準の 50,000 件を前提とするハーベスタは、ずっと手前で読むのをやめます。"
        mend "50,000 件ごとに新しい文書を始め、すべてをインデックス文書から参照します。\
            この件数を試すことが目的なら、上限を大きくします。"
    }
    wrong ""
    right ""
}

fn check(look: &mut Look<'_>, entry: &Entry) {
    let limit = look.limits.entries;
    // At the first entry beyond the limit, and only there.
    if look.memory.entries == limit {
        look.report(Finding::new(Code::LIM_02).arg("limit", limit), entry.span);
    }
}

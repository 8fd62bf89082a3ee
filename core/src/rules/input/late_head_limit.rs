//! `late-head-limit`: more elements before the root `rs:md` than are kept waiting for it.

use crate::rules::rule;

rule! {
    "late-head-limit" reports [LIM_10]
    checks []
    message "more than {limit} elements before the root `rs:md`; they were checked without knowing the kind of document"
    help "write the root `rs:md` before the first entry, or raise `limits.late_head_entries` in resourcesync.toml"
    en {
        what "The root `rs:md` says what kind of document this is; elements before it are kept back until it comes, up to \
            a number of them."
        why "Rules of the kind were not applied, so the verdict is undetermined unless there is an error anyway. A \
            harvester that reads entry by entry does not know what to do with any of them until it has seen the root \
            `rs:md`."
        mend "Let the program that writes the document put `rs:ln` and `rs:md` of the root first, right after the start \
            tag of the root."
    }
    ja {
        message "ルートの `rs:md` より前の要素が {limit} 個を超えたため、文書の種類が分からないまま検査した"
        help "ルートの `rs:md` を最初のエントリより前に書くか、\
            resourcesync.toml の `limits.late_head_entries` を大きくする"
        what "文書の種類はルートの `rs:md` で決まります。それより前にある要素は、決まった数まで保留して待ちます。"
        why "種類ごとの規則を適用できなかったため、エラーがなければ判定は「未確定」になります。\
            エントリを順に処理するハーベスタは、ルートの `rs:md` を見るまでどのエントリも扱えません。"
        mend "文書を書き出すプログラムで、ルートの `rs:ln` と `rs:md` をルートの開始タグの直後に置きます。"
    }
    wrong ""
    right ""
}

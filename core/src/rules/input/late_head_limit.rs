//! `late-head-limit`: more elements before the root's `rs:md` than the limit of the run.

use crate::rules::rule;

rule! {
    "late-head-limit" reports [LIM_10]
    checks in ["rules/checker.rs"]
    message "more than {limit} elements before the root's `rs:md`; they were checked without knowing the kind of document"
    help "write the root's `rs:md` before the first entry, or raise `limits.late_head_entries` in resourcesync.toml"
    en {
        what "The root's `rs:md` determines the kind of document. Elements before it are buffered until it is read, up \
            to a limit."
        why "The rules for the kind of document were not applied, so the verdict is undetermined unless an error was \
            found. A harvester that reads entry by entry cannot process any of them before it has read the root's \
            `rs:md`."
        fix "Change the program that writes the document so that the root's `rs:ln` and `rs:md` come first, right \
            after the start tag of the root element."
    }
    ja {
        message "ルート要素の `rs:md` より前の要素が上限の {limit} 個を超過（文書の種類が不明のまま検証）"
        help "ルート要素の `rs:md` を最初のエントリより前に書くか、resourcesync.toml の `limits.late_head_entries` を大きくしてください"
        what "文書の種類は、ルート要素の `rs:md` で決まります。それより前にある要素は、`rs:md` を読むまで、上限の\
            範囲内で保持します。"
        why "文書の種類に応じたルールを適用していないため、エラーが見つかった場合を除き、判定は\
            「判定保留」になります。エントリを順に処理するハーベスタは、ルート要素の `rs:md` を読むまで、どの\
            エントリも処理できません。"
        fix "文書を出力するプログラムを変更し、ルート要素の開始タグの直後に `rs:ln` と `rs:md` を出力します。"
    }
    wrong ""
    right ""
}

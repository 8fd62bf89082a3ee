//! `closed-member`: a closed Change List whose index entry does not say so.

use crate::rules::rule;

rule! {
    "closed-member" reports [CLI_11]
    checks []
    message "the Change List `{uri}` is closed with `until=\"{expected}\"`, and its entry has no `until`"
    help "add `until` to the entry"
    en {
        what "If a Change List has `until`, so has its entry in the index."
        why "A harvester takes the entry for the open list and reads the same document again and again, waiting for changes \
            that come elsewhere."
        mend "When a Change List is closed, write `until` into the list and into its entry."
    }
    ja {
        message "変更リスト `{uri}` は `until=\"{expected}\"` で閉じているが、エントリに `until` がない"
        help "エントリに `until` を加える"
        what "変更リストに `until` があれば、インデックスのエントリにも `until` が必要です。"
        why "ハーベスタはこのエントリを開いたリストと見なし、別の文書に書かれる変更を待って同じ文書を繰り返し読みます。"
        mend "変更リストを閉じるときに、リストとエントリの両方に `until` を書きます。"
    }
    wrong ""
    right ""
}

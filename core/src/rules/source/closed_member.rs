//! `closed-member`: a closed Change List whose index entry has no `until`.

use crate::rules::rule;

rule! {
    "closed-member" reports [CLI_11]
    checks in ["source/checks/indexes.rs"]
    message r#"the entry of the Change List `{uri}` has no `until`, but the list is closed with `until="{expected}"`"#
    help "add `until` to the entry"
    en {
        what "If a Change List has `until`, its entry in the index has it as well."
        why "A harvester takes the entry for the open list and reads the same document again and again, while new \
            changes are published elsewhere."
        fix "When you close a Change List, write `until` both into the list and into its entry."
    }
    ja {
        message r#"変更リスト `{uri}` は `until="{expected}"` で閉じているが、そのエントリに `until` がない"#
        help "エントリに `until` を追加してください"
        what "変更リストに `until` がある場合は、インデックスのエントリにも `until` が必要です。"
        why "ハーベスタはこのエントリを開いているリストとみなし、新しい変更は別の文書に書かれるのに、同じ文書を繰り\
            返し読みます。"
        fix "変更リストを閉じるときは、リストとそのエントリの両方に `until` を書きます。"
    }
    wrong ""
    right ""
}

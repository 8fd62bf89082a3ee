//! `still-open-member`: an open Change List whose index entry has `until`.

use crate::rules::rule;

rule! {
    "still-open-member" reports [CLI_17]
    checks in ["source/checks/indexes.rs"]
    message r#"the entry of the Change List `{uri}` has `until="{value}"`, but the list has no `until`"#
    help "remove `until` from the entry, or close the Change List"
    en {
        what "If a Change List has no `until`, its entry in the index has none either."
        why "A harvester does not read a closed list again, so it misses changes that are still added to this one."
        fix "Omit `until` from the entry as long as changes are added. When you close the list, write `until` into \
            both."
    }
    ja {
        message r#"エントリには `until="{value}"` があるが、変更リスト `{uri}` には `until` がない"#
        help "エントリの `until` を削除するか、変更リストを閉じてください"
        what "変更リストに `until` がない場合は、インデックスのエントリにも書きません。"
        why "ハーベスタは閉じたリストを読み直さないため、このリストにこれから追加される変更を見落とします。"
        fix "変更を追加している間は、エントリの `until` を省略します。リストを閉じるときに、両方に `until` を\
            書きます。"
    }
    wrong ""
    right ""
}

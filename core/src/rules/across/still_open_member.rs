//! `still-open-member`: an open Change List whose index entry says that it is closed.

use crate::rules::rule;

rule! {
    "still-open-member" reports [CLI_17]
    checks []
    message "the Change List `{uri}` has no `until`, and its entry has `until=\"{value}\"`"
    help "remove `until` from the entry, or close the Change List"
    en {
        what "If a Change List has no `until`, its entry in the index has none."
        why "A harvester does not look at a closed list again, so it misses what is still added to this one."
        mend "Remove `until` from the entry as long as changes are added. When the list is full, write `until` into both."
    }
    ja {
        message "変更リスト `{uri}` には `until` がないが、エントリに `until=\"{value}\"` がある"
        help "エントリの `until` を削除するか、変更リストを閉じる"
        what "変更リストに `until` がなければ、インデックスのエントリにも書きません。"
        why "ハーベスタは閉じたリストを読み直さないため、これから追加される変更を見落とします。"
        mend "変更を追加している間はエントリの `until` を消します。リストを閉じるときに両方へ書きます。"
    }
    wrong ""
    right ""
}

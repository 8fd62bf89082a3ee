//! `notification-gap`: notifications whose intervals do not join.

use crate::rules::rule;

rule! {
    "notification-gap" reports [CN_14]
    checks []
    message "`from` is `{value}`, but the notification before ended at `{expected}`"
    help "let each notification begin where the one before ended"
    en {
        what "Successive Change Notifications of a channel cover intervals that join without gap or overlap."
        why "A Destination compares `from` with the `until` it has seen last. At a gap it has to fall back on the Change List; \
            at an overlap it applies changes twice."
        mend "Remember `until` of the last notification and write it as `from` of the next, also when there were no changes \
            between."
    }
    ja {
        message "`from` は `{value}` だが、直前の通知は `{expected}` で終わっている"
        help "各通知の `from` を直前の通知の `until` に合わせる"
        what "一つのチャネルの変更通知は、隙間も重なりもない連続した期間を表します。"
        why "受信側は `from` を最後に見た `until` と比べます。隙間があれば変更リストに頼るしかなく、重なりがあれば変更\
            を二度適用します。"
        mend "最後の通知の `until` を記録し、次の通知の `from` に書きます。間に変更がなかった場合も同じです。"
    }
    wrong ""
    right ""
}

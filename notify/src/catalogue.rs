//! The family `HUB`: findings of publishers and subscribers, including requirements on hubs that only an exchange shows.

use alloc::{collections::BTreeMap, string::String};

#[cfg(feature = "texts")]
use resourcesync::report::catalogue::Row;
use resourcesync::{
    diagnostic::{Arg, Code, Level, Severity},
    report::{self, FamilyRule, FamilyTexts, Lang},
};

/// The rule with this id or name.
pub fn find(name: &str) -> Option<&'static FamilyRule> {
    ROWS.iter().find(|row| row.id == name || row.name == name)
}

/// The message of a finding of this crate or of the core.
pub fn message(code: &str, args: &BTreeMap<String, Arg>, lang: Lang) -> String {
    match (find(code), Code::find(code)) {
        (Some(row), _) => row.message(args, lang),
        (None, Some(code)) => report::message(code, args, lang),
        (None, None) => String::new(),
    }
}

/// The help of a finding of this crate or of the core.
pub fn help(code: &str, args: &BTreeMap<String, Arg>, lang: Lang) -> String {
    match (find(code), Code::find(code)) {
        (Some(row), _) => row.help(args, lang),
        (None, Some(code)) => report::help(code, args, lang),
        (None, None) => String::new(),
    }
}

/// The severity of a finding of this crate or of the core.
pub fn severity(code: &str) -> Severity {
    let own = find(code).map(|row| row.severity);
    own.or_else(|| Code::find(code).map(|code| code.requirement().severity)).unwrap_or(Severity::Warning)
}

/// The rows of the catalogue, in a language.
#[cfg(feature = "texts")]
pub fn rows(lang: Lang) -> impl Iterator<Item = Row> {
    ROWS.iter().map(move |row| row.row(lang))
}

/// The single list of rows.
macro_rules! rows {
    ($(
        $id:literal = $rule:literal, $level:expr, $severity:ident, $section:expr;
        message $message:literal
        help $help:literal
        en [$what:literal, $why:literal, $fix:literal]
        ja [$what_ja:literal, $why_ja:literal, $fix_ja:literal]
        message_ja $message_ja:literal
        help_ja $help_ja:literal
    )*) => {
        /// All rows, in the order of their ids.
        pub static ROWS: &[FamilyRule] = &[$(FamilyRule {
            id: $id,
            name: $rule,
            level: $level,
            derived: false,
            severity: Severity::$severity,
            section: $section,
            message: $message,
            help: $help,
            texts: FamilyTexts {
                en: [$what, $why, $fix],
                ja: [$what_ja, $why_ja, $fix_ja],
                message_ja: $message_ja,
                help_ja: $help_ja,
                wrong: "",
                right: "",
            }
            .kept(),
        }),*];
    };
}

const SUBMISSION: Option<&str> = Some("Change Notification 1.0.1 §4.1; Framework Notification 1.0.1 §4.1");
const DELIVERY: Option<&str> = Some("Change Notification 1.0.1 §4.3; Framework Notification 1.0.1 §4.3");

rows! {
    "HUB-01" = "payload-refused", None, Error, None;
    message "`{hub}` refused a payload of `{topic}`: {reason}"
    help "fix what the hub names, then send again; later payloads of the topic wait"
    en [
        "A hub responded to a payload with a redirect or a client error.",
        "Subscribers do not receive the changes, and later payloads wait, since notifications are ordered.",
        "Check the URI of the hub, the credentials, and that the topic is registered with the hub; then run `resourcesync notify`."
    ]
    ja [
        "ハブが通知にリダイレクトまたはクライアントエラーを返しました。",
        "購読側に変更が届きません。通知には順序があるため、後の通知も待たされます。",
        "ハブの URI、認証情報、トピックの登録を確認し、`resourcesync notify` を実行します。"
    ]
    message_ja "`{hub}` が `{topic}` の通知を拒否: {reason}"
    help_ja "ハブが示した問題を修正し、再送してください"

    "HUB-02" = "payload-waiting", None, Warning, None;
    message "a payload of `{topic}` waits for `{hub}`: {reason}"
    help "run `resourcesync notify` later; nothing is lost"
    en [
        "A hub could not be reached, or could not accept a payload, which stays in the outbox.",
        "Subscribers receive the changes later. The published Source is complete.",
        "Run `resourcesync notify OUT` periodically; it sends pending payloads in order."
    ]
    ja [
        "ハブに接続できないか、ハブが通知を受け付けられません。通知は送信待ちです。",
        "購読側への通知が遅れます。公開された内容は完全です。",
        "`resourcesync notify OUT` を定期的に実行します。送信待ちの通知が順に送られます。"
    ]
    message_ja "`{topic}` の通知が `{hub}` への送信待ち: {reason}"
    help_ja "後で `resourcesync notify` を実行してください。失われるものはありません"

    "HUB-03" = "subscription-denied", None, Error, None;
    message "`{hub}` denied the subscription to `{topic}`: {reason}"
    help "check that the hub knows the topic, and that it can reach the callback"
    en [
        "A hub rejected a subscription request, or denied a subscription, possibly an active one.",
        "No notifications arrive. The Source is polled, and the subscription is requested again after some hours. A listener that never had a subscription, and whose requests were all denied, ends.",
        "Read the reason. Usually the hub does not know the topic, or does not accept the URI of the callback."
    ]
    ja [
        "ハブが購読要求を拒否したか、有効だった購読を取り消しました。",
        "通知は届きません。その間はソースを定期的に確認し、数時間後に再び購読を要求します。一度も購読できないまますべての要求が拒否された場合は終了します。",
        "理由を確認します。ハブがトピックを知らないか、コールバックの URI を受け付けないことがほとんどです。"
    ]
    message_ja "`{hub}` が `{topic}` の購読を拒否: {reason}"
    help_ja "ハブがトピックを知っているか、コールバックに到達できるかを確認してください"

    "HUB-04" = "no-channel", None, Warning, None;
    message "no channel found: {reason}"
    help "name the Source Description, a Capability List or a topic of a Source that supports notification"
    en [
        "No notification channel can be found from this URI.",
        "There is nothing to subscribe to. The search is repeated with growing intervals.",
        "Start at the Source Description or at a Capability List; its entries for channels have the capability `change-notification` or `framework-notification`."
    ]
    ja [
        "この URI から通知チャンネルにたどり着けません。",
        "購読するものがありません。間隔を広げながら探索を繰り返します。",
        "ソース記述か機能リストを指定します。通知チャンネルのエントリは `change-notification` か `framework-notification` の機能を持ちます。"
    ]
    message_ja "通知チャンネルが見つからない: {reason}"
    help_ja "通知に対応するソースのソース記述、機能リスト、トピックのいずれかを指定してください"

    "HUB-05" = "notification-missing", None, Warning, None;
    message "notifications are missing: the last one reaches until {expected}, this one begins at {from}"
    help "the Change List of the set has what is missing"
    en [
        "The interval of a notification does not start at the end of the previous one, and the missing notification \
            did not arrive within a minute.",
        "Changes would be missed. The Change List is read instead.",
        "If it happens rarely, no action is needed. Otherwise the hub loses deliveries, or the Source skips \
            intervals."
    ]
    ja [
        "通知の期間が前の通知の終わりから始まっておらず、その間の通知が 1 分以内に届きませんでした。",
        "変更を見落とすおそれがあるため、代わりに変更リストを読みます。",
        "まれであれば対応は不要です。頻繁であれば、ハブが配信を失っているか、ソースが期間を飛ばしています。"
    ]
    message_ja "通知が欠落: 前の通知は {expected} まで、この通知は {from} から"
    help_ja "欠落した変更は変更リストで補われます"

    "HUB-06" = "notification-overlap", None, Warning, None;
    message "an interval overlaps: the last notification reaches until {expected}, this one begins at {from}"
    help "let each notification begin where the last one ends"
    en [
        "The interval of a notification overlaps with that of the previous one.",
        "Some changes are announced twice. That is harmless, but shows that the Source does not record its last \
            interval.",
        "Start each interval at the end of the previous one, also after a restart."
    ]
    ja [
        "通知の期間が前の通知の期間と重なっています。",
        "同じ変更が 2 回通知されます。害はありませんが、通知済みの期間が管理されていません。",
        "再起動の後も、前の期間の終わりから次の期間を始めます。"
    ]
    message_ja "期間が重複: 前の通知は {expected} まで、この通知は {from} から"
    help_ja "前の通知の終わりから次の通知を始めてください"

    "HUB-07" = "notification-from-future", None, Warning, None;
    message "the interval of a notification ends in the future, at {until}"
    help "correct the clock of the Source"
    en [
        "`until` is more than a day ahead of the local clock.",
        "Relying on it would skip all notifications until then. It is ignored; the Change List is read instead.",
        "Correct the clock of the Source, or that of this machine."
    ]
    ja [
        "`until` がこちらの時計より 1 日以上進んでいます。",
        "この値に従うと、その日時までの通知をすべて読み飛ばします。この値は使わず、代わりに変更リストを読みます。",
        "ソースの時計、またはこのマシンの時計を修正します。"
    ]
    message_ja "通知の期間が未来（{until}）で終わっている"
    help_ja "ソースの時計を修正してください"

    "HUB-08" = "unsigned-delivery", None, Warning, None;
    message "a delivery of `{topic}` was not accepted: {problem}"
    help "nothing needs to be done, unless every delivery is refused"
    en [
        "A delivery lacks the signature agreed with the hub.",
        "It may be forged, so it is not read. A hub that should have signed it with another secret retries.",
        "If every delivery is refused, the hub has another secret: subscribe again. Hubs that sign with SHA-1 only need `--allow-sha1`."
    ]
    ja [
        "ハブと取り決めた署名が配信にありません。",
        "偽造のおそれがあるため読みません。別の鍵で署名すべきだったハブは再送します。",
        "すべての配信が拒否される場合は、ハブが別の鍵を持っています。購読し直します。SHA-1 でしか署名しないハブには `--allow-sha1` が必要です。"
    ]
    message_ja "`{topic}` の配信を受け付けなかった: {problem}"
    help_ja "すべての配信が拒否されるのでなければ、対応は不要です"

    "HUB-09" = "several-topics", None, Error, Some("W3C WebSub §4");
    message "the topic `{uri}` has more than one `self` link: `{first}`, `{second}`"
    help "name the topic once in its `Link` header"
    en [
        "The `Link` header of a topic has exactly one link with the relation type `self`.",
        "It is unclear which topic to subscribe to, so there is no subscription.",
        "Keep one. Often a framework or a proxy adds its own link."
    ]
    ja [
        "トピックの `Link` ヘッダには、関係タイプ `self` のリンクが 1 つだけあります。",
        "どのトピックを購読すべきか分からないため、購読しません。",
        "1 つだけ残します。フレームワークやプロキシが独自のリンクを加えていることがよくあります。"
    ]
    message_ja "トピック `{uri}` に `self` リンクが複数ある: `{first}`、`{second}`"
    help_ja "`Link` ヘッダでトピックを一度だけ示してください"

    "HUB-10" = "hub-suspect", None, Warning, None;
    message "`{hub}` cannot be relied on for `{topic}`: {reason}"
    help "nothing needs to be done: the Source is polled until the hub works again"
    en [
        "A hub failed to renew a subscription three times, or announced nothing although there were changes.",
        "Notifications may be missing. The Source is polled every quarter of an hour, and the subscription is requested again.",
        "If it persists, contact the operator of the hub."
    ]
    ja [
        "ハブが購読の更新に 3 回失敗したか、変更があったのに通知しませんでした。",
        "通知が欠けているおそれがあります。15 分ごとにソースを確認し、購読を要求し続けます。",
        "続くようであれば、ハブの運用者に問い合わせます。"
    ]
    message_ja "`{topic}` について `{hub}` を信頼できない: {reason}"
    help_ja "ハブが回復するまでソースを定期的に確認するため、対応は不要です"

    "HUB-11" = "dead-letter", None, Warning, None;
    message "payloads {first} to {last} of `{topic}` were not delivered to `{callback}`: {reason}"
    help "find out why with `resourcesync hub failures`, and deliver them again with `resourcesync hub replay`"
    en [
        "A subscription did not receive payloads that the hub had accepted.",
        "Every attempt failed, the subscriber rejected them, they were removed by retention, or the subscription ended. The subscriber sees a gap, \
            and reads the Change List.",
        "If the subscriber can be reached again: `resourcesync hub replay --subscription ID --first NUMBER`. A longer `retry.give_up` or \
            `retention` gives subscribers more time."
    ]
    ja [
        "ハブが受け付けたペイロードが、購読者に届きませんでした。",
        "すべての試行が失敗したか、購読者が拒否したか、保存期間を過ぎて削除されたか、購読が終了しました。購読者は欠落に気付き、変更リストを読みます。",
        "購読者と再び通信できるなら `resourcesync hub replay --subscription ID --first NUMBER` で再配信します。`retry.give_up` や `retention` を長くすると、購読者の猶予が延びます。"
    ]
    message_ja "`{topic}` のペイロード {first} から {last} が `{callback}` に届かなかった: {reason}"
    help_ja "`resourcesync hub failures` で原因を調べ、`resourcesync hub replay` で再配信してください"

    "HUB-12" = "callback-not-allowed", None, Warning, None;
    message "a subscription was requested for `{callback}`, which is not allowed: {reason}"
    help "add the address to `callbacks.allow` if it belongs to a subscriber"
    en [
        "A callback has a public address, http or https, and one of the configured ports, unless `callbacks.allow` names it.",
        "A hub that calls any address could be used to reach a private network.",
        "For subscribers on an intranet, list their network or host in `callbacks.allow`; for another port, in `callbacks.ports`."
    ]
    ja [
        "コールバックの URI は、`callbacks.allow` にない限り、公開アドレスを指す http または https の URI で、ポートは設定されたもののいずれかです。",
        "任意のアドレスに接続するハブは、内部ネットワークへの攻撃に悪用されるおそれがあります。",
        "イントラネットの購読者には、そのネットワークかホストを `callbacks.allow` に、別のポートは `callbacks.ports` に追加します。"
    ]
    message_ja "許可されていないコールバック `{callback}` の購読が要求された: {reason}"
    help_ja "購読者のアドレスであれば `callbacks.allow` に追加してください"

    "HUB-13" = "unknown-topic", None, Warning, None;
    message "a {request} names a topic that this hub does not have"
    help "compare the topic with `[[hub.topic]]` of the configuration, or with the `rel=\"self\"` link of the Source"
    en [
        "A hub delivers the topics of its configuration only.",
        "A Source whose topic is unknown here cannot publish, and nobody can subscribe to it.",
        "Add the topic to `resourcesync.toml`, or correct its URI in the Source; scheme, host and path must be the same."
    ]
    ja [
        "ハブは、設定にあるトピックだけを配信します。",
        "ここにないトピックのソースは公開できず、誰も購読できません。",
        "`resourcesync.toml` にトピックを追加するか、ソース側の URI を直します。スキーム、ホスト、パスが一致している必要があります。"
    ]
    message_ja "{request} が、このハブにないトピックを指定した"
    help_ja "トピックを設定の `[[hub.topic]]`、またはソースの `rel=\"self\"` リンクと比べてください"

    "HUB-14" = "notification-invalid", None, Warning, None;
    message "a notification is not valid: {problem}"
    help "the Source should fix it; meanwhile the Change List is read"
    en [
        "A channel delivered a document that is not a valid notification of its kind.",
        "Something did change, so the Change List is read. The interval of an invalid notification is ignored.",
        "Validate the notifications of the Source: `resourcesync validate --expect change-notification FILE`."
    ]
    ja [
        "通知チャンネルから届いた文書が、その種類の通知として不適合です。",
        "何かが変更されたのは確かなため、変更リストを読みます。不適合な通知の期間は使用しません。",
        "ソースが送る文書を検証します: `resourcesync validate --expect change-notification FILE`。"
    ]
    message_ja "通知が不適合: {problem}"
    help_ja "ソース側で修正が必要です。その間は変更リストを読みます"

    "WS-13" = "hub-answers-200", Some(Level::Must), Warning, SUBMISSION;
    message "`{hub}` accepted a payload with status {status} instead of 200"
    help "let the hub answer 200; `--strict-hub` takes nothing else for an acceptance"
    en [
        "A hub that accepted a payload responds with 200 OK.",
        "Another success status may mean that the payload was only queued, or ignored.",
        "Many hubs for feeds respond with 202 or 204, and expect a ping instead of the payload. Check that the hub \
            relays the payload."
    ]
    ja [
        "通知を受け付けたハブは 200 OK を返します。",
        "ほかの成功ステータスは、通知が処理待ちになっただけか、無視されたことを意味するかもしれません。",
        "フィード用のハブの多くは 202 や 204 を返し、通知本体ではなく ping を期待します。送った内容を中継するハブかどうかを確認します。"
    ]
    message_ja "`{hub}` が 200 ではなくステータス {status} で通知を受け付けた"
    help_ja "ハブが 200 を返すようにしてください。`--strict-hub` はほかのステータスを受け付けません"

    "WS-42" = "delivered-topic", Some(Level::Must), Warning, DELIVERY;
    message "a delivery of `{uri}` names the topic `{value}`"
    help "let the hub send the topic that was subscribed to as the `self` link"
    en [
        "The `Link` header of a delivery has the topic as the target of `self`.",
        "Subscribers that use the link assign the delivery to another channel. This one uses the callback.",
        "Correct the hub. A topic that redirects is subscribed to under its new URI."
    ]
    ja [
        "配信の `Link` ヘッダでは、`self` の対象がトピックです。",
        "リンクで振り分ける購読側は、別のチャンネルの配信と取り違えます。ここではコールバックで判断します。",
        "ハブを修正します。リダイレクトするトピックは新しい URI で購読します。"
    ]
    message_ja "`{uri}` の配信がトピック `{value}` を名乗っている"
    help_ja "購読されたトピックを `self` リンクとして送るようにしてください"
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use resourcesync::diagnostic::{Reason, ReasonCode};

    use super::*;

    #[test]
    fn ids_and_names_are_there_once_and_not_those_of_the_core() {
        let mut names: Vec<&str> = ROWS.iter().flat_map(|row| [row.id, row.name]).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ROWS.len() * 2);
        assert!(ROWS.iter().all(|row| Code::find(row.id).is_none() && find(row.name).is_some()));
    }

    #[test]
    #[cfg(feature = "texts")]
    fn both_languages_have_the_same_values() {
        let values = |template: &str| {
            let mut names: Vec<String> = template
                .split('{')
                .skip(1)
                .filter_map(|part| part.split_once('}'))
                .map(|(name, _)| name.into())
                .collect();
            names.sort();
            names
        };
        for row in ROWS {
            assert_eq!(values(row.message), values(row.templates(Lang::Ja)[0]), "{}", row.id);
        }
    }

    #[test]
    fn messages_are_rendered_with_their_values() {
        let reason = Reason::new(ReasonCode::HubStatus).arg("status", 403).arg("text", "unknown-topic");
        let args =
            [("hub", Arg::from("https://h/")), ("topic", Arg::from("https://t/")), ("reason", Arg::from(reason))];
        let args: BTreeMap<String, Arg> = args.map(|(name, value)| (String::from(name), value)).into_iter().collect();
        assert_eq!(
            message("HUB-03", &args, Lang::En),
            "`https://h/` denied the subscription to `https://t/`: response status 403: unknown-topic"
        );
        assert!(message("WS-01", &args, Lang::En).starts_with("the topic"));
        assert_eq!(message("XX-01", &args, Lang::En), "");
        assert_eq!((severity("HUB-03"), severity("HUB-05")), (Severity::Error, Severity::Warning));
    }
}

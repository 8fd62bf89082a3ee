//! Labels of summaries and tables, in English and Japanese.

use resourcesync::report::Lang;

/// A label in this language.
pub(super) fn label(name: &str, lang: Lang) -> &'static str {
    let found = LABELS.iter().find(|(own, ..)| *own == name);
    found.map_or("", |(_, en, ja)| if lang == Lang::Ja { ja } else { en })
}

const LABELS: &[(&str, &str, &str)] = &[
    ("complete", "complete", "完了"),
    ("suspect", "suspect", "要確認"),
    ("incomplete", "incomplete", "未完了"),
    ("failed", "failed", "失敗"),
    ("repository", "repository", "リポジトリ"),
    ("status", "status", "状態"),
    ("new", "new", "新規"),
    ("changed", "changed", "変更"),
    ("deleted", "deleted", "削除"),
    ("quarantined", "quarantined", "隔離"),
    ("reason", "reason", "理由"),
    ("contact", "contact", "連絡先"),
    ("name", "name", "名称"),
    ("base-url", "base URL", "ベース URL"),
    ("protocol", "protocol", "プロトコル"),
    ("earliest", "earliest datestamp", "最も古い datestamp"),
    ("granularity", "granularity", "粒度"),
    ("deletions", "deletions", "削除の通知"),
    ("compression", "compression", "圧縮"),
    ("formats", "formats", "メタデータ形式"),
    ("sets", "sets", "セット"),
    ("none", "none", "なし"),
    ("harvest", "harvest", "収集の方法"),
    ("dates-second", "dates with seconds", "秒単位の日付で要求"),
    ("dates-day", "dates as days", "日単位の日付で要求"),
    ("reconcile-never", "deletions from the list", "リストに示された削除を反映"),
    ("reconcile-30", "full comparison every 30 days to find deletions", "30 日ごとに全件のリストを比較して削除を検出"),
    ("reconcile-7", "full comparison every 7 days to find deletions", "7 日ごとに全件のリストを比較して削除を検出"),
    ("first-request", "first list request", "最初のリスト要求"),
    ("proof", "proof", "証跡"),
];

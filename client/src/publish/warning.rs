//! Warnings of a run that publishes, in English and Japanese.

use std::fmt;

use resourcesync::{report::Lang, value::Datetime};

/// A warning, which does not stop a run. As text it is in English.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Warning {
    /// Paths of the folder are not resources.
    Excluded {
        /// Their number.
        count: u64,
        /// The reason.
        why: Exclusion,
        /// The first of them.
        first: String,
    },
    /// A file cannot be read: its published entry is kept.
    Skipped(String),
    /// A file cannot be read: a Resource Dump is written without it.
    LeftOut(String),
    /// Published resources are missing, but may be among those that were rejected.
    Kept {
        /// Their number.
        kept: u64,
        /// Rejected records whose URI is unknown.
        unknown: u64,
    },
    /// The clock is earlier than the previous run.
    ClockBehind {
        /// The time of that run.
        past: Datetime,
    },
    /// An inventory is not UTF-8, and its encoding was recognized.
    Encoding {
        /// Its name.
        inventory: String,
        /// The encoding.
        encoding: &'static str,
    },
    /// Entries of a list have values that cannot be read: they are compared by the rest.
    Malformed {
        /// Its name.
        list: String,
        /// Their number.
        entries: u64,
        /// The line of the first.
        line: u32,
    },
    /// Changes of a folder are not noticed, so that it is compared from time to time.
    Unwatched {
        /// The reason.
        why: String,
        /// Seconds from one comparison to the next.
        seconds: u64,
    },
    /// Changes that applications stated wait for the next publication, which a dry run does not count.
    Waiting,
    /// The notifications of a topic do not continue.
    Break {
        /// The URI of the topic.
        topic: String,
        /// Where they end.
        expected: String,
        /// Where the next one begins.
        from: String,
    },
    /// The changes are published, and their notifications are not in the outbox.
    NotAnnounced {
        /// The reason.
        why: String,
    },
}

/// Why a path is not a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Exclusion {
    /// It matches `--exclude`.
    Matching,
    /// Its name begins with a dot.
    Hidden,
    /// It matches no `--include`.
    NotIncluded,
    /// It is a socket, a pipe or a device.
    NotAFile,
    /// It is the folder of a state.
    State,
    /// It is a symbolic link.
    Link,
    /// It is a symbolic link out of the folder, or to nothing.
    LinkOutside,
    /// It is a symbolic link to a folder above it.
    LinkAbove,
    /// It matches no `--set`.
    NoSet,
    /// The table does not list it.
    Unlisted,
}

impl Exclusion {
    fn words(self, lang: Lang) -> &'static str {
        let (en, ja) = match self {
            Exclusion::Matching => ("matching --exclude", "--exclude に一致"),
            Exclusion::Hidden => ("name begins with a dot (use --hidden)", "ドットで始まる名前。--hidden で公開"),
            Exclusion::NotIncluded => ("no matching --include", "どの --include にも一致しない"),
            Exclusion::NotAFile => ("not a regular file", "通常のファイルではない"),
            Exclusion::State => ("state folder of a Source or a copy", "ソースまたはコピーの状態フォルダ"),
            Exclusion::Link => {
                ("symbolic link (use --follow-symlinks)", "シンボリックリンク。--follow-symlinks で公開")
            }
            Exclusion::LinkOutside => (
                "symbolic link that leads out of the folder, or nowhere",
                "リンク先がフォルダの外か、存在しない場所のシンボリックリンク",
            ),
            Exclusion::LinkAbove => ("symbolic link to a folder above it", "上位のフォルダを指すシンボリックリンク"),
            Exclusion::Unlisted => ("not in the table", "表にない"),
            Exclusion::NoSet => ("no matching --set", "どの --set にも一致しない"),
        };
        match lang {
            Lang::En => en,
            Lang::Ja => ja,
        }
    }
}

impl Warning {
    /// The warning in a language.
    #[must_use]
    pub fn message(&self, lang: Lang) -> String {
        match lang {
            Lang::En => self.to_string(),
            Lang::Ja => self.japanese(),
        }
    }

    fn japanese(&self) -> String {
        match self {
            Warning::Excluded { count, why, first } => {
                let more = if *count == 1 { "" } else { " など" };
                format!("{count} 件を除外しました（{}）: {first}{more}", why.words(Lang::Ja))
            }
            Warning::Skipped(why) => format!("読み取れないファイルを飛ばしました: {why}"),
            Warning::LeftOut(why) => format!("リソースダンプには含めていません: {why}"),
            Warning::Kept { kept, unknown } => format!(
                "公開中の {kept} 件のリソースが見つかりませんが、公開したままにします。拒否したレコードのうち {unknown} 件の URI が不明です"
            ),
            Warning::ClockBehind { past } => format!(
                "時計が前回の実行（{past}）より前を示しているため、その 1 秒後を今回の日時とします。前回の時計が誤っていた場合は、\
                 公開フォルダとその状態フォルダを削除してから、もう一度公開してください"
            ),
            Warning::Encoding { inventory, encoding } => {
                format!("{inventory} を {encoding} として読み取りました。違う場合は --encoding で指定してください")
            }
            Warning::Malformed { list, entries, line } => {
                format!(
                    "{list} の {entries} 件のエントリ（最初は {line} 行目）に読み取れない値があり、残りの値だけで比較します。`resourcesync validate` で確認できます"
                )
            }
            Warning::Unwatched { why, seconds } => {
                format!("フォルダの変更を検知できないため（{why}）、{seconds} 秒ごとに全体を比較します（--poll）")
            }
            Warning::Waiting => {
                "アプリケーションが通知した変更が公開を待っています。ここには含まれませんが、次の公開に含まれます"
                    .to_owned()
            }
            Warning::Break { topic, expected, from } => {
                format!("{topic} の通知は {expected} で終わりますが、次の通知は {from} から始まります")
            }
            Warning::NotAnnounced { why } => {
                format!(
                    "公開は完了しましたが、通知を送信待ちに追加できませんでした（{why}）。次の公開または `resourcesync notify` で追加されます"
                )
            }
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::Excluded { count, why, first } => {
                let noun = if *count == 1 { "path" } else { "paths" };
                write!(f, "excluded {count} {noun}: {}, such as {first}", why.words(Lang::En))
            }
            Warning::Skipped(why) => write!(f, "skipped {why}"),
            Warning::LeftOut(why) => write!(f, "left out of the Resource Dump: {why}"),
            Warning::Kept { kept, unknown } => write!(
                f,
                "{kept} published resources are missing but stay published: the URIs of {unknown} rejected records are unknown"
            ),
            Warning::ClockBehind { past } => write!(
                f,
                "the clock is earlier than the previous run ({past}); using one second after that run. If the clock was wrong \
                 then, delete the published folder and its state folder, and build again"
            ),
            Warning::Encoding { inventory, encoding } => {
                write!(f, "{inventory} was read as {encoding}; use --encoding to override it")
            }
            Warning::Malformed { list, entries, line } => {
                let noun = if *entries == 1 { "entry has" } else { "entries have" };
                write!(
                    f,
                    "{list}: {entries} {noun} a value that cannot be read, first in line {line}; the other values are compared, and \
                     `resourcesync validate` names the unreadable ones"
                )
            }
            Warning::Unwatched { why, seconds } => {
                write!(
                    f,
                    "changes of the folder cannot be noticed ({why}); all of it is compared every {seconds} seconds (--poll)"
                )
            }
            Warning::Waiting => {
                f.write_str("changes stated by applications wait for the next publication; they are not shown here")
            }
            Warning::Break { topic, expected, from } => {
                write!(f, "the notifications of {topic} end at {expected}, and the next begins at {from}")
            }
            Warning::NotAnnounced { why } => write!(
                f,
                "published, but the notifications are not in the outbox ({why}); the next publication adds them, or `resourcesync notify`"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warning_is_in_the_language_of_the_user() {
        let excluded = |count| Warning::Excluded { count, why: Exclusion::Matching, first: "a/b".to_owned() };
        assert_eq!(excluded(1).to_string(), "excluded 1 path: matching --exclude, such as a/b");
        assert_eq!(excluded(2).to_string(), "excluded 2 paths: matching --exclude, such as a/b");
        assert_eq!(excluded(1).message(Lang::Ja), "1 件を除外しました（--exclude に一致）: a/b");
        assert_eq!(excluded(2).message(Lang::Ja), "2 件を除外しました（--exclude に一致）: a/b など");
        let gap = Warning::Break { topic: "t".to_owned(), expected: "1".to_owned(), from: "2".to_owned() };
        assert_eq!(gap.message(Lang::En), "the notifications of t end at 1, and the next begins at 2");
        assert_eq!(gap.message(Lang::Ja), "t の通知は 1 で終わりますが、次の通知は 2 から始まります");
    }
}

//! The family `SYN`: what keeping a copy in step reports about itself.
//!
//! Errors of documents and resources have codes of the core: `AT-09` for a digest, `AT-11` for a length, `INP-nn` for read errors.

#[cfg(feature = "texts")]
use resourcesync::report::{Lang, catalogue::Row};
use resourcesync::{
    diagnostic::Severity,
    report::{FamilyRule, FamilyTexts},
};

/// The rule with this id or name.
pub fn find(name: &str) -> Option<&'static FamilyRule> {
    ROWS.iter().find(|row| row.id == name || row.name == name)
}

/// The rows of the catalogue, in a language.
#[cfg(feature = "texts")]
pub fn rows(lang: Lang) -> impl Iterator<Item = Row> {
    ROWS.iter().map(move |row| row.row(lang))
}

/// The single list of rows.
macro_rules! rows {
    ($(
        $id:literal = $rule:literal, $severity:ident;
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
            level: None,
            derived: false,
            severity: Severity::$severity,
            section: None,
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

rows! {
    "SYN-01" = "too-many-deletions", Error;
    message "{n} of {held} resources are no longer listed or are stated as deleted, more than one run may delete ({most}); none of them was deleted"
    help "check the lists; if they are right, run again with `--max-delete {n}`"
    en [
        "More resources are no longer listed than one run may delete: by default 20, or a tenth of the stored \
            resources; 20, or half of them, if Change Lists state the deletions; none if the list is empty.",
        "A list that lost most of its entries is more often an error of the Source than a real deletion.",
        "Check the list. If the resources were deleted on purpose, run once with `--max-delete` and their number; \
            the permission applies to one run."
    ]
    ja [
        "削除するリソースが、1 回の実行で削除できる数を超えています。既定の上限は、リストから消えたものは 20 件と保持しているリソースの 1 割のうち大きいほう、変更リストが削除としたものは 20 件と半数のうち大きいほうです。リストが空の場合は削除しません。",
        "リストの大半が消えた場合、実際の削除よりもソース側の障害であることが多いためです。",
        "リストを確認します。意図した削除であれば、`--max-delete` に件数を指定して実行します。許可は次回に引き継がれません。"
    ]
    message_ja "保持している {held} 件のうち {n} 件がリストから消えたか、削除とされているが、1 回の上限（{most} 件）を超えるため、削除しなかった"
    help_ja "リストを確認し、正しければ `--max-delete {n}` を付けて再実行してください"

    "SYN-02" = "older-list", Error;
    message "`{uri}` is dated {at}, older than the list of {seen} read before; it is not used"
    help "wait until the Source is restored; `--accept-older` goes back to the older state"
    en [
        "A list is older than one that was read from the same Source before.",
        "A cache, a restored backup or an attacker may serve it. Using it would undo newer states of the copy.",
        "Contact the Source. If it was reverted on purpose, run once with `--accept-older`."
    ]
    ja [
        "以前に同じソースから読み取ったものより古いリストです。",
        "キャッシュ、復元されたバックアップ、または攻撃者による可能性があります。使用すると、新しい状態が失われます。",
        "ソースの管理者に連絡します。意図して戻された場合は、`--accept-older` を付けて実行します。"
    ]
    message_ja "`{uri}` は {at} のもので、以前に読み取った {seen} のリストより古いため、使用しない"
    help_ja "ソースの復旧を待ってください。古い状態に戻すには `--accept-older` を指定します"

    "SYN-03" = "future-time", Warning;
    message "`{uri}` has the time {at}, more than a day in the future; it is ignored as a checkpoint"
    help "tell the Source to check its clock; changes are applied as always"
    en [
        "A list, or an entry of a Change List, has a time that lies more than a day in the future.",
        "If the copy took it for the moment that it is in step with, earlier changes that are published later would be missed, and the next list with a right time would be refused as older.",
        "Check the clock of the Source. What is listed is applied; the moment of the copy stays at or before the present, or is unknown where a Resource List has such a time."
    ]
    ja [
        "リストまたは変更リストのエントリの日時が、1 日以上未来です。",
        "その日時をコピーの時点とみなすと、後から公開される、それより前の変更を見落とし、正しい日時の次のリストを古いものとして拒否することになります。",
        "ソースの時計を確認します。記載された内容は適用されますが、コピーの時点は現在より後にはならず、リソースリストの日時が未来の場合は不明になります。"
    ]
    message_ja "`{uri}` の日時 {at} が 1 日以上未来のため、コピーの時点としては使用しない"
    help_ja "ソースの時計の確認を管理者に依頼してください。変更は通常どおり適用されます"

    "SYN-04" = "missing-changes", Info;
    message "no Change List contains the changes between {after} and {before}; everything is compared with the Resource Lists"
    help "nothing, if the copy is in step afterwards; otherwise the Source should publish a Resource List that its Change Lists continue"
    en [
        "The Change Lists do not continue where the last run ended: a list is missing, or they begin later.",
        "Applying only some of the changes would produce a state that the Source never had.",
        "Nothing: the copy is compared with the Resource Lists instead. If these are older than what the copy was in step with, it stays as it is and is not in step until there are newer ones. If the first Change List begins after them, its changes are applied, and the copy is in step with the time of the Resource Lists (`asOf`)."
    ]
    ja [
        "変更リストが前回の終わりから続いていません。リストが欠けているか、より後から始まっています。",
        "変更の一部だけを適用すると、ソースが一度も取ったことのない状態になります。",
        "対処は不要です。代わりにリソースリストと比較します。コピーの時点より古いリストしかなければ、新しいリソースリストが公開されるまでコピーを変更せず、同期済みになりません。最初の変更リストがリソースリストより後から始まる場合は、その変更を適用し、リソースリストの日時（`asOf`）の時点で同期済みとします。"
    ]
    message_ja "{after} から {before} までの変更がどの変更リストにもないため、リソースリストと比較する"
    help_ja "その後に同期済みとなれば対処は不要です。そうでなければ、変更リストに続くリソースリストの公開をソースに依頼してください"

    "SYN-05" = "mixed-snapshot", Warning;
    message "`{uri}` and its members were not of one snapshot each time they were read; nothing is deleted for not being listed"
    help "run again later; the Source should replace an index and its members at once"
    en [
        "Three times in a row, a Resource List Index changed while its members were read, or a member had another `at` or `completed` than the index states for it.",
        "The members may be of different snapshots: the Source is writing them, or a cache still has an old one. A resource that moved from one to another may then be in none of them.",
        "Run again when the Source is not publishing. A Source should publish a snapshot under new names, then exchange the index, and state the `at` of each member in the index where these differ."
    ]
    ja [
        "リソースリストインデックスが各リストを読み取る間に変更されたか、リストの `at` や `completed` がインデックスの記載と異なる状態が、3 回続きました。",
        "ソースが書き換えの途中であるか、キャッシュに古いリストが残っていて、各リストが異なる時点のものである可能性があります。リスト間を移動したリソースは、どこにも記載されていないように見えます。",
        "ソースが更新されていないときに再実行します。ソース側では、新しい名前でリストを公開してからインデックスを置き換え、リストごとに `at` が異なる場合はインデックスに記載します。"
    ]
    message_ja "`{uri}` とその各リストの時点が読み取りのたびに一致しなかったため、リストにないリソースを削除しない"
    help_ja "後で再実行してください。インデックスとその各リストは同時に置き換えられる必要があります"

    "SYN-06" = "newer-than-listed", Warning;
    message "resources that are newer than their list: {n}; existing copies are kept"
    help "run again when the list was updated; `cause` of each item has the details"
    en [
        "The bytes of a resource differ from the list, and according to the server it was modified after the list \
            was created.",
        "The copy cannot be verified, so it is not replaced. A later list describes the new state.",
        "Run again later. A Source should update its list, or publish a Change List, soon after its resources change."
    ]
    ja [
        "リソースの内容がリストの記載と異なり、サーバによればリストの作成後に更新されています。",
        "検証できないため、保持しているコピーは置き換えません。新しい状態は後のリストに記載されます。",
        "後で再実行します。ソース側では、リソースの変更後すみやかにリストまたは変更リストを更新します。"
    ]
    message_ja "{n} 件のリソースがリストより新しいため、以前のコピーを保持"
    help_ja "リストが更新された後に再実行してください"

    "SYN-07" = "stale-list", Warning;
    message "the newest list is dated {at}, older than `--max-age` allows"
    help "ask the Source whether it still publishes; without `--max-age` no age is too old"
    en [
        "The newest moment that the lists of the Source state is longer ago than `--max-age`.",
        "A Source that stopped publishing, or a cache in between, serves old lists as if nothing had changed.",
        "Find out whether the Source still publishes. What it lists was copied as always."
    ]
    ja [
        "ソースのリストに記載された最新の日時が、`--max-age` で許された期間より前です。",
        "公開を止めたソースや途中のキャッシュは、変更がないかのように古いリストを返し続けます。",
        "ソースが今も公開を続けているかを確認します。リストの内容は通常どおりコピーされています。"
    ]
    message_ja "最新のリストは {at} のもので、`--max-age` で許された期間より古い"
    help_ja "ソースが今も公開を続けているかを確認してください。`--max-age` を指定しなければ古さは問いません"

    "SYN-08" = "same-name", Error;
    message "`{uri}` has the name of another resource: {path}"
    help "use another layout: `--layout portable` or `--layout hash`, in a new folder"
    en [
        "Two URIs would be stored in one file, since their names collide on this file system.",
        "One of them would replace the other.",
        "Start a new copy with `--layout portable`, whose names are distinct on every file system."
    ]
    ja [
        "ファイルシステムが 2 つの名前を区別しないため、2 つの URI が同じファイルになります。",
        "一方が他方を上書きすることになります。",
        "`--layout portable` を指定して新しいコピーを作成します。この名前はどのファイルシステムでも区別されます。"
    ]
    message_ja "`{uri}` のファイル名が別のリソースと同じ: {path}"
    help_ja "新しいフォルダで `--layout portable` または `--layout hash` を使用してください"

    "SYN-09" = "foreign-file", Error;
    message "unmanaged files in the way of resources: {n}; left alone"
    help "move them away, or run with `--adopt` (those that match) or `--overwrite`"
    en [
        "A file is at the place of a resource, and the ledger does not record that it was written here.",
        "It may belong to someone else, so it is neither replaced nor deleted.",
        "Move the file away. `--adopt` takes over files that have the listed digests; `--overwrite` moves the others to the trash."
    ]
    ja [
        "リソースの保存先に、このコピーが書き込んだ記録のないファイルがあります。",
        "他者が作成したものかもしれないため、上書きも削除もしません。",
        "ファイルを移動します。`--adopt` はダイジェストが一致するファイルを引き継ぎ、`--overwrite` はその他のファイルをゴミ箱に移します。"
    ]
    message_ja "リソースの保存先に、このコピーのものではないファイルが {n} 件あり、変更しなかった"
    help_ja "ファイルを移動するか、`--adopt`（一致するもの）または `--overwrite` を指定してください"

    "SYN-10" = "changed-locally", Warning;
    message "files that were changed since they were written: {n}; moved to the trash"
    help "keep your own changes outside the folder of the copy"
    en [
        "A file of the copy has another size or time than when it was written, or an object in a store another ETag.",
        "The copy is no longer what the Source lists. The file is fetched again; the changed one is moved to the trash.",
        "Take the changed file from `.resourcesync/trash` before the next run that ends in step, and keep changes elsewhere."
    ]
    ja [
        "コピーのファイルのサイズまたは更新時刻（オブジェクトストアでは ETag）が、書き込んだときと異なります。",
        "ソースの記載と一致しなくなっています。再取得し、変更されたファイルはゴミ箱に移します。",
        "必要であれば、次に同期が完了する前に `.resourcesync/trash` から取り出します。変更はコピーの外に保存します。"
    ]
    message_ja "書き込み後に変更されたファイルが {n} 件あり、ゴミ箱に移した"
    help_ja "独自の変更は、コピーのフォルダの外に保存してください"

    "SYN-11" = "damaged-state", Warning;
    message "the state of this copy cannot be used: {reason}"
    help "make it again with `resourcesync sync --rebuild URI DIR`; files that are as listed are taken over, not fetched"
    en [
        "The ledger is damaged, or was written by a later version.",
        "Without it the files of the copy are unknown. Nothing is fetched or deleted.",
        "Run `resourcesync sync --rebuild URI DIR`, with `--layout`, `--place` and `--set` of the first run if they were given: files that are as listed are \
            taken over, others are fetched, and what they replace is moved to the trash. The damaged file is kept as `state-before.sqlite`, later ones as `state-before-2.sqlite` and so on."
    ]
    ja [
        "台帳が破損しているか、より新しいバージョンで書き込まれています。",
        "どのファイルがコピーに属するかを判断できないため、取得も削除も行いません。",
        "`resourcesync sync --rebuild URI DIR` を実行します。最初の実行で `--layout`、`--place`、`--set` を指定した場合は、同じものを指定します。リストと一致するファイルを引き継ぎ、ほかは取得し、置き換えたファイルはゴミ箱に移します。破損した台帳は `state-before.sqlite`（2 回目以降は `state-before-2.sqlite` など）として残します。"
    ]
    message_ja "このコピーの状態を使用できない: {reason}"
    help_ja "`resourcesync sync --rebuild URI DIR` で作り直してください。リストと一致するファイルは取得せずに引き継ぎます"

    "SYN-12" = "no-digest", Warning;
    message "resources without a listed digest, which `--require-hash` requires: {n}"
    help "ask the Source to list `hash`, or run without `--require-hash`"
    en [
        "A resource is listed without a digest that can be checked.",
        "Whether a copy is exact cannot be proven.",
        "Ask the Source to list `hash` with sha-256 for each resource."
    ]
    ja [
        "検証できるダイジェストがリソースに記載されていません。",
        "コピーが正確であることを証明できません。",
        "各リソースに sha-256 の `hash` を記載するよう、ソースの管理者に依頼します。"
    ]
    message_ja "`--require-hash` が指定されているが、{n} 件のリソースにダイジェストの記載がない"
    help_ja "`hash` の記載をソースに依頼するか、`--require-hash` を外してください"

    "SYN-13" = "patch-not-used", Info;
    message "the patch `{patch}` of `{uri}` is not used: {reason}; the resource is fetched"
    help "tell the Source if this happens often: the patch does not lead from the previous state to the listed one"
    en [
        "A Change List links to a patch, but it could not be fetched or applied, or its result does not have the digest and the length that are listed.",
        "A patch is used only if its result is exactly what is listed. If not, the resource is fetched from its URI: that takes longer, and changes nothing else.",
        "Nothing has to be done for the copy. The Source should compute patches from the bytes that it served before."
    ]
    ja [
        "変更リストからリンクされたパッチを取得または適用できないか、適用した結果が記載のダイジェストや長さと一致しません。",
        "パッチは、結果が記載の状態と完全に一致する場合にだけ使用します。一致しない場合、リソースはその URI から取得します。時間は長くなりますが、結果は変わりません。",
        "コピーのための対処は不要です。ソースは、以前に提供していたバイト列をもとにパッチを作成する必要があります。"
    ]
    message_ja "`{uri}` のパッチ `{patch}` を使用しない（{reason}）。リソース全体を取得する"
    help_ja "頻繁に起きる場合は、ソースに知らせてください。パッチが以前の状態から記載の状態に至りません"

    "SYN-14" = "budget", Warning;
    message "the budget of this run is used up ({limit}); resources left for the next one: {n}"
    help "run again: it goes on where this one ended"
    en [
        "The run has fetched as many bytes, or taken as much time, as `--max-bytes` and `--max-time` allow.",
        "What was fetched is stored. The rest is not, and nothing was deleted. A list that was not read to its end counts as unread.",
        "Run again; nothing is fetched twice."
    ]
    ja [
        "`--max-bytes` または `--max-time` で指定した量に達しました。",
        "取得したものは保存されています。残りは未取得で、削除も行っていません。最後まで読み取れなかったリストは、未読として扱います。",
        "再実行します。同じものを二度取得することはありません。"
    ]
    message_ja "この実行の上限（{limit}）に達し、{n} 件のリソースが残っている"
    help_ja "再実行すると、続きから処理します"

    "SYN-15" = "no-space", Warning;
    message "the copy cannot be written: {reason}"
    help "make room, make the folder writable, or check the store and its credentials, then run again"
    en [
        "The system or the store of the copy rejected a write: no space is left, a quota is exceeded, the file system \
            is read-only, the credentials do not suffice, or a device failed.",
        "Files placed before are complete. Nothing is replaced or deleted after such a failure.",
        "Remove the cause and run again; the run continues where this one ended."
    ]
    ja [
        "書き込みがシステムまたはオブジェクトストアに拒否されました。空き領域の不足、クォータの超過、読み取り専用、認証情報の不備、またはデバイスの故障です。",
        "それまでに保存したものは完全です。この後の置き換えや削除は行いません。",
        "原因を取り除いて再実行すると、続きから処理します。"
    ]
    message_ja "コピーに書き込めない: {reason}"
    help_ja "空き領域、書き込み権限、またはストアと認証情報を確認して、再実行してください"

    "SYN-16" = "unread-list", Warning;
    message "`{uri}` was not read to its end: {reason}; nothing is concluded from it"
    help "run again later; `resourcesync validate --follow` shows what is wrong with the documents"
    en [
        "A document of the Source is missing, not well-formed, truncated, or of another kind than expected.",
        "A partial list proves nothing about resources that it does not contain. Its entries are not used, and \
            nothing is deleted.",
        "Run again if the failure may be temporary. Otherwise validate the Source and report the result to its \
            maintainers."
    ]
    ja [
        "ソースの文書が存在しないか、整形式でないか、途中で切れているか、想定と異なる種類です。",
        "リストの一部からは、そこに記載のないものについて何も判断できません。そのエントリは使用せず、削除も行いません。",
        "一時的な障害であれば再実行します。そうでなければソースを検証し、結果を管理者に伝えます。"
    ]
    message_ja "`{uri}` を最後まで読み取れなかったため、使用しない: {reason}"
    help_ja "後で再実行してください。文書の問題は `resourcesync validate --follow` で確認できます"

    "SYN-17" = "unreadable-entries", Warning;
    message "entries that could not be looked at, since their `loc` cannot be read or requested: {n}; nothing is deleted for not being listed"
    help "allow their hosts with `--allow-host`, or raise the limit that they exceed; `resourcesync validate` shows entries that cannot be read"
    en [
        "Entries of a list have no `loc`, or one that is not an absolute URI; or one that may not be requested: another \
            scheme than http and https, a user name, a host that was not allowed, more bytes than a limit allows.",
        "Each of them may be one of the resources that seem to be missing, under a new URI. Nothing is deleted for not being listed.",
        "Allow the hosts that the Source has moved to. Validate the list; each entry that cannot be read is reported with its position."
    ]
    ja [
        "リストのエントリに `loc` がないか、絶対 URI ではないか、または要求できない URI です。http と https 以外のスキーム、ユーザ名を含む URI、許可していないホスト、上限を超える大きさなどが該当します。",
        "消えたように見えるリソースが、新しい URI で記載されている可能性があります。そのため、リストにないリソースを削除しません。",
        "ソースの移転先のホストを許可します。リストを検証すると、読み取れないエントリの位置が報告されます。"
    ]
    message_ja "`loc` を読み取れない、または要求できないエントリが {n} 件あるため、リストにないリソースを削除しない"
    help_ja "`--allow-host` でホストを許可するか、超えている上限を上げてください。読み取れないエントリは `resourcesync validate` で確認できます"

    "SYN-18" = "deletions-postponed", Warning;
    message "resources that seem to be gone: {n}; not deleted, since not everything was read or transferred"
    help "run again"
    en [
        "What was read does not list these resources, or states that they are deleted, but a list could not be read, transfers failed temporarily, or the run ended early.",
        "They may be in the list that was not read, and a failing Source is no reliable evidence for a deletion.",
        "Run again; what is gone is deleted by a run that reads all lists and in which nothing fails."
    ]
    ja [
        "読み込んだリストにないリソース、または削除されたと書かれたリソースがありますが、読み込めなかったリストがあるか、転送が一時的に失敗したか、実行が途中で終わりました。",
        "読み込めなかったリストに載っているかもしれません。障害のあるソースは、リソースが消えたことの根拠になりません。",
        "再実行します。すべてのリストを読み込み、何も失敗しなかった実行で、消えたものが削除されます。"
    ]
    message_ja "{n} 件のリソースが消えた可能性があるが、一部を読み取りまたは転送できなかったため、削除しない"
    help_ja "再実行してください"

    "SYN-19" = "same-time-other-list", Warning;
    message "`{uri}` still has the time {at}, and other entries than before; nothing is deleted for not being listed"
    help "ask the Source to give each list a time of its own; `--accept-older` uses it nevertheless"
    en [
        "A Resource List has the time that it had when it was read before, and another content.",
        "Which of the two is the state of the Source cannot be known, so a resource that is missing in it is not deleted.",
        "A Source should change `at` whenever it writes a list. With `--accept-older` the list is used like any other."
    ]
    ja [
        "リソースリストの日時は以前と同じですが、内容が異なります。",
        "どちらがソースの状態かを判断できないため、記載のないリソースを削除しません。",
        "ソースは、リストを書き換えるたびに `at` を変更する必要があります。`--accept-older` を指定すると、通常のリストとして使用します。"
    ]
    message_ja "`{uri}` の日時 {at} は以前と同じで内容が異なるため、リストにないリソースを削除しない"
    help_ja "リストごとに異なる日時を記載するよう、ソースに依頼してください。`--accept-older` を指定すると使用します"

    "SYN-20" = "unconfirmed-changes", Info;
    message "resources with changes of notifications that no list confirms yet: {n}"
    help "nothing: the next run reads the lists, and compares everything if they lack these changes"
    en [
        "Changes were applied directly from notifications (`listen --direct`), and no Change List with them has been read since.",
        "Whoever can send notifications can state changes that the Source did not make. Only its lists prove them, so the copy is not in step yet.",
        "Nothing. A run confirms the changes that the Change Lists contain. If they reach beyond a change and lack it, or lack it for ten minutes, everything is compared with the Resource Lists."
    ]
    ja [
        "通知の変更が直接適用され（`listen --direct`）、その変更を含む変更リストがまだ読み取られていません。",
        "通知を送信できる者は、ソースにない変更も通知できます。変更を証明できるのはソースのリストだけであるため、まだ同期済みとはしません。",
        "対処は不要です。変更リストに含まれる変更は、次の実行で確認されます。変更リストがその時点より後まで進んでも変更が含まれない場合や、10 分たっても含まれない場合は、すべてをリソースリストと比較します。"
    ]
    message_ja "通知から適用し、リストでまだ確認されていない変更が {n} 件のリソースにある"
    help_ja "対処は不要です。次の実行でリストを読み取り、変更が含まれていなければすべてを比較します"

    "SYN-21" = "package-not-used", Warning;
    message "nothing is taken from `{uri}`: {reason}; its resources are requested one by one"
    help "tell the Source; `resourcesync validate` shows what is wrong with a dump or a package"
    en [
        "A dump, or a package that it lists, could not be read, or is not what the dump, its manifest or the archive state.",
        "A package supplies resources only if all of it is sound. If not, its resources come from their own URIs: that takes longer, and changes nothing else.",
        "Nothing has to be done for the copy. The Source should repair or remove the package."
    ]
    ja [
        "ダンプ、またはそれに記載されたパッケージを読み取れないか、ダンプ、マニフェスト、アーカイブの記載と一致しません。",
        "パッケージは、全体に問題がない場合にだけ使用します。問題がある場合、リソースはそれぞれの URI から取得します。時間は長くなりますが、結果は変わりません。",
        "コピーのための対処は不要です。ソースは、パッケージを修正するか削除する必要があります。"
    ]
    message_ja "`{uri}` を使用しない（{reason}）。そのリソースは個別に取得する"
    help_ja "ソースに知らせてください。ダンプやパッケージの問題は `resourcesync validate` で確認できます"

    "SYN-22" = "no-run", Error;
    message "no run was possible: {reason}"
    help "correct this; the other Sources of the configuration were not affected"
    en [
        "Of several Sources in one configuration, this one could not be synchronized at all: its folder cannot be used or holds another copy, or an option cannot have its effect.",
        "Each Source has its own run, so that the others were synchronized. This copy stays as it was.",
        "Correct what the reason names, and run the same command again."
    ]
    ja [
        "1 つの設定に記載された複数のソースのうち、このソースは実行を開始できません。フォルダを使用できない、別のソースのコピーがある、指定が無効である、などの理由によります。",
        "実行はソースごとに独立しているため、ほかのソースは同期されています。このコピーは以前のままです。",
        "理由に示された点を修正してから、同じコマンドを再度実行します。"
    ]
    message_ja "実行を開始できない: {reason}"
    help_ja "修正してください。設定に記載されたほかのソースに影響はありません"

    "SYN-23" = "generation-not-shown", Warning;
    message "readers see the folder as it was before this run: {reason}"
    help "run it again: what was fetched is in the next generation and is not fetched again"
    en [
        "With `--whole` the folder is exchanged for its next generation only if that is in step. This run was not, or the file system refused the exchange.",
        "Readers see complete generations only. The counts in the report are those of the generation that was not shown; what is held is that of the folder, and `asOf` is not stated.",
        "Correct what else the report names, and run again. Without `--whole` the run shows what it has."
    ]
    ja [
        "`--whole` を指定すると、次の世代が同期済みになった場合にだけフォルダと入れ替えます。この実行では同期済みにならなかったか、ファイルシステムが入れ替えを拒否しました。",
        "閲覧者に見えるのは完全な世代だけです。レポートの件数は公開されなかった世代のもので、保持数はフォルダのものです。`asOf` は記載しません。",
        "レポートにあるほかの問題を修正してから、再度実行します。`--whole` を指定しない場合は、取得したものがそのまま公開されます。"
    ]
    message_ja "閲覧者に見えるフォルダは実行前のまま: {reason}"
    help_ja "再度実行してください。取得済みのものは次の世代に保存されており、再取得しません"

    "SYN-24" = "related-resources-not-allowed", Info;
    message "linked resources that are not fetched, since their hosts are not allowed: {n}; the first is `{uri}`"
    help "allow their hosts with `--allow-host`"
    en [
        "With `--with-metadata` or `--alternates`, resources that entries link to are copied, too. Some of them are at hosts that may not be requested.",
        "A list may link to any host. Only the host of the Source is requested unless others are allowed; the copy is in step without these resources.",
        "If they belong to the copy, allow their hosts with `--allow-host`."
    ]
    ja [
        "`--with-metadata` または `--alternates` を指定すると、エントリからリンクされたリソースもコピーします。その一部は、要求を許可していないホストにあります。",
        "リストは任意のホストへのリンクを含むことができます。許可がない限り、ソースのホストだけに要求します。これらのリソースがなくても、コピーは同期済みになります。",
        "コピーに含める場合は、`--allow-host` でホストを許可します。"
    ]
    message_ja "リンク先の {n} 件は、ホストが許可されていないため取得しない（最初のものは `{uri}`）"
    help_ja "`--allow-host` でホストを許可してください"

    "SYN-25" = "stream-gap", Error;
    message "no Change List contains the changes between {after} and {before}; the stream cannot continue without them"
    help "read the Resource Lists, then begin a new stream; `onGap=row` continues with the lists that are there"
    en [
        "The Change Lists do not continue where the stream was: a list was removed, cannot be found, or the next one begins later.",
        "Going on would lose changes without notice.",
        "Compare what you hold with the Resource Lists, then begin a stream with a new checkpoint. With `onGap=row` the stream goes on with the lists that are there, and a row has this message."
    ]
    ja [
        "変更リストが、ストリームの読み取り位置から続いていません。リストが削除されたか、見つからないか、次のリストがより後から始まっています。",
        "そのまま続けると、変更が気付かれないまま失われます。",
        "保持しているものをリソースリストと比較し、新しいチェックポイントでストリームを開始します。`onGap=row` を指定すると、残っているリストから続行し、このメッセージを 1 行として出力します。"
    ]
    message_ja "{after} から {before} までの変更がどの変更リストにもないため、ストリームを続行できない"
    help_ja "リソースリストを読み取ってから新しいストリームを開始してください。`onGap=row` を指定すると、残っているリストから続行します"

    "SYN-26" = "rewritten-change-list", Error;
    message "no Change List begins any more with the entries that were read of `{uri}`"
    help "ask the Source to only append to its open Change List; `onRewrite=row` reads the list again from its first entry"
    en [
        "Entries of an open Change List that were read before were changed or removed, or were put in another order.",
        "An open Change List only grows. Which of its changes are new cannot be known otherwise, so that some would be lost or repeated.",
        "Contact the Source. With `onRewrite=row` the stream reads the list again from its first entry, and a row has this message: changes are then repeated."
    ]
    ja [
        "以前に読み取った開いている変更リストのエントリが、変更または削除されたか、並べ替えられています。",
        "開いている変更リストには追加だけが許されます。そうでない場合、どの変更が新しいかを判断できず、変更が失われるか繰り返されます。",
        "ソースの管理者に連絡します。`onRewrite=row` を指定すると、リストを先頭から読み直し、このメッセージを 1 行として出力します。その場合、変更は繰り返されます。"
    ]
    message_ja "`{uri}` から読み取ったエントリで始まる変更リストがなくなった"
    help_ja "開いている変更リストには追加だけを行うよう、ソースに依頼してください。`onRewrite=row` を指定すると、リストを先頭から読み直します"

    "SYN-27" = "batch-not-repeatable", Error;
    message "the entries {from} to {to} of `{uri}` were changed or removed, so that their batch cannot be read again"
    help "read the Resource Lists, then begin a new stream"
    en [
        "A batch of a stream is read again after a failure, and no Change List has its entries any more.",
        "The batch would have other rows than before.",
        "Compare what you hold with the Resource Lists, then begin a stream with a new checkpoint."
    ]
    ja [
        "ストリームのバッチを障害の後に読み直したところ、そのエントリがどの変更リストにもありません。",
        "バッチの行が以前と異なることになります。",
        "保持しているものをリソースリストと比較し、新しいチェックポイントでストリームを開始します。"
    ]
    message_ja "`{uri}` の {from} から {to} までのエントリが変更または削除されたため、そのバッチを再度読み取れない"
    help_ja "リソースリストを読み取ってから、新しいストリームを開始してください"

    "SYN-28" = "unreadable-digest", Warning;
    message "resources that were not verified, since their listed digest or length cannot be read: {n}"
    help "`resourcesync validate` shows the entries; tell the Source"
    en [
        "A list states a digest or a length of a resource in a form that cannot be read: without the name of a known algorithm, with another number of digits than the algorithm has, or with commas between digests.",
        "The bytes were stored as they came. Whether they are those of the list is not known.",
        "Validate the list, and tell the Source: each entry is reported with its position."
    ]
    ja [
        "リソースのダイジェストまたは長さが、読み取れない形式で記載されています。既知のアルゴリズムの名前がない、桁数がアルゴリズムと合わない、複数のダイジェストがコンマで区切られている、などの場合です。",
        "受信した内容をそのまま保存しました。リストに記載された内容と同じかどうかは確認できません。",
        "リストを検証すると、該当するエントリの位置が報告されます。ソースの管理者に連絡します。"
    ]
    message_ja "記載されたダイジェストまたは長さを読み取れないため、{n} 件のリソースを検証していない"
    help_ja "該当するエントリは `resourcesync validate` で確認できます。ソースの管理者に連絡してください"

    "SYN-29" = "state-not-saved", Error;
    message "the state was not saved in the store: {reason}"
    help "correct this, and run again on this machine: until then a run on another one does not begin without `--rebuild`"
    en [
        "With `--save-state` a run leaves its state in the object store, so that the next run can be on another machine. This state is not there.",
        "The copy is what the rest of the report says. Its state is only in the folder of this machine, and a run with an older one could claim what is not so.",
        "Correct what the reason names, and run again with the same folder. If that is lost, `--rebuild` compares everything that is stored with the lists."
    ]
    ja [
        "`--save-state` を指定すると、次の実行を別のマシンで行えるように、状態をオブジェクトストアに保存します。今回の状態は保存されていません。",
        "コピーの状況は、レポートのほかの部分に示すとおりです。状態はこのマシンのフォルダにだけあり、古い状態による実行は誤った結果を報告するおそれがあります。",
        "理由に示された点を修正し、同じフォルダで再度実行します。フォルダが失われた場合は、`--rebuild` を指定すると、保存されているすべてをリストと比較します。"
    ]
    message_ja "状態をストアに保存できない: {reason}"
    help_ja "修正してから、このマシンで再度実行してください。それまで、別のマシンでの実行には `--rebuild` が必要です"

    "SYN-30" = "nothing-selected", Warning;
    message "none of the {n} listed resources is selected"
    help "compare `--include`, `--exclude` and `--type` with the listed URIs: `*` stays within a segment, `**` does not, and other characters stand for themselves"
    en [
        "The Source lists resources, and the selection leaves out each of them. So nothing is stored, and an empty copy is in step.",
        "Mostly a pattern is misspelt, or written for another program: brackets and braces stand for themselves here.",
        "Compare the selection with the URIs and media types of the lists. If nothing is wanted of this Source, there is nothing to correct."
    ]
    ja [
        "ソースにはリソースが記載されていますが、指定された条件に合うものが 1 件もありません。そのため何も保存されず、空のコピーが同期済みになります。",
        "パターンの書き間違いや、ほかのプログラムの書き方によることがほとんどです。角括弧や波括弧は、ここでは文字そのものを表します。",
        "指定した条件を、リストに記載された URI やメディアタイプと比較します。このソースから何も取得しないのであれば、修正は不要です。"
    ]
    message_ja "記載された {n} 件のリソースのうち、条件に合うものがない"
    help_ja "`--include`、`--exclude`、`--type` を、記載された URI と比較してください。`*` は 1 つの区切りの中だけに、`**` は区切りを越えて一致し、ほかの文字はその文字自身を表します"
}

#[cfg(test)]
mod tests {
    use alloc::{string::String, vec::Vec};

    use resourcesync::{
        diagnostic::{Arg, Code},
        report::Lang,
    };

    use super::*;

    #[test]
    fn ids_and_names_are_there_once_and_not_those_of_the_core() {
        let mut names: Vec<&str> = ROWS.iter().flat_map(|row| [row.id, row.name]).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ROWS.len() * 2);
        assert!(ROWS.iter().all(|row| Code::find(row.id).is_none() && find(row.name).is_some()));
        assert!(ROWS.iter().map(|row| row.id).is_sorted());
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
        let row = find("too-many-deletions").map(|row| {
            let args = [("n", Arg::from(30_u64)), ("held", Arg::from(100_u64)), ("most", Arg::from(20_u64))];
            row.message(&args.map(|(name, value)| (String::from(name), value)).into_iter().collect(), Lang::En)
        });
        let message = "30 of 100 resources are no longer listed or are stated as deleted, more than one run may delete (20); none of them was deleted";
        assert_eq!(row.as_deref(), Some(message));
    }
}

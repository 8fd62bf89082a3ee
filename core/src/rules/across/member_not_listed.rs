//! `member-not-listed`: a part of a set that the index of the set leaves out.

use crate::rules::rule;

rule! {
    "member-not-listed" reports [RLI_07, RDI_07, CLI_07, CDI_07]
    checks []
    message "`{uri}` is a {expectedKind} of the same set and is not listed in this index"
    help "add the document to the index, or withdraw it"
    en {
        what "An index has one `sitemap` entry for every document of its kind that describes the set."
        why "A harvester reads what the index lists. The document it leaves out is never read, so its resources or changes are \
            missing in every copy."
        mend "Write the index anew whenever a part is added."
    }
    ja {
        message "同じ集合の{expectedKind} `{uri}` がこのインデックスに載っていない"
        help "文書をインデックスに加えるか、公開をやめる"
        what "インデックスは、集合を記述する同じ種類の文書すべてについて、一つずつ `sitemap` エントリを持ちます。"
        why "ハーベスタはインデックスに載っている文書だけを読みます。載っていない文書のリソースや変更は、どの複製にも反\
            映されません。"
        mend "部分を追加するたびにインデックスを書き直します。"
    }
    wrong ""
    right ""
}

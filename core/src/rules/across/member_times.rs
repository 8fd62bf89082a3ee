//! `member-times`: times of an index entry that differ from those of the member.

use crate::rules::rule;

rule! {
    "member-times" reports [RLI_13, CLI_16]
    checks []
    message "`{attribute}` is `{value}` here and `{expected}` in the {kind} `{uri}`"
    help "copy the value from the root `rs:md` of the member"
    en {
        what "`at` and `completed`, or `from` and `until`, of an index entry are those of the document it leads to."
        why "A harvester chooses by these values which documents to read. With wrong ones it reads too many, or misses those it \
            needs."
        mend "Write the entry from the member when the member is finished."
    }
    ja {
        message "`{attribute}` はここでは `{value}`、{kind} `{uri}` では `{expected}` である"
        help "メンバーのルート `rs:md` の値を写す"
        what "インデックスのエントリの `at` と `completed`、`from` と `until` は、リンク先の文書の値と同じです。"
        why "ハーベスタはこの値を見て読む文書を選びます。誤っていると、余計な文書を読むか、必要な文書を読み落とします。"
        mend "メンバーが完成したときに、その値からエントリを書きます。"
    }
    wrong ""
    right ""
}

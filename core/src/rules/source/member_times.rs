//! `member-times`: an index entry whose times differ from those of its document.

use crate::rules::rule;

rule! {
    "member-times" reports [RLI_13, CLI_16]
    checks in ["source/checks/indexes.rs"]
    message "`{attribute}` is `{value}`, but the {kind} `{uri}` has `{expected}`"
    help "copy the value from the root's `rs:md` of that document"
    en {
        what "`at` and `completed`, or `from` and `until`, of an index entry are those of the document that it lists."
        why "A harvester uses these values to select the documents to read. With wrong values, it reads too many or \
            misses some."
        fix "Write the entry from the values of the document once that document is finished."
    }
    ja {
        message "`{attribute}` の値 `{value}` が、{kind} `{uri}` の値 `{expected}` と異なる"
        help "その文書のルート要素の `rs:md` から値をコピーしてください"
        what "インデックスのエントリの `at` と `completed`、または `from` と `until` は、列挙する文書の値と同じです。"
        why "ハーベスタは、これらの値をもとに読む文書を選択します。値が誤っていると、余分な文書を読むか、必要な文書を\
            見落とします。"
        fix "文書が完成した時点で、その値からエントリを書き出します。"
    }
    wrong ""
    right ""
}

//! `missing-index-link`: a listed document without an `index` link to its index.

use crate::rules::rule;

rule! {
    "missing-index-link" reports [RL_07, RD_07, CL_07, CD_07, SD_14, GEN_29]
    checks in ["source/checks/indexes.rs"]
    message "the {kind} has no `index` link, although the index `{uri}` lists it"
    help r#"add `<rs:ln rel="index" href="{uri}"/>` under the root element"#
    en {
        what "A document that is listed in an index links to the index with `rel=\"index\"`."
        why "A harvester that found a single part, through a notification or a bookmark, learns from this link that \
            there are others. Without it, the harvester takes the part for the whole."
        fix "Add the link to every part when you write the index. The URI of the index stays the same when parts are \
            added."
    }
    ja {
        message "インデックス `{uri}` に列挙されている{kind}に `index` リンクがない"
        help r#"ルート要素の直下に `<rs:ln rel="index" href="{uri}"/>` を追加してください"#
        what "インデックスに列挙されている文書は、`rel=\"index\"` でそのインデックスにリンクします。"
        why "通知やブックマークから一部の文書だけを知ったハーベスタは、このリンクによって、ほかにも文書があることを\
            知ります。リンクがないと、一部が全体とみなされます。"
        fix "インデックスを作成するときに、各文書にリンクを追加します。文書が増えても、インデックスの URI は\
            変わりません。"
    }
    wrong ""
    right ""
}

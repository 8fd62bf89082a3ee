//! `repeated-member`: two members of one name.

use crate::rules::rule;

rule! {
    "repeated-member" reports [PKG_12]
    checks []
    message "{count} members are called `{member}`"
    help "pack each file once, and build the archive anew instead of adding to it"
    en {
        what "No two members of a package have the same name."
        why "One harvester unpacks the first, another the last: they store different bytes for one resource, and a \
            digest that fits for one fails for the other."
        mend "Delete the old archive before writing the new one. Python's `zipfile` in mode `a` and streaming writers \
            add a second member instead of replacing the first."
    }
    ja {
        message "`{member}` という名前のメンバーが {count} 個ある"
        help "ファイルは一度だけ入れ、追記せずにアーカイブを作り直す"
        what "パッケージには、同じ名前のメンバーは二つとありません。"
        why "先のメンバーを展開するハーベスタもあれば、後のものを展開するハーベスタもあります。同じリソースに別々の内\
            容が保存され、ダイジェストの合否も分かれます。"
        mend "古いアーカイブを消してから新しく書き出します。Python の `zipfile` のモード `a` などは、置き換えず\
            に二つ目のメンバーを加えます。"
    }
    wrong ""
    right ""
}

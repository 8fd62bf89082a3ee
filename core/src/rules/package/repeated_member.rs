//! `repeated-member`: several members with the same name.

use crate::rules::rule;

rule! {
    "repeated-member" reports [PKG_12]
    checks in ["package/name_collision.rs"]
    message "{count} members are named `{member}`"
    help "add each file only once, and rebuild the archive instead of appending to it"
    en {
        what "No two members of a package have the same name."
        why "Some harvesters unpack the first member, others the last. They store different bytes for the same \
            resource, and digest verification succeeds for one and fails for the other."
        fix "Delete the old archive before writing the new one. Python's `zipfile` in mode `a` and streaming writers \
            add a second member instead of replacing the first."
    }
    ja {
        message "`{member}` という名前のメンバーが {count} 個ある"
        help "各ファイルを 1 回だけ追加し、追記せずにアーカイブを作り直してください"
        what "パッケージに同じ名前のメンバーが複数あってはなりません。"
        why "最初のメンバーを展開するハーベスタと、最後のメンバーを展開するハーベスタがあります。同じリソースとして\
            異なる内容が保存され、ダイジェストの検証結果も分かれます。"
        fix "古いアーカイブを削除してから、新しいアーカイブを書き出します。Python の `zipfile` のモード `a` や、\
            ストリーム方式で書き出すツールでは、最初のメンバーが置き換えられず、2 つ目のメンバーが追加されます。"
    }
    wrong ""
    right ""
}

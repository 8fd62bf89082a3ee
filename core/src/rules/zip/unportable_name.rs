//! `unportable-name`: a member name that is invalid on Windows.

use crate::rules::rule;

rule! {
    "unportable-name" reports [ZIP_14]
    checks in ["package/name.rs"]
    message "member name `{member}` is invalid on Windows"
    help r#"do not use `< > : " | ? *` in names"#
    en {
        what "Member names are valid on every common system."
        why "A harvester on Windows rejects the file or renames it, and then does not find it under its `path`."
        fix "Replace these characters when you build the package, both in the archive and in `path`. The URI in `loc` \
            may contain them."
    }
    ja {
        message "メンバー名 `{member}` は Windows では無効"
        help r#"名前に `< > : " | ? *` を使わないでください"#
        what "メンバー名は、一般的なシステムのいずれでも有効なものとします。"
        why "Windows 上のハーベスタは、ファイルを拒否するか名前を変更するため、`path` のファイルを\
            見つけられなくなります。"
        fix "パッケージの作成時に、アーカイブと `path` の両方でこれらの文字を置き換えます。`loc` の URI には\
            使用できます。"
    }
    wrong ""
    right ""
}

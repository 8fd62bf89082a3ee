//! `unreadable-package`: a package that is not a readable ZIP archive.

use crate::rules::rule;

rule! {
    "unreadable-package" reports [PKG_08]
    checks in ["package/structure.rs", "package/verify/verification/transitions.rs", "source/checks/packages.rs"]
    message "not a readable ZIP archive ({problem})"
    help "rebuild the package and publish it completely"
    en {
        what "A package of type `application/zip` is a readable ZIP archive."
        why "A harvester cannot open it and gets none of the bitstreams. Usually an upload or download was \
            interrupted, or a server sent a web page instead of the file."
        fix "Test the file where it was made (`unzip -t`), then the published one. Write packages under a temporary \
            name and rename them when they are complete."
    }
    ja {
        message "ZIP アーカイブとして読み取れない（{problem}）"
        help "パッケージを作り直し、完全な状態で公開してください"
        what "`application/zip` のパッケージは、読み取り可能な ZIP アーカイブです。"
        why "ハーベスタはパッケージを開けず、ビットストリームを 1 つも取得できません。アップロードやダウンロードの\
            中断や、サーバがファイルの代わりに Web ページを返したことが主な原因です。"
        fix "作成した場所のファイルと公開したファイルを、それぞれ `unzip -t` で検査します。パッケージは一時的な名前で\
            書き出し、完成してから名前を変更します。"
    }
    wrong ""
    right ""
}

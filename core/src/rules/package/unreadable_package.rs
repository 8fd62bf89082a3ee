//! `unreadable-package`: a package that is no ZIP archive.

use crate::rules::rule;

rule! {
    "unreadable-package" reports [PKG_08]
    checks []
    message "not a ZIP archive that can be read ({problem})"
    help "build the package again and publish it complete"
    en {
        what "A package of the type `application/zip` is a readable ZIP archive."
        why "A harvester cannot open it and gets none of the bitstreams. Most often the upload or download stopped \
            half way, or a server answered with a page instead of the file."
        mend "Test the file where it was made (`unzip -t`), then the published one. Write packages under another name \
            and rename them when they are complete."
    }
    ja {
        message "ZIP アーカイブとして読み取れない（{problem}）"
        help "パッケージを作り直し、完全な形で公開する"
        what "メディアタイプが `application/zip` のパッケージは、読み取れる ZIP アーカイブです。"
        why "ハーベスタは開くことができず、ビットストリームを一つも取得できません。転送が途中で切れた場合や、サーバが\
            ファイルの代わりにページを返した場合に多く見られます。"
        mend "作成した場所のファイルと公開したファイルを、それぞれ `unzip -t` で確かめます。パッケージは別名で書\
            き出し、完成してから名前を変えます。"
    }
    wrong ""
    right ""
}

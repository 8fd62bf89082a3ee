//! `data-after-stream`: bytes after the end of a compressed stream.

use crate::rules::rule;

rule! {
    "data-after-stream" reports [ZIP_22]
    checks in ["package/unpack.rs"]
    message "{bytes} bytes after the end of the compressed data of `{member}`"
    help "rebuild the archive with a current tool"
    en {
        what "The compressed data of a member fills its declared size completely."
        why "Streaming readers take these bytes for the next header; others never see them. They can be used to hide \
            data."
        fix "Rebuild the archive from the original files with a current tool."
    }
    ja {
        message "`{member}` の圧縮データの後に余分な {bytes} バイトがある"
        help "現行のツールでアーカイブを作り直してください"
        what "メンバーの圧縮データは、宣言されたサイズの最後のバイトで終わります。"
        why "ストリームとして読むツールはこれを次のヘッダとみなし、ほかのツールからは見えません。データを隠すために\
            悪用されることがあります。"
        fix "元のファイルから、現行のツールでアーカイブを作り直します。"
    }
    wrong ""
    right ""
}

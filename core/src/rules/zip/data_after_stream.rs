//! `data-after-stream`: bytes after the end of a compressed stream.

use crate::rules::rule;

rule! {
    "data-after-stream" reports [ZIP_22]
    checks []
    message "{bytes} bytes follow after the compressed data of `{member}` has ended"
    help "build the archive anew with a current tool"
    en {
        what "The compressed data of a member ends with its last byte."
        why "Readers of streams take these bytes for the next header; others never see them. Data can be hidden there."
        mend "Build the archive anew with a current tool, from the files themselves."
    }
    ja {
        message "`{member}` の圧縮データが終わった後に {bytes} バイトが続いている"
        help "現行のツールでアーカイブを作り直す"
        what "メンバーの圧縮データは、最後のバイトで終わります。"
        why "ストリームとして読むツールはこれを次のヘッダと解釈し、ほかのツールには見えません。データを隠すことがで\
            きます。"
        mend "元のファイルから、現行のツールでアーカイブを作り直します。"
    }
    wrong ""
    right ""
}

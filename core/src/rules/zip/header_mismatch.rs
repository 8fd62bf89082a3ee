//! `header-mismatch`: a local header that contradicts the central directory.

use crate::rules::rule;

rule! {
    "header-mismatch" reports [ZIP_09]
    checks in ["package/structure.rs"]
    message "the local header of `{member}` differs from the central directory (field: {field})"
    help "rebuild the archive with a current tool"
    en {
        what "The local header before the data of a member agrees with its entry in the central directory."
        why "Streaming readers use the local header, all others the central directory. They see different names, sizes \
            or content."
        fix "Rebuild the archive from the original files with a current tool."
    }
    ja {
        message "`{member}` のローカルヘッダがセントラルディレクトリと異なる（フィールド: {field}）"
        help "現行のツールでアーカイブを作り直してください"
        what "メンバーのデータの前にあるローカルヘッダの内容は、セントラルディレクトリの内容と一致します。"
        why "ストリームとして読むツールはローカルヘッダを、ほかのツールはセントラルディレクトリを使います。そのため、\
            名前、サイズ、内容が異なって見えます。"
        fix "元のファイルから、現行のツールでアーカイブを作り直します。"
    }
    wrong ""
    right ""
}

//! `zip-suffix`: bytes after the archive.

use crate::rules::rule;

rule! {
    "zip-suffix" reports [ZIP_02]
    checks in ["package/end.rs"]
    message "{bytes} bytes after the end of the archive"
    help "publish the archive without anything after it"
    en {
        what "A package ends with the end of central directory record and its comment."
        why "Some readers reject such a file, others continue reading, and the trailing bytes may be another archive. \
            Zero bytes that pad the last block are only a warning."
        fix "Look for output that was appended to the finished file. With bsdtar, write to a file instead of a pipe, \
            or use `-b 1`."
    }
    ja {
        message "アーカイブの終わりの後に {bytes} バイトの余分なデータがある"
        help "後ろに何も付けず、アーカイブだけを公開してください"
        what "パッケージは、終端レコードとそのコメントで終わります。"
        why "ファイルを拒否するツールと読み取りを続けるツールがあり、末尾のデータが別のアーカイブになっている\
            可能性もあります。ブロックを埋めるゼロだけの場合は、警告にとどめています。"
        fix "完成したファイルの後に出力が追加されていないかを調べます。bsdtar では、パイプではなくファイルに書き\
            出すか、`-b 1` を使います。"
    }
    wrong ""
    right ""
}

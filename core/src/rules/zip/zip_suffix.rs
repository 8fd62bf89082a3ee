//! `zip-suffix`: bytes after the archive.

use crate::rules::rule;

rule! {
    "zip-suffix" reports [ZIP_02]
    checks []
    message "{bytes} bytes stand after the end of the archive"
    help "publish the archive alone, without anything after it"
    en {
        what "A package ends with the end record of the archive and its comment."
        why "Some readers refuse such a file, others read on, and what stands there may be another archive. Zeros \
            that fill up a block are only a warning."
        mend "Look for output added to the file after it was complete. With bsdtar, write to a file instead of a \
            pipe, or use `-b 1`."
    }
    ja {
        message "アーカイブの終わりの後に {bytes} バイトのデータがある"
        help "後ろに何も付けず、アーカイブだけを公開する"
        what "パッケージは、アーカイブの終端レコードとそのコメントで終わります。"
        why "読み取りを拒否するツールもあれば、読み続けるツールもあり、後ろのデータがもう一つのアーカイブであることも\
            あります。ブロックを埋めるゼロだけの場合は警告にとどめます。"
        mend "完成したファイルの後に出力が加わっていないか確認します。bsdtar \
            では、パイプではなくファイルに書くか `-b 1` を使います。"
    }
    wrong ""
    right ""
}

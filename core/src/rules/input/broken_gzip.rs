//! `broken-gzip`: gzip data that is truncated, corrupted or followed by other data.

use crate::rules::rule;

rule! {
    "broken-gzip" reports [INP_03]
    checks in ["read/item_reader.rs", "validate/document.rs"]
    message "invalid gzip data: {problem}"
    help "compress the document again and transfer the whole file in binary mode"
    en {
        what "A document may be compressed with gzip. The gzip data must be complete, with the correct checksum and \
            length, and nothing may follow it."
        why "A harvester either rejects the file or, worse, uses the part that it could decompress without noticing \
            the missing entries. Some programs read data after the end and others ignore it, so harvesters see \
            different lists."
        fix "Write the compressed file under a temporary name, rename it when it is complete, and test it with \
            `gzip -t`. If it is intact on the server, look for a proxy or a text-mode transfer that modifies it on the \
            way."
    }
    ja {
        message "不正な gzip データ（{problem}）"
        help "文書を圧縮し直し、ファイル全体をバイナリモードで転送してください"
        what "文書は gzip で圧縮できます。gzip データは、途中で切れておらず、チェックサムと長さが一致し、末尾に余分な\
            データがないことが必要です。"
        why "ハーベスタはファイルを拒否するか、さらに悪い場合は展開できた部分だけを使い、エントリの欠落に\
            気付きません。末尾の余分なデータを読むソフトウェアと無視するソフトウェアがあり、ハーベスタによってリストの\
            内容が変わることもあります。"
        fix "圧縮ファイルは一時的な名前で書き出し、完成してから名前を変更して、`gzip -t` で検査します。サーバ上の\
            ファイルが正常であれば、途中のプロキシやテキストモードでの転送で変更されていないかを調べます。"
    }
    wrong ""
    right ""
}

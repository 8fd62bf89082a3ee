//! `broken-gzip`: gzip data that is cut, altered or followed by something else.

use crate::rules::rule;

rule! {
    "broken-gzip" reports [INP_03]
    checks []
    message "the gzip data is damaged: {problem}"
    help "compress the document again and copy it whole, in binary mode"
    en {
        what "A document may be packed with gzip; then the gzip data has to be complete, its check sum and length have to \
            fit, and nothing may follow it."
        why "A harvester either refuses such a file or, worse, works with the part that it could unpack: entries are \
            missing and nothing tells it so. Some programs go on reading what follows the end and others do not, so two \
            harvesters see two lists."
        mend "Write the packed file under another name, rename it when it is complete, and test it with `gzip -t`. If it \
            is whole on the server, look for a proxy or a transfer in text mode that changes it on the way."
    }
    ja {
        message "gzip データが壊れている: {problem}"
        help "文書を圧縮し直し、バイナリのまま全体をコピーする"
        what "文書は gzip で圧縮できますが、gzip データは途中で切れておらず、チェックサムと長さが合い、\
            末尾に余分なバイトがないことが必要です。"
        why "ハーベスタはこのファイルを拒否するか、さらに悪い場合は展開できた部分だけを使い、\
            エントリの欠落に気付きません。末尾の余分なバイトを読むソフトウェアと読まないソフトウェアがあり、\
            ハーベスタによって見えるリストが変わります。"
        mend "圧縮したファイルは別名で書き出し、完成してから名前を変え、`gzip -t` で確かめます。\
            サーバ上で正常なら、途中のプロキシやテキストモードの転送を疑います。"
    }
    wrong ""
    right ""
}

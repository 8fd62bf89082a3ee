//! `document-limit`: a document with more bytes than this run reads.

use crate::rules::rule;

rule! {
    "document-limit" reports [LIM_01]
    checks []
    message "the document is longer than {limit} bytes; the rest was not read"
    help "split the document into parts below an index, or raise `limits.document_bytes` in resourcesync.toml"
    en {
        what "One document is read up to a number of unpacked bytes that lies far above the 50 MB the standard allows."
        why "What follows was not checked, so the verdict is undetermined unless there is an error anyway. Hardly any \
            harvester reads a document of this size: it runs out of time or memory, or refuses it from the start."
        mend "Split the list into documents of at most 50,000 entries and 50 MB, and list them in an index document. If \
            the size is what you want to test, raise the limit."
    }
    ja {
        message "文書が {limit} バイトを超えたため、残りは読み取っていない"
        help "文書を分割してインデックスの下に置くか、resourcesync.toml の `limits.document_bytes` を大きくする"
        what "一つの文書は、標準が認める 50 MB をはるかに超える上限まで（展開後のバイト数で）読み取ります。"
        why "残りは検査されず、エラーがなければ判定は「未確定」になります。\
            この大きさの文書を読めるハーベスタはほとんどなく、時間やメモリが足りなくなるか、最初から拒否されます。"
        mend "リストを 50,000 エントリ、50 MB 以下の文書に分割し、インデックス文書から参照します。\
            この大きさを試すことが目的なら、上限を大きくします。"
    }
    wrong ""
    right ""
}

//! `document-limit`: a document with more bytes than the limit of the run.

use crate::rules::rule;

rule! {
    "document-limit" reports [LIM_01]
    checks in ["read/fault.rs"]
    message "the document exceeds the limit of {limit} bytes; the rest was not read"
    help "split the document into parts and list them in an index, or raise `limits.document_bytes` in resourcesync.toml"
    en {
        what "The uncompressed size of a document is limited, far above the 50 MB that the standard allows."
        why "The rest of the document was not checked, so the verdict is undetermined unless an error was found. \
            Hardly any harvester can process a document of this size: it runs out of time or memory, or rejects the \
            document."
        fix "Split the list into documents of at most 50,000 entries and 50 MB, and list them in an index. If you \
            want to test this very size, raise the limit."
    }
    ja {
        message "文書が上限の {limit} バイトを超過（残りは読み取っていない）"
        help "文書を分割してインデックスに列挙するか、resourcesync.toml の `limits.document_bytes` を大きくしてください"
        what "読み取る文書のサイズには、展開後のバイト数で上限があります。この上限は、標準が定める 50 MB をはるかに\
            上回ります。"
        why "残りの部分は検証していないため、エラーが見つかった場合を除き、判定は「判定保留」になります。これほど\
            大きな文書を処理できるハーベスタはほとんどなく、時間やメモリが不足するか、文書が拒否されます。"
        fix "リストを 50,000 エントリ、50 MB 以下の文書に分割し、インデックスに列挙します。このサイズを試すことが\
            目的であれば、上限を大きくします。"
    }
    wrong ""
    right ""
}

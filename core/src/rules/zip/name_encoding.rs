//! `name-encoding`: a member name whose character encoding is ambiguous.

use crate::rules::rule;

rule! {
    "name-encoding" reports [ZIP_15]
    checks in ["package/directory.rs", "package/structure.rs"]
    message "ambiguous character encoding of the member name `{member}` ({problem})"
    help "write names in UTF-8 and set the UTF-8 flag"
    en {
        what "Non-ASCII member names are encoded in UTF-8, and the header has the UTF-8 flag set."
        why "Without the flag, some readers decode the bytes as UTF-8, others with a legacy code page or that of their \
            own system. Names become garbled and do not match `path`."
        fix "Use a tool that sets the flag (bit 11), such as Python, Java, Go, 7-Zip or libarchive. Info-ZIP's `zip` \
            on Linux does not set it, and Explorer and old tools on Japanese Windows write Shift_JIS."
    }
    ja {
        message "メンバー名 `{member}` の文字エンコーディングが不明確（{problem}）"
        help "名前を UTF-8 で書き、UTF-8 フラグを設定してください"
        what "ASCII 以外の文字を含むメンバー名は UTF-8 で符号化し、ヘッダに UTF-8 フラグを設定します。"
        why "フラグがないと、UTF-8 として解釈するツールと、従来のコードページや実行環境の文字コードとして解釈する\
            ツールがあります。名前が文字化けし、`path` と一致しなくなります。"
        fix "Python、Java、Go、7-Zip、libarchive など、フラグ（ビット 11）を設定するツールを使います。Linux の \
            Info-ZIP の `zip` はフラグを設定しません。日本語版 Windows のエクスプローラーや古いツールは、Shift_JIS で\
            書き込みます。"
    }
    wrong ""
    right ""
}

//! `name-encoding`: a name whose letters cannot be told.

use crate::rules::rule;

rule! {
    "name-encoding" reports [ZIP_15]
    checks []
    message "the letters of the name `{member}` are not certain ({problem})"
    help "write names as UTF-8 and set the flag that says so"
    en {
        what "Names beyond ASCII are UTF-8, and the header says that they are."
        why "Without the flag one reader takes the bytes for UTF-8, another for the code page of an old PC or of its \
            own system. Files get garbled names and are not found under their `path`."
        mend "Use a tool that sets the flag (bit 11), as Python, Java, Go, 7-Zip and libarchive do. `zip` of Info-ZIP \
            on Linux does not, and Explorer and old tools on Japanese Windows write Shift_JIS."
    }
    ja {
        message "名前 `{member}` の文字を確定できない（{problem}）"
        help "名前を UTF-8 で書き、それを示すフラグを立てる"
        what "ASCII 以外を含む名前は UTF-8 で書かれ、ヘッダがそれを示します。"
        why "フラグがなければ、UTF-8 と読むツールもあれば、古い PC や手元の環境の文字コードと読むツールもあります。名\
            前が文字化けし、`path` のファイルが見つかりません。"
        mend "Python、Java、Go、7-Zip、libarchive のように、フラグ（ビット 11）を立てるツールを使います。Linux \
            の Info-ZIP の `zip` はこれを立てず、日本語版 Windows のエクスプローラーや古いツールは Shift_JIS \
            で書きます。"
    }
    wrong ""
    right ""
}

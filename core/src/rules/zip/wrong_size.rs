//! `wrong-size`: a member of another size than declared.

use crate::rules::rule;

rule! {
    "wrong-size" reports [ZIP_20]
    checks []
    message "`{member}` does not unpack to the {declared} bytes it declares ({problem})"
    help "build the archive anew; if the size was meant, the file is damaged"
    en {
        what "The data of a member unpacks to exactly the declared number of bytes."
        why "Some readers cut the file, some pad it, some refuse it. Declaring too little is also how bombs get past \
            checks; unpacking stopped at the declared size."
        mend "Build the archive anew with a current tool, from the files themselves."
    }
    ja {
        message "`{member}` を展開しても、宣言された {declared} バイトにならない（{problem}）"
        help "アーカイブを作り直す（サイズが正しいなら、ファイルが壊れている）"
        what "メンバーのデータは、宣言されたとおりのバイト数に展開されます。"
        why "途中で切るツール、補うツール、拒否するツールがあります。小さく宣言するのは検査をすり抜ける手口でもあるた\
            め、宣言されたサイズで展開を止めました。"
        mend "元のファイルから、現行のツールでアーカイブを作り直します。"
    }
    wrong ""
    right ""
}

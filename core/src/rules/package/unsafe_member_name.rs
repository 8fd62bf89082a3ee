//! `unsafe-member-name`: a member name that leads out of the folder into which it is unpacked.

use crate::rules::rule;

rule! {
    "unsafe-member-name" reports [PKG_13]
    checks in ["package/name.rs"]
    message "unsafe member name `{member}` ({problem})"
    help "use member names of plain segments separated by `/`"
    en {
        what "No member name is absolute, has a `..` segment or contains a backslash."
        why "This is a path traversal: unpacked without precautions, the file overwrites others outside the target \
            folder, so careful harvesters reject the whole package. A backslash is a separator on some systems and an \
            ordinary character on others."
        fix "Make the names relative to the packaged folder, with `/` between segments, before you write them into \
            the archive."
    }
    ja {
        message "安全でないメンバー名 `{member}`（{problem}）"
        help "メンバー名は `/` で区切った通常の名前だけにしてください"
        what "メンバー名は絶対パスであってはならず、`..` のセグメントやバックスラッシュを含んではなりません。"
        why "これはパストラバーサルに当たります。対策なしに展開すると、展開先フォルダの外のファイルが\
            上書きされるため、安全性を重視するハーベスタはパッケージ全体を拒否します。バックスラッシュは、環境によって\
            区切り文字にも通常の文字にもなります。"
        fix "アーカイブに書き込む前に、名前を圧縮対象フォルダからの相対パスにし、区切りを `/` に統一します。"
    }
    wrong ""
    right ""
}

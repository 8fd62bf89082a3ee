//! `unsafe-member-name`: a name that leads out of the package.

use crate::rules::rule;

rule! {
    "unsafe-member-name" reports [PKG_13]
    checks []
    message "member `{member}` has a name that leads elsewhere when unpacked ({problem})"
    help "name members by plain segments and `/` between them"
    en {
        what "No member has a name that is absolute, has a segment `..`, or holds a backslash."
        why "Unpacked carelessly, such a file overwrites others outside the target folder. Careful harvesters refuse \
            the whole package; a backslash is a separator to one system and a letter to another."
        mend "Make names relative to the folder that is packed, with `/` between segments, before they are written \
            into the archive."
    }
    ja {
        message "メンバー `{member}` の名前は、展開すると別の場所を指す（{problem}）"
        help "`/` で区切った普通の名前だけを使う"
        what "メンバーの名前は、絶対パスではなく、`..` やバックスラッシュを含みません。"
        why "不用意に展開すると、展開先の外にあるファイルを上書きします。慎重なハーベスタはパッケージ全体を拒否します\
            。バックスラッシュは、環境によって区切りにも文字にもなります。"
        mend "アーカイブに書き込む前に、名前を圧縮するフォルダからの相対パスにし、区切りを `/` にそろえます。"
    }
    wrong ""
    right ""
}

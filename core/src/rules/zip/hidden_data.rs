//! `hidden-data`: bytes that belong to no member.

use crate::rules::rule;

rule! {
    "hidden-data" reports [ZIP_08]
    checks []
    message "{bytes} bytes at byte {offset} belong to no member"
    help "build the archive anew instead of adding to or deleting from it"
    en {
        what "The members and the directory of an archive fill it without a gap."
        why "What lies in the gap is seen by readers that go from header to header, and by no others. Deleted files \
            stay there too, and are published with the package."
        mend "Build the archive anew with a current tool, from the files themselves."
    }
    ja {
        message "{offset} バイト目からの {bytes} バイトはどのメンバーのものでもない"
        help "追加や削除をせず、アーカイブを作り直す"
        what "アーカイブは、メンバーとディレクトリで隙間なく満たされます。"
        why "隙間のデータは、ヘッダを順にたどるツールにだけ見えます。削除したはずのファイルが残り、パッケージととも\
            に公開されていることもあります。"
        mend "元のファイルから、現行のツールでアーカイブを作り直します。"
    }
    wrong ""
    right ""
}

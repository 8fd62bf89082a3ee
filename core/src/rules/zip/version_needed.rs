//! `version-needed`: a member that asks for a newer format.

use crate::rules::rule;

rule! {
    "version-needed" reports [ZIP_29]
    checks []
    message "`{member}` asks for version {version} of the format; readers know up to 45"
    help "build the archive with a tool that writes plain ZIP"
    en {
        what "Members can be unpacked by readers that know version 4.5 of the format, which brought ZIP64."
        why "Readers that mind the number refuse the member, others unpack it."
        mend "Build the archive anew with a current tool, from the files themselves."
    }
    ja {
        message "`{member}` は形式のバージョン {version} を必要とするが、一般のツールの対応は 45 までである"
        help "標準的な ZIP を書くツールで作り直す"
        what "メンバーは、ZIP64 を導入したバージョン 4.5 までに対応したツールで展開できます。"
        why "バージョンを確かめるツールは拒否し、ほかのツールは展開します。"
        mend "元のファイルから、現行のツールでアーカイブを作り直します。"
    }
    wrong ""
    right ""
}

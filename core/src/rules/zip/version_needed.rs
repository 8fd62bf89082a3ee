//! `version-needed`: a member that requires a newer version of the format.

use crate::rules::rule;

rule! {
    "version-needed" reports [ZIP_29]
    checks in ["package/directory.rs"]
    message "`{member}` requires version {version} of the ZIP format; readers support up to 45"
    help "rebuild the archive with a tool that writes plain ZIP"
    en {
        what "Members can be unpacked by readers that support version 4.5 of the format, which introduced ZIP64."
        why "Readers that check the version reject the member, others unpack it."
        fix "Rebuild the archive from the original files with a current tool."
    }
    ja {
        message "`{member}` は ZIP 形式のバージョン {version} が必要（一般的なツールの対応は 45 まで）"
        help "標準的な ZIP を作成するツールで、アーカイブを作り直してください"
        what "メンバーは、ZIP64 を導入したバージョン 4.5 までに対応したツールで展開できます。"
        why "バージョンを確認するツールはメンバーを拒否し、ほかのツールは展開します。"
        fix "元のファイルから、現行のツールでアーカイブを作り直します。"
    }
    wrong ""
    right ""
}

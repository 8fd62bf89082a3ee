//! `overlapping-members`: members that share bytes.

use crate::rules::rule;

rule! {
    "overlapping-members" reports [ZIP_07]
    checks in ["package/structure.rs"]
    message "`{member}` (local header at offset {offset}) overlaps adjacent data"
    help "rebuild the archive; this one may have been made for an attack"
    en {
        what "Each member occupies its own bytes in the archive."
        why "With overlapping members, a small file expands to petabytes, or a member hides inside another. The \
            affected members were not unpacked."
        fix "Do not unpack this archive. Rebuild it from the original files with a current tool."
    }
    ja {
        message "`{member}`（ローカルヘッダはオフセット {offset}）が隣接するデータと重複"
        help "アーカイブを作り直してください（攻撃用に作成されたものである可能性があります）"
        what "アーカイブ内で、各メンバーは互いに重ならないバイト列を占めます。"
        why "メンバーが重なっていると、小さなファイルを巨大なデータに展開させたり、メンバーの中に別のメンバーを\
            隠したりできます。該当するメンバーは展開していません。"
        fix "このアーカイブは展開せず、元のファイルから現行のツールで作り直します。"
    }
    wrong ""
    right ""
}

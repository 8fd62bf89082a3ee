//! `overlapping-members`: members that share bytes.

use crate::rules::rule;

rule! {
    "overlapping-members" reports [ZIP_07]
    checks []
    message "`{member}` (header at byte {offset}) overlaps what stands next to it"
    help "build the archive anew; it may be made to do harm"
    en {
        what "Each member has its own bytes in the archive."
        why "Overlapping members are how a small file unpacks to petabytes, and how one member hides in another. \
            Nothing of them was unpacked."
        mend "Do not unpack this archive. Build the archive anew with a current tool, from the files themselves."
    }
    ja {
        message "`{member}`（ヘッダは {offset} バイト目）が隣のデータと重なっている"
        help "アーカイブを作り直す（攻撃のために作られたおそれがある）"
        what "メンバーはそれぞれ、アーカイブの中に自分だけのバイト列を持ちます。"
        why "メンバーを重ねると、小さなファイルを巨大に展開させたり、メンバーの中に別のメンバーを隠したりできます。こ\
            れらは展開していません。"
        mend "このアーカイブは展開せず、元のファイルから現行のツールで作り直します。"
    }
    wrong ""
    right ""
}

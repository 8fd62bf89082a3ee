//! `name-limit`: a name longer than this run reads.

use crate::rules::rule;

rule! {
    "name-limit" reports [LIM_06]
    checks []
    message "a name is longer than {limit} bytes; reading stopped here"
    help "shorten the name, or raise `limits.name_bytes` in resourcesync.toml"
    en {
        what "Names of elements and attributes, with their prefix, and names of references are read up to a number of \
            bytes."
        why "Nothing after this place was checked, so the verdict is undetermined unless there is an error anyway. A name \
            of this length is nearly always a value in the wrong place."
        mend "Look for a missing quotation mark or blank before this place, and for a program that makes element names \
            out of data; put data into values."
    }
    ja {
        message "名前が {limit} バイトを超えたため、ここで読み取りを止めた"
        help "名前を短くするか、resourcesync.toml の `limits.name_bytes` を大きくする"
        what "要素や属性の名前（接頭辞を含む）と参照の名前は、決まったバイト数まで読み取ります。"
        why "上限を超えたところで読み取りを止めるため、そこから先は検査されず、\
            エラーがなければ判定は「未確定」になります。これほど長い名前は、ほとんどの場合、\
            値が名前の位置に書かれたものです。"
        mend "この前に引用符や空白が抜けていないか、データから要素名を作っていないかを確認し、\
            データは値として書きます。"
    }
    wrong ""
    right ""
}

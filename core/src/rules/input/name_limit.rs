//! `name-limit`: a name longer than the limit of the run.

use crate::rules::rule;

rule! {
    "name-limit" reports [LIM_06]
    checks in ["read/fault.rs"]
    message "a name exceeds the limit of {limit} bytes; reading stopped here"
    help "shorten the name, or raise `limits.name_bytes` in resourcesync.toml"
    en {
        what "The length of names of elements and attributes, including their prefix, and of references is limited."
        why "The rest of the document was not checked, so the verdict is undetermined unless an error was found. A \
            name of this length is nearly always a value in the wrong place."
        fix "Look for a missing quotation mark or space before this position, and for a program that generates \
            element names from data. Write data as values."
    }
    ja {
        message "名前が上限の {limit} バイトを超過（ここで読み取りを中止）"
        help "名前を短くするか、resourcesync.toml の `limits.name_bytes` を大きくしてください"
        what "要素と属性の名前（接頭辞を含む）、および参照の名前の長さには、上限があります。"
        why "ここから先は検証していないため、エラーが見つかった場合を除き、判定は「判定保留」になります。これほど長い\
            名前は、ほとんどの場合、誤って値が名前の位置に書かれたものです。"
        fix "この位置より前に引用符や空白の抜けがないか、データから要素名を生成していないかを確認します。データは\
            値として書きます。"
    }
    wrong ""
    right ""
}

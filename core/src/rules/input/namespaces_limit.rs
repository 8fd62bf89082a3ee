//! `namespaces-limit`: more namespace declarations in scope than the limit of the run.

use crate::rules::rule;

rule! {
    "namespaces-limit" reports [LIM_05]
    checks in ["read/fault.rs"]
    message "more than {limit} namespace declarations in scope; reading stopped here"
    help "declare each namespace once, on the root element, or raise `limits.namespaces` in resourcesync.toml"
    en {
        what "A ResourceSync document needs two namespace declarations. Extensions may add more, up to a limit of \
            declarations in scope at the same time."
        why "The rest of the document was not checked, so the verdict is undetermined unless an error was found. Every \
            name is compared with all declarations in scope, so a large number of them slows down every parser."
        fix "Declare only the namespaces that are used, once, on the root element. If a program declares the same \
            namespace again on every element, change it to reuse the prefix."
    }
    ja {
        message "有効範囲内の名前空間宣言が上限の {limit} 個を超過（ここで読み取りを中止）"
        help "各名前空間をルート要素で 1 回だけ宣言するか、resourcesync.toml の `limits.namespaces` を大きくしてください"
        what "ResourceSync の文書に必要な名前空間宣言は 2 つです。拡張のために追加できますが、同時に有効な宣言の数には\
            上限があります。"
        why "ここから先は検証していないため、エラーが見つかった場合を除き、判定は「判定保留」になります。名前は有効な\
            宣言のすべてと照合されるため、宣言が多すぎると、どの XML パーサでも処理が遅くなります。"
        fix "使う名前空間だけを、ルート要素で 1 回だけ宣言します。プログラムが要素ごとに同じ名前空間を宣言している\
            場合は、接頭辞を再利用するように変更します。"
    }
    wrong ""
    right ""
}

//! `namespaces-limit`: more namespace declarations in scope than this run follows.

use crate::rules::rule;

rule! {
    "namespaces-limit" reports [LIM_05]
    checks []
    message "more than {limit} namespace declarations in scope; reading stopped here"
    help "declare each namespace once, at the root, or raise `limits.namespaces` in resourcesync.toml"
    en {
        what "A ResourceSync document needs two namespace declarations; extensions may add more, up to a limit on those \
            that hold at one time."
        why "Nothing after this place was checked, so the verdict is undetermined unless there is an error anyway. Every \
            name has to be compared with all declarations that hold, so a flood of them slows every reader down."
        mend "Declare only what is used, once, at the root. If a program declares the same namespace again on every \
            element, let it reuse the prefix."
    }
    ja {
        message "有効な名前空間宣言が {limit} 個を超えたため、ここで読み取りを止めた"
        help "名前空間はルート要素で一度ずつ宣言するか、resourcesync.toml の `limits.namespaces` を大きくする"
        what "ResourceSync 文書に必要な名前空間宣言は二つです。拡張で増やせますが、\
            同時に有効な宣言の数には上限があります。"
        why "上限を超えたところで読み取りを止めるため、そこから先は検査されず、\
            エラーがなければ判定は「未確定」になります。名前はすべて有効な宣言と照合されるため、\
            宣言が多すぎると読み取り全体が遅くなります。"
        mend "使うものだけをルート要素で一度だけ宣言します。\
            プログラムが要素ごとに同じ名前空間を宣言している場合は、接頭辞を使い回すようにします。"
    }
    wrong ""
    right ""
}

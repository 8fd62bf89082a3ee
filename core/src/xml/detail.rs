//! The kinds of well-formedness errors, each with its code, name and messages.

macro_rules! details {
    ($($(#[doc = $doc:literal])+ $variant:ident, $code:literal, $name:literal, $english:literal, $japanese:literal;)+) => {
        /// Why a document is not well-formed (XML 1.0, fifth edition; Namespaces in XML 1.0).
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Detail {
            $($(#[doc = $doc])+ $variant,)+
        }

        impl Detail {
            /// All of them, by code.
            pub const ALL: &'static [Detail] = &[$(Detail::$variant,)+];

            /// `XML-nn`. Codes never change meaning and are never reused.
            pub fn code(self) -> &'static str {
                match self { $(Detail::$variant => $code,)+ }
            }

            /// The name, in kebab-case.
            pub fn name(self) -> &'static str {
                match self { $(Detail::$variant => $name,)+ }
            }

            /// The English message, one line; `{name}` is a placeholder for that argument of [`Fault::args`](super::Fault::args).
            pub fn message(self) -> &'static str {
                match self { $(Detail::$variant => $english,)+ }
            }

            /// The Japanese message, with the same placeholders.
            pub fn message_ja(self) -> &'static str {
                match self { $(Detail::$variant => $japanese,)+ }
            }
        }
    };
}

details! {
    /// The document is empty, or contains only a byte order mark.
    EmptyDocument, "XML-01", "empty-document",
        "the document is empty", "文書が空";
    /// The document ends before its first element.
    NoRoot, "XML-02", "no-root",
        "the document has no root element", "ルート要素がない";
    /// Characters other than white space before the root element.
    TextBeforeRoot, "XML-03", "text-before-root",
        "text before the root element", "ルート要素の前にテキストがある";
    /// A document type declaration; rejected because it can define entities and change values.
    Doctype, "XML-04", "doctype",
        "a DOCTYPE declaration is not allowed here", "DOCTYPE 宣言は使用不可";
    /// The document ends inside a start tag, an end tag or the first characters of other markup.
    TruncatedTag, "XML-05", "truncated-tag",
        "the document ends inside a tag", "文書がタグの途中で終わっている";
    /// The document ends while elements are open.
    TruncatedElement, "XML-06", "truncated-element",
        "the document ends before the end tag of `{element}` (open elements: {open})",
        "`{element}` の終了タグの前に文書が終わっている（開いている要素: {open}）";
    /// The document ends inside a comment.
    TruncatedComment, "XML-07", "truncated-comment",
        "unterminated comment", "コメントが閉じられていない";
    /// The document ends inside a CDATA section.
    TruncatedCdata, "XML-08", "truncated-cdata",
        "unterminated CDATA section", "CDATA セクションが閉じられていない";
    /// The document ends inside a processing instruction or the XML declaration.
    TruncatedInstruction, "XML-09", "truncated-instruction",
        "unterminated processing instruction", "処理命令が閉じられていない";
    /// An end tag whose name differs from that of the open element.
    MismatchedEnd, "XML-10", "mismatched-end",
        "end tag `{found}`, expected `{expected}`", "終了タグが `{expected}` ではなく `{found}`";
    /// An end tag where no element is open.
    EndWithoutStart, "XML-11", "end-without-start",
        "end tag `{found}` without a start tag", "終了タグ `{found}` に対応する開始タグがない";
    /// An element after the root element.
    SecondRoot, "XML-12", "second-root",
        "second root element", "ルート要素が複数ある";
    /// Characters other than white space after the root element.
    ContentAfterRoot, "XML-13", "content-after-root",
        "text after the root element", "ルート要素の後にテキストがある";
    /// Bytes that are not valid UTF-8.
    InvalidUtf8, "XML-14", "invalid-utf-8",
        "invalid UTF-8: {bytes}", "不正な UTF-8: {bytes}";
    /// A lone surrogate or half a code unit in UTF-16.
    InvalidUtf16, "XML-15", "invalid-utf-16",
        "invalid UTF-16: {bytes}", "不正な UTF-16: {bytes}";
    /// A character outside production `Char`.
    IllegalCharacter, "XML-16", "illegal-character",
        "the character {character} is not allowed in XML", "XML で使えない文字 {character}";
    /// A character reference without digits, or to a character outside production `Char`.
    BadCharacterReference, "XML-17", "bad-character-reference",
        "`{reference}` does not refer to a character allowed in XML",
        "`{reference}` は XML で使える文字を参照していない";
    /// A reference to an entity other than the five predefined ones.
    UndefinedEntity, "XML-18", "undefined-entity",
        "undefined entity `&{entity};`", "未定義の実体 `&{entity};`";
    /// An ampersand that does not start a reference.
    BareAmpersand, "XML-19", "bare-ampersand",
        "unescaped `&`; write `&amp;`", "エスケープされていない `&`（`&amp;` と書く）";
    /// `<` inside an attribute value.
    LessThanInValue, "XML-20", "less-than-in-value",
        "unescaped `<` in the value of `{attribute}`; write `&lt;`",
        "`{attribute}` の値にエスケープされていない `<`（`&lt;` と書く）";
    /// An attribute value that does not start with a quotation mark.
    MissingQuotes, "XML-21", "missing-quotes",
        "the value of `{attribute}` is not quoted", "`{attribute}` の値が引用符で囲まれていない";
    /// An attribute name without `=`.
    MissingEquals, "XML-22", "missing-equals",
        "missing `=` after the attribute name `{attribute}`", "属性名 `{attribute}` の後に `=` がない";
    /// No white space between two attributes.
    MissingSpace, "XML-23", "missing-space",
        "missing white space before an attribute", "属性の前に空白がない";
    /// The same attribute name twice in one tag.
    DuplicateAttribute, "XML-24", "duplicate-attribute",
        "duplicate attribute `{attribute}`", "属性 `{attribute}` が重複";
    /// Two prefixes of one namespace, and the same local name twice in one tag.
    DuplicateAttributeByNamespace, "XML-25", "duplicate-attribute-by-namespace",
        "the attributes `{attribute}` and `{other}` have the same namespace and local name",
        "属性 `{attribute}` と `{other}` の名前空間とローカル名が同じ";
    /// A character that is not allowed at this position in a name.
    BadName, "XML-26", "bad-name",
        "{character} is not allowed at this position in a name", "名前のこの位置では使えない文字 {character}";
    /// `]]>` in text.
    CdataEndInText, "XML-27", "cdata-end-in-text",
        "unescaped `]]>` in text; write `]]&gt;`", "テキストにエスケープされていない `]]>`（`]]&gt;` と書く）";
    /// `--` inside a comment.
    DoubleHyphen, "XML-28", "double-hyphen",
        "`--` inside a comment", "コメントの中に `--` がある";
    /// A processing instruction without a name, or with something other than white space after it.
    BadTarget, "XML-29", "bad-target",
        "malformed processing instruction: expected a name followed by white space",
        "不正な処理命令（名前とそれに続く空白が必要）";
    /// A processing instruction named `xml` in other letter case.
    ReservedTarget, "XML-30", "reserved-target",
        "processing instruction with the reserved name `{target}`", "予約された名前 `{target}` の処理命令";
    /// An XML declaration that is not at the very start, often because of a blank line before it.
    LateDeclaration, "XML-31", "late-declaration",
        "the XML declaration is not at the start of the document", "XML 宣言が文書の先頭にない";
    /// An XML declaration that does not follow the grammar.
    BadDeclaration, "XML-32", "bad-declaration",
        "malformed XML declaration", "不正な XML 宣言";
    /// An encoding name that does not follow the grammar.
    BadEncodingName, "XML-33", "bad-encoding-name",
        "invalid encoding name `{encoding}`", "不正な文字エンコーディング名 `{encoding}`";
    /// `standalone` is neither `yes` nor `no`.
    BadStandalone, "XML-34", "bad-standalone",
        "`standalone` is `{standalone}`, not `yes` or `no`",
        "`standalone` の値が `yes` でも `no` でもなく `{standalone}`";
    /// A version of XML other than 1.0.
    OtherVersion, "XML-35", "other-version",
        "XML version `{version}` instead of 1.0", "XML のバージョンが 1.0 ではなく `{version}`";
    /// A prefix without a declaration in scope.
    UndeclaredPrefix, "XML-36", "undeclared-prefix",
        "undeclared namespace prefix `{prefix}`", "宣言されていない名前空間接頭辞 `{prefix}`";
    /// `xmlns` used as a prefix of its own, or `xml` bound to something else.
    ReservedPrefix, "XML-37", "reserved-prefix",
        "the namespace prefix `{prefix}` is reserved", "名前空間接頭辞 `{prefix}` は予約済み";
    /// A prefix bound to the namespace of `xml` or of `xmlns`.
    ReservedNamespace, "XML-38", "reserved-namespace",
        "the namespace `{namespace}` cannot be bound to a prefix",
        "名前空間 `{namespace}` には接頭辞を割り当てられない";
    /// `xmlns:p=""`.
    EmptyPrefixBinding, "XML-39", "empty-prefix-binding",
        "the namespace prefix `{prefix}` is bound to an empty name",
        "名前空間接頭辞 `{prefix}` に空の名前空間が割り当てられている";
    /// A name with more than one colon, or without a name on both sides of it.
    NameColons, "XML-40", "name-colons",
        "misplaced colon in the name `{name}`", "名前 `{name}` のコロンの位置が誤っている";
    /// `<!` that does not start a comment, a CDATA section or a DOCTYPE.
    BadMarkup, "XML-41", "bad-markup",
        "unknown markup after `<!`", "`<!` の後が未知のマークアップ";
    /// A character that is not allowed at this position in a tag.
    UnexpectedCharacter, "XML-42", "unexpected-character",
        "{character} is not allowed at this position in a tag", "タグのこの位置では使えない文字 {character}";
    /// `<` that does not start a tag.
    BareLessThan, "XML-43", "bare-less-than",
        "unescaped `<`; write `&lt;`", "エスケープされていない `<`（`&lt;` と書く）";
}

#[cfg(test)]
mod tests {
    use super::Detail;
    use alloc::{format, vec::Vec};

    #[test]
    fn codes_count_up_and_no_two_details_share_words() {
        for (index, detail) in Detail::ALL.iter().enumerate() {
            assert_eq!(detail.code(), format!("XML-{:02}", index + 1));
        }
        for say in [Detail::code, Detail::name, Detail::message, Detail::message_ja] {
            let mut all: Vec<_> = Detail::ALL.iter().map(|detail| say(*detail)).collect();
            all.sort_unstable();
            all.dedup();
            assert_eq!(all.len(), Detail::ALL.len());
        }
    }

    #[test]
    fn both_languages_use_the_same_arguments() {
        fn arguments(template: &str) -> Vec<&str> {
            let mut found: Vec<_> = template.split('{').skip(1).filter_map(|part| part.split('}').next()).collect();
            found.sort_unstable();
            found
        }
        for detail in Detail::ALL {
            assert_eq!(arguments(detail.message()), arguments(detail.message_ja()), "{detail:?}");
        }
    }
}

//! Every way in which a document is not well-formed, with its code, name and words.

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

            /// The name in words, in kebab-case.
            pub fn name(self) -> &'static str {
                match self { $(Detail::$variant => $name,)+ }
            }

            /// One line of English; `{name}` stands for the argument of that name in [`Fault::args`](super::Fault::args).
            pub fn message(self) -> &'static str {
                match self { $(Detail::$variant => $english,)+ }
            }

            /// The same line in Japanese, with the same arguments.
            pub fn message_ja(self) -> &'static str {
                match self { $(Detail::$variant => $japanese,)+ }
            }
        }
    };
}

details! {
    /// Nothing was there, or only a byte order mark.
    EmptyDocument, "XML-01", "empty-document",
        "the document is empty", "文書が空である";
    /// The document ends before its first element.
    NoRoot, "XML-02", "no-root",
        "the document has no element", "文書に要素がない";
    /// Characters other than white space before the root element.
    TextBeforeRoot, "XML-03", "text-before-root",
        "text before the root element", "ルート要素の前に文字がある";
    /// A document type declaration; refused because it can define entities and change values.
    Doctype, "XML-04", "doctype",
        "a DOCTYPE is not accepted", "DOCTYPE は受け付けない";
    /// The document ends inside a start tag, an end tag or the first characters of other markup.
    TruncatedTag, "XML-05", "truncated-tag",
        "the document ends inside a tag", "文書がタグの途中で終わっている";
    /// The document ends while elements are open.
    TruncatedElement, "XML-06", "truncated-element",
        "the document ends while `{element}` is open (open elements: {open})",
        "`{element}` が閉じられないまま文書が終わっている（開いている要素: {open}）";
    /// The document ends inside a comment.
    TruncatedComment, "XML-07", "truncated-comment",
        "the document ends inside a comment", "文書がコメントの途中で終わっている";
    /// The document ends inside a CDATA section.
    TruncatedCdata, "XML-08", "truncated-cdata",
        "the document ends inside a CDATA section", "文書が CDATA セクションの途中で終わっている";
    /// The document ends inside a processing instruction or the XML declaration.
    TruncatedInstruction, "XML-09", "truncated-instruction",
        "the document ends inside a processing instruction", "文書が処理命令の途中で終わっている";
    /// An end tag closes another element than the one that is open.
    MismatchedEnd, "XML-10", "mismatched-end",
        "end tag `{found}` where `{expected}` is open", "終了タグは `{found}` だが、開いている要素は `{expected}` である";
    /// An end tag where no element is open.
    EndWithoutStart, "XML-11", "end-without-start",
        "end tag `{found}` without a start tag", "終了タグ `{found}` に対応する開始タグがない";
    /// An element after the root element.
    SecondRoot, "XML-12", "second-root",
        "a second root element", "ルート要素が二つある";
    /// Characters other than white space after the root element.
    ContentAfterRoot, "XML-13", "content-after-root",
        "text after the root element", "ルート要素の後に文字がある";
    /// Bytes that no UTF-8 text contains.
    InvalidUtf8, "XML-14", "invalid-utf-8",
        "bytes that are not UTF-8: {bytes}", "UTF-8 ではないバイトがある: {bytes}";
    /// A lone surrogate or half a code unit in UTF-16.
    InvalidUtf16, "XML-15", "invalid-utf-16",
        "bytes that are not UTF-16: {bytes}", "UTF-16 ではないバイトがある: {bytes}";
    /// A character outside production `Char`.
    IllegalCharacter, "XML-16", "illegal-character",
        "the character {character} is not allowed in XML", "文字 {character} は XML では使えない";
    /// A character reference without digits, or to a character outside production `Char`.
    BadCharacterReference, "XML-17", "bad-character-reference",
        "`{reference}` refers to no legal character", "`{reference}` が指す文字は XML では使えない";
    /// A reference to an entity other than the five predefined ones.
    UndefinedEntity, "XML-18", "undefined-entity",
        "the entity `&{entity};` is not defined", "実体 `&{entity};` は定義されていない";
    /// An ampersand that starts no reference.
    BareAmpersand, "XML-19", "bare-ampersand",
        "`&` that starts no reference; write `&amp;`", "参照ではない `&` がある（`&amp;` と書く）";
    /// `<` inside an attribute value.
    LessThanInValue, "XML-20", "less-than-in-value",
        "`<` in the value of `{attribute}`; write `&lt;`", "`{attribute}` の値に `<` がある（`&lt;` と書く）";
    /// An attribute value that does not start with a quotation mark.
    MissingQuotes, "XML-21", "missing-quotes",
        "the value of `{attribute}` is not in quotes", "`{attribute}` の値が引用符で囲まれていない";
    /// An attribute name without `=`.
    MissingEquals, "XML-22", "missing-equals",
        "no `=` after the attribute name `{attribute}`", "属性名 `{attribute}` の後に `=` がない";
    /// No white space between two attributes.
    MissingSpace, "XML-23", "missing-space",
        "no white space before an attribute", "属性の前に空白がない";
    /// The same attribute name twice in one tag.
    DuplicateAttribute, "XML-24", "duplicate-attribute",
        "the attribute `{attribute}` is there twice", "属性 `{attribute}` が二つある";
    /// Two prefixes of one namespace, and the same local name twice in one tag.
    DuplicateAttributeByNamespace, "XML-25", "duplicate-attribute-by-namespace",
        "the attributes `{attribute}` and `{other}` have the same namespace and name",
        "属性 `{attribute}` と `{other}` は名前空間も名前も同じである";
    /// A name with a character that no name has there.
    BadName, "XML-26", "bad-name",
        "{character} cannot stand there in a name", "{character} は名前のその位置では使えない";
    /// `]]>` in text.
    CdataEndInText, "XML-27", "cdata-end-in-text",
        "`]]>` in text; write `]]&gt;`", "文字データに `]]>` がある（`]]&gt;` と書く）";
    /// `--` inside a comment.
    DoubleHyphen, "XML-28", "double-hyphen",
        "`--` inside a comment", "コメントの中に `--` がある";
    /// A processing instruction without a name, or with something other than white space after it.
    BadTarget, "XML-29", "bad-target",
        "a processing instruction starts with a name, then white space", "処理命令が名前とそれに続く空白で始まっていない";
    /// A processing instruction named `xml` in other letter case.
    ReservedTarget, "XML-30", "reserved-target",
        "a processing instruction cannot be named `{target}`", "処理命令に `{target}` という名前は使えない";
    /// An XML declaration that is not the very first thing; often a blank line stands before it.
    LateDeclaration, "XML-31", "late-declaration",
        "the XML declaration is not at the very start", "XML 宣言が文書の先頭にない";
    /// An XML declaration that does not follow the grammar.
    BadDeclaration, "XML-32", "bad-declaration",
        "the XML declaration is malformed", "XML 宣言の書き方が正しくない";
    /// An encoding name that does not follow the grammar.
    BadEncodingName, "XML-33", "bad-encoding-name",
        "`{encoding}` cannot be the name of an encoding", "`{encoding}` は符号化方式の名前にならない";
    /// `standalone` is neither `yes` nor `no`.
    BadStandalone, "XML-34", "bad-standalone",
        "`standalone` is `{standalone}`, not `yes` or `no`", "`standalone` が `yes` でも `no` でもなく `{standalone}` である";
    /// A version of XML other than 1.0.
    OtherVersion, "XML-35", "other-version",
        "XML version `{version}` instead of 1.0", "XML のバージョンが 1.0 ではなく `{version}` である";
    /// A prefix that no declaration in scope binds.
    UndeclaredPrefix, "XML-36", "undeclared-prefix",
        "the prefix `{prefix}` is not declared", "接頭辞 `{prefix}` は宣言されていない";
    /// `xmlns` used as a prefix of its own, or `xml` bound to something else.
    ReservedPrefix, "XML-37", "reserved-prefix",
        "the prefix `{prefix}` is reserved", "接頭辞 `{prefix}` は予約されている";
    /// A prefix bound to the namespace of `xml` or of `xmlns`.
    ReservedNamespace, "XML-38", "reserved-namespace",
        "the namespace `{namespace}` cannot be bound", "名前空間 `{namespace}` を割り当てることはできない";
    /// `xmlns:p=""`.
    EmptyPrefixBinding, "XML-39", "empty-prefix-binding",
        "the prefix `{prefix}` is bound to nothing", "接頭辞 `{prefix}` に空の名前空間が割り当てられている";
    /// A name with more than one colon, or without a name on both sides of it.
    NameColons, "XML-40", "name-colons",
        "`{name}` has a colon that is not between two names", "`{name}` のコロンが二つの名前の間にない";
    /// `<!` that starts neither a comment nor a CDATA section nor a DOCTYPE.
    BadMarkup, "XML-41", "bad-markup",
        "`<!` that starts nothing known", "`<!` の後がコメントでも CDATA セクションでもない";
    /// A character that has no place in a tag.
    UnexpectedCharacter, "XML-42", "unexpected-character",
        "{character} cannot stand there in a tag", "{character} はタグのその位置では使えない";
    /// `<` that starts no tag.
    BareLessThan, "XML-43", "bare-less-than",
        "`<` that starts no tag; write `&lt;`", "タグではない `<` がある（`&lt;` と書く）";
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

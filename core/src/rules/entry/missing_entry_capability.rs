//! `missing-entry-capability`: entries that lead to ResourceSync documents say to which kind.

use crate::{
    diagnostic::{Code, Finding},
    model::{AnyField, Kind, Md, Name},
    rules::{Check, Look, Step, rule},
};

rule! {
    "missing-entry-capability" reports [SD_06, CAP_08, FN_09]
    // The table finds the attribute missing; an empty one is found here.
    checks [Check::Md(check)]
    message "an entry of this {kind} does not say its `capability`"
    help "add `capability` to the entry's `rs:md`: the capability of the document that `loc` leads to"
    en {
        what "Each entry of a Source Description, a Capability List or a Framework Notification says, in the \
              `capability` of its `rs:md`, what its `loc` leads to."
        why "A harvester decides by `capability` what to fetch. Without it, it would have to download every listed \
             document to learn what it is; most harvesters pass the entry over instead."
        mend "Write `<rs:md capability=\"…\"/>` into the entry: `capabilitylist` in a Source Description, and \
              `resourcelist`, `changelist` or whatever fits in a Capability List or a Framework Notification. In a \
              Source Description this is only a warning, as the standard asks for it in §7 and leaves it open in §8."
    }
    ja {
        message "{kind}のエントリに `capability` がない"
        help "エントリの `rs:md` に、`loc` の指す文書の種類を表す `capability` を加える"
        what "ソース記述、機能リスト、フレームワーク通知の各エントリは、`loc` の指す文書が何であるかを `rs:md` の \
              `capability` で示します。"
        why "ハーベスタは `capability` を見て取得する文書を決めます。これがないと、文書をすべて取得しなければ種類が\
             分からないため、多くのハーベスタはそのエントリを読み飛ばします。"
        mend "エントリに `<rs:md capability=\"…\"/>` を書きます。ソース記述では `capabilitylist`、機能リストと\
              フレームワーク通知では `resourcelist` や `changelist` などです。ソース記述については標準の §7 と §8 で\
              扱いが異なるため、警告にとどめています。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="describedby" href="https://example.com/theses/about.html"/>
  <rs:ln rel="up" href="https://example.com/.well-known/resourcesync"/>
  <rs:md capability="capabilitylist"/>
  <url>
    <loc>https://example.com/theses/resourcelist.xml</loc>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="describedby" href="https://example.com/theses/about.html"/>
  <rs:ln rel="up" href="https://example.com/.well-known/resourcesync"/>
  <rs:md capability="capabilitylist"/>
  <url>
    <loc>https://example.com/theses/resourcelist.xml</loc>
    <rs:md capability="resourcelist"/>
  </url>
</urlset>"#
}

fn check(look: &mut Look<'_>, md: &Md) {
    if look.at_root() || look.step != Step::Md(1) {
        return;
    }
    let code = match look.kind() {
        Kind::CapabilityList => Code::CAP_08,
        Kind::FrameworkNotification => Code::FN_09,
        // In a Source Description an empty value is SD-07.
        _ => return,
    };
    if md.attributes.capability().is_some_and(|capability| capability.malformed().is_some()) {
        let finding = Finding::new(code).arg("kind", look.kind()).arg("attribute", Name::Capability.as_str());
        look.report_named(finding, md, Name::Capability);
    }
}

//! `missing-entry-capability`: entries for ResourceSync documents have the capability of the document.

use crate::rules::prelude::*;

rule! {
    "missing-entry-capability" reports [SD_06, CAP_08, FN_09]
    // The table of kinds reports a missing attribute; this check reports an empty one.
    checks [Check::Md(Depends::Shape, check)]
    message "the entry of this {kind} has no `capability`"
    help "add the `capability` of the document at `loc` to the `rs:md` of the entry"
    en {
        what "Each entry of a Source Description, Capability List or Framework Notification identifies the document at \
            its `loc` by the `capability` of its `rs:md`."
        why "A harvester decides by `capability` which documents to fetch. Without it, the harvester would have to \
            download every listed document to find out what it is; most ignore the entry instead."
        fix "Add `<rs:md capability=\"…\"/>` to the entry: `capabilitylist` in a Source Description, and \
            `resourcelist`, `changelist` or the like in a Capability List or a Framework Notification. In a Source \
            Description this is only a warning, because the standard requires it in §7 but makes it optional in §8."
    }
    ja {
        message "{kind}のエントリに `capability` がない"
        help "エントリの `rs:md` に、`loc` の文書の種類を示す `capability` を追加してください"
        what "ソース記述、機能リスト、フレームワーク通知の各エントリでは、`loc` の文書の種類を `rs:md` の `capability` \
            で示します。"
        why "ハーベスタは `capability` によって取得する文書を選択します。これがないと、列挙された文書をすべて\
            取得しなければ種類が分からないため、多くのハーベスタはそのエントリを無視します。"
        fix "エントリに `<rs:md capability=\"…\"/>` を追加します。値は、ソース記述では `capabilitylist`、機能\
            リストとフレームワーク通知では `resourcelist` や `changelist` などです。ソース記述については、標準の §7 \
            では必須、§8 では任意とされているため、警告にとどめています。"
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

fn check(cx: &mut CheckContext<'_>, md: &Md) {
    if cx.at_root() || cx.step != PathStep::Md(1) {
        return;
    }
    let code = match cx.kind() {
        Kind::CapabilityList => Code::CAP_08,
        Kind::FrameworkNotification => Code::FN_09,
        // In a Source Description an empty value is SD-07.
        _ => return,
    };
    if md.attributes.capability().is_some_and(|capability| capability.malformed().is_some()) {
        let finding = Finding::new(code).arg("kind", cx.kind()).arg("attribute", Name::Capability.as_str());
        cx.report_named(finding, md, Name::Capability);
    }
}

//! `long-uri`: a `loc` that exceeds the limit of the Sitemap protocol.

use crate::rules::prelude::*;

rule! {
    "long-uri" reports [ADV_05]
    checks [Check::Entry(Depends::Usual, check)]
    message "`loc` has {characters} characters"
    help "give the resource a URI of fewer than 2,048 characters"
    en {
        what "The Sitemap protocol requires the URI in `loc` to have fewer than 2,048 characters. ResourceSync does \
            not repeat this limit."
        why "Many harvesters, databases, proxies and servers truncate or reject longer URIs. The resource cannot be \
            copied, or the truncated URI refers to something else."
        fix "A URI of this length usually contains a session or a search query. Publish the resource under a short, \
            stable URI."
    }
    ja {
        message "`loc` が {characters} 文字ある"
        help "リソースに 2,048 文字未満の URI を付けてください"
        what "サイトマッププロトコルでは、`loc` の URI は 2,048 文字未満と定められています。ResourceSync の標準には、\
            この上限についての記載はありません。"
        why "これより長い URI は、多くのハーベスタ、データベース、プロキシ、サーバで切り詰められたり\
            拒否されたりします。リソースをコピーできないか、切り詰められた URI が別のものを指すことになります。"
        fix "これほど長い URI には、多くの場合、セッション情報や検索条件が含まれています。リソースは短く永続的な URI \
            で公開します。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/photos/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>http://example.com/photos?state=QmFzZTY0IG9mIGEgc2VhcmNoIHJlc3VsdCB0aGF0IG5vYm9keSBldmVyIG1lYW50IHRvIHB1Ymxpc2guQmFzZTY0IG9mIGEgc2VhcmNoIHJlc3VsdCB0aGF0IG5vYm9keSBldmVyIG1lYW50IHRvIHB1Ymxpc2guQmFzZTY0IG9mIGEgc2VhcmNoIHJlc3VsdCB0aGF0IG5vYm9keSBldmVyIG1lYW50IHRvIHB1Ymxpc2guQmFzZTY0IG9mIGEgc2VhcmNoIHJlc3VsdCB0aGF0IG5vYm9keSBldmVyIG1lYW50IHRvIHB1Ymxpc2guQmFzZTY0IG9mIGEgc2VhcmNoIHJlc3VsdCB0aGF0IG5vYm9keSBldmVyIG1lYW50IHRvIHB1Ymxpc2guQmFzZTY0IG9mIGEgc2VhcmNoIHJlc3VsdCB0aGF0IG5vYm9keSBldmVyIG1lYW50IHRvIHB1Ymxpc2guQmFzZTY0IG9mIGEgc2VhcmNoIHJlc3VsdCB0aGF0IG5vYm9keSBldmVyIG1lYW50IHRvIHB1Ymxpc2guQmFzZTY0IG9mIGEgc2VhcmNoIHJlc3VsdCB0aGF0IG5vYm9keSBldmVyIG1lYW50IHRvIHB1Ymxpc2guQmFzZTY0IG9mIGEgc2VhcmNoIHJlc3VsdCB0aGF0IG5vYm9keSBldmVyIG1lYW50IHRvIHB1Ymxpc2guQmFzZTY0IG9mIGEgc2VhcmNoIHJlc3VsdCB0aGF0IG5vYm9keSBldmVyIG1lYW50IHRvIHB1Ymxpc2guQmFzZTY0IG9mIGEgc2VhcmNoIHJlc3VsdCB0aGF0IG5vYm9keSBldmVyIG1lYW50IHRvIHB1Ymxpc2guQmFzZTY0IG9mIGEgc2VhcmNoIHJlc3VsdCB0aGF0IG5vYm9keSBldmVyIG1lYW50IHRvIHB1Ymxpc2guQmFzZTY0IG9mIGEgc2VhcmNoIHJlc3VsdCB0aGF0IG5vYm9keSBldmVyIG1lYW50IHRvIHB1Ymxpc2guQmFzZTY0IG9mIGEgc2VhcmNoIHJlc3VsdCB0aGF0IG5vYm9keSBldmVyIG1lYW50IHRvIHB1Ymxpc2guQmFzZTY0IG9mIGEgc2VhcmNoIHJlc3VsdCB0aGF0IG5vYm9keSBldmVyIG1lYW50IHRvIHB1Ymxpc2guQmFzZTY0IG9mIGEgc2VhcmNoIHJlc3VsdCB0aGF0IG5vYm9keSBldmVyIG1lYW50IHRvIHB1Ymxpc2guQmFzZTY0IG9mIGEgc2VhcmNoIHJlc3VsdCB0aGF0IG5vYm9keSBldmVyIG1lYW50IHRvIHB1Ymxpc2guQmFzZTY0IG9mIGEgc2VhcmNoIHJlc3VsdCB0aGF0IG5vYm9keSBldmVyIG1lYW50IHRvIHB1Ymxpc2guQmFzZTY0IG9mIGEgc2VhcmNoIHJlc3VsdCB0aGF0IG5vYm9keSBldmVyIG1lYW50IHRvIHB1Ymxpc2guQmFzZTY0IG9mIGEgc2VhcmNoIHJlc3VsdCB0aGF0IG5vYm9keSBldmVyIG1lYW50IHRvIHB1Ymxpc2guQmFzZTY0IG9mIGEgc2VhcmNoIHJlc3VsdCB0aGF0IG5vYm9keSBldmVyIG1lYW50IHRvIHB1Ymxpc2guQmFzZTY0IG9mIGEgc2VhcmNoIHJlc3VsdCB0aGF0IG5vYm9keSBldmVyIG1lYW50IHRvIHB1Ymxpc2guQmFzZTY0IG9mIGEgc2VhcmNoIHJlc3VsdCB0aGF0IG5vYm9keSBldmVyIG1lYW50IHRvIHB1Ymxpc2guQmFzZTY0IG9mIGEgc2VhcmNoIHJlc3VsdCB0aGF0IG5vYm9keSBldmVyIG1lYW50IHRvIHB1Ymxpc2guQmFzZTY0IG9mIGEgc2VhcmNoIHJlc3VsdCB0aGF0IG5vYm9keSBldmVyIG1lYW50IHRvIHB1Ymxpc2guQmFzZTY0IG9mIGEgc2VhcmNoIHJlc3VsdCB0aGF0IG5vYm9keSBldmVyIG1lYW50IHRv</loc>
  </url>
</urlset>
"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/photos/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>http://example.com/photos/1.tif</loc>
  </url>
</urlset>
"#
}

/// The Sitemap protocol requires fewer characters than this.
const TOO_MANY: usize = 2_048;

fn check(cx: &mut CheckContext<'_>, entry: &Entry) {
    // A truncated value is even longer and is reported as LIM-07.
    for loc in entry.loc.iter().filter(|loc| !loc.cut) {
        let Some(uri) = loc.field.value() else { continue };
        let text = loc.field.loose().unwrap_or(uri.as_str());
        // Bytes first: there are never fewer bytes than characters, and their number is known.
        if text.len() < TOO_MANY {
            continue;
        }
        let characters = text.chars().count();
        if characters >= TOO_MANY {
            let finding = Finding::new(Code::ADV_05).arg("characters", characters);
            cx.report_child(finding, "loc", None, loc.field.span());
        }
    }
}

//! `deletion-with-representation`: what is gone has neither size nor hash.

use alloc::string::String;

use crate::{
    diagnostic::{Code, Finding},
    model::{Attribute, Kind, Md, Name},
    rules::{Check, Look, Step, rule},
    value::Change,
};

rule! {
    "deletion-with-representation" reports [AT_37]
    checks [Check::Md(check)]
    message "a deletion describes a representation with {attributes}"
    help "remove {attributes} from the entry: there is nothing left to describe"
    en {
        what "`hash`, `length` and `type` describe a representation that can be fetched; after a deletion there is none, \
              so an entry with `change=\"deleted\"` has none of them."
        why "The values can only be those of the version that went. A harvester that checks them against what the \
             server now answers, an error page, reports a mismatch where all is well."
        mend "Write deletions with `loc`, `change` and `datetime` alone. Harvesters are not known to break on the others, \
              so this is a note."
    }
    ja {
        message "削除のエントリに、表現を説明する {attributes} がある"
        help "エントリから {attributes} を削除する（説明すべき表現がもうない）"
        what "`hash`、`length`、`type` は取得できる表現を説明するものです。削除の後には表現がないため、`change=\"deleted\"` の\
              エントリには書きません。"
        why "書かれた値は、なくなった版のものでしかありません。サーバが返すエラーページと照合したハーベスタは、問題がないのに\
             不一致を報告します。"
        mend "削除のエントリには `loc`、`change`、`datetime` だけを書きます。これによるハーベスタの障害は知られていないため、\
              参考情報としています。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/theses/capabilitylist.xml"/>
  <rs:md capability="changelist" from="2024-04-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/theses/1.pdf</loc>
    <rs:md change="deleted" datetime="2024-04-01T09:30:00Z" length="184320" type="application/pdf"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/theses/capabilitylist.xml"/>
  <rs:md capability="changelist" from="2024-04-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/theses/1.pdf</loc>
    <rs:md change="deleted" datetime="2024-04-01T09:30:00Z"/>
  </url>
</urlset>"#
}

fn check(look: &mut Look<'_>, md: &Md) {
    let lists_changes = matches!(look.kind(), Kind::ChangeList | Kind::ChangeDumpManifest | Kind::ChangeNotification);
    if !lists_changes || look.at_root() || look.step != Step::Md(1) {
        return;
    }
    if md.attributes.change().and_then(|change| change.exact()) != Some(&Change::Deleted) {
        return;
    }
    let Some(first) = md.attributes.iter().find(|attribute| describes(attribute)) else { return };
    let mut named = String::new();
    for attribute in md.attributes.iter().filter(|attribute| describes(attribute)) {
        named.push_str(if named.is_empty() { "`" } else { ", `" });
        named.push_str(attribute.local());
        named.push('`');
    }
    look.report_attribute(Finding::new(Code::AT_37).arg("attributes", named), first);
}

fn describes(attribute: &Attribute) -> bool {
    matches!(attribute.value.name(), Some(Name::Hash | Name::Length | Name::Type))
}

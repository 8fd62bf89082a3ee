//! Announcements found without an HTML parser are those found by an HTML parser.

use html5ever::{ParseOpts, parse_document, tendril::TendrilSink, tree_builder::TreeBuilderOpts};
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use proptest::prelude::*;
use resourcesync::source::discovery::announcements;

/// The target of an announcement, and whether it counts: a `link` with `href` in the head.
type Found = (Option<String>, bool);

fn ours(page: &str) -> Vec<Found> {
    announcements(page).0.into_iter().map(|own| (own.href, own.problem.is_none())).collect()
}

fn by_html5ever(page: &str) -> Vec<Found> {
    let tree_builder = TreeBuilderOpts { scripting_enabled: true, ..TreeBuilderOpts::default() };
    let dom = parse_document(RcDom::default(), ParseOpts { tree_builder, ..ParseOpts::default() }).one(page);
    let mut found = Vec::new();
    gather(&dom.document, false, &mut found);
    found
}

fn gather(node: &Handle, in_head: bool, found: &mut Vec<Found>) {
    let mut in_head = in_head;
    if let NodeData::Element { name, attrs, .. } = &node.data {
        in_head |= &*name.local == "head";
        let attributes = attrs.borrow();
        let value =
            |name: &str| attributes.iter().find(|own| &*own.name.local == name).map(|own| own.value.to_string());
        let rel = value("rel").unwrap_or_default();
        if rel.split_ascii_whitespace().any(|rel| rel.eq_ignore_ascii_case("resourcesync")) {
            let href = value("href").map(|href| href.trim_ascii().to_owned()).filter(|href| !href.is_empty());
            let counts = &*name.local == "link" && in_head && href.is_some();
            found.push((href, counts));
        }
    }
    // The content of a template is not among its children.
    node.children.borrow().iter().for_each(|child| gather(child, in_head, found));
}

/// The start of the tag of an announcement.
fn announcement() -> BoxedStrategy<String> {
    let name = prop::sample::select(vec!["link", "LINK", "link", "p", "a"]);
    let attribute = prop::sample::select(vec![
        "rel=resourcesync",
        "REL='x ResourceSync\ty'",
        "rel = \"resourcesync\"",
        "rel=resourcesyncx",
        "rel=\"a>b resourcesync\"",
        "rel",
        "href=/c",
        "href='http://a.example/?a&amp;b'",
        "href=\" /d&#x2F;e\n\"",
        "HREF=http://a.example/",
        "href=''",
        "title='<link rel=resourcesync>'",
        "data-x=1/",
        "=x",
        "/",
    ]);
    let end = prop::sample::select(vec![">", "/>", " >", "\n/ >"]);
    (name, prop::collection::vec(attribute, 0..5), end)
        .prop_map(|(name, attributes, end)| {
            // An unclosed `a` would be repeated in each following block.
            let close = if name == "a" { "</a>" } else { "" };
            format!("<{name} {}{end}{close}", attributes.join(" "))
        })
        .boxed()
}

/// Other content of a head.
fn in_head() -> BoxedStrategy<String> {
    prop::sample::select(vec![
        "<title>t <link rel=resourcesync></title>",
        "<script>'<link rel=resourcesync href=/s>' && 1 < 2</script>",
        "<STYLE>a</style >",
        "<script></scriptx</script>",
        "<template><p><link rel=resourcesync href=/t></p><template></template></template>",
        "<noscript><img src=x></noscript>",
        "<meta charset=utf-8>",
        "<base href=/x/>",
        "<!-- <link rel=resourcesync href=/k> -->",
        "<!-->",
        "<!--->",
        "<!-- a --!>",
        "<!-- -- > <link rel=resourcesync href=/k> -->",
        "<!x <link rel=resourcesync>",
        "<?x <link rel=resourcesync>",
        "\n",
    ])
    .prop_map(String::from)
    .boxed()
}

/// Other content of a body.
fn in_body() -> BoxedStrategy<String> {
    let text = vec![
        "<p>",
        "</p>",
        "<div a='>'>",
        "</div>",
        "<img>",
        "text < & > ",
        "<textarea><link rel=resourcesync></textarea>",
    ];
    prop_oneof![in_head(), prop::sample::select(text).prop_map(String::from)].boxed()
}

fn page() -> BoxedStrategy<String> {
    let start = prop::sample::select(vec![
        "<!DOCTYPE html>",
        "<!doctype html><html lang=en>",
        "<HTML><head>",
        "<!-- c --><html><HEAD a>\n",
        "",
    ]);
    let body = prop::sample::select(vec!["</head><body>", "</HEAD>\n<body a='>'>", "<body>", "<p>", "<img>"]);
    let some = |part: BoxedStrategy<String>| prop::collection::vec(prop_oneof![announcement(), part], 0..6);
    (start, some(in_head()), body, some(in_body()))
        .prop_map(|(start, head, body, rest)| format!("{start}{}{body}{}</body>", head.concat(), rest.concat()))
        .boxed()
}

/// The names of all characters of ASCII and Latin-1, with a semicolon, and some without.
fn names() -> Vec<&'static str> {
    let is_ours = |characters: &(u32, u32)| (1..0x100).contains(&characters.0) && characters.1 == 0;
    let names = html5ever::data::NAMED_ENTITIES.entries();
    let all: Vec<&str> = names.filter(|(_, characters)| is_ours(characters)).map(|(name, _)| *name).collect();
    assert!(all.len() > 150);
    all
}

#[test]
fn character_references_are_decoded_as_html_decodes_them() {
    let decimal = (0..=300).chain([0xd7ff, 0xd800, 0xdfff, 0x10_ffff, 0x11_0000, u32::MAX]);
    let numbers = decimal.flat_map(|number| [format!("#{number};"), format!("#x{number:X};"), format!("#{number}")]);
    for reference in names().into_iter().map(String::from).chain(numbers) {
        for after in ["", "/z", "=1", "z", "&"] {
            let page = format!("<head><link rel=resourcesync href=\"/c?a&{reference}{after}\">");
            assert_eq!(ours(&page), by_html5ever(&page), "{page}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_a_parser_of_html_finds_is_found(page in page()) {
        prop_assert_eq!(ours(&page), by_html5ever(&page), "{}", page);
    }
}

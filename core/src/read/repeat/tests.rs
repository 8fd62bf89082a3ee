//! What is learnt, and when. That it changes nothing is compared in `tests/suites/repeated.rs`.

use alloc::{format, string::String, vec::Vec};

use crate::{
    limits::Limits,
    model::Item,
    read::{ReadEvent, Reader},
    rules::EntryShape,
};

const HEAD: &str =
    r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">"#;

fn entry(number: usize) -> String {
    format!(
        "\n  <url>\n    <loc>http://example.com/{number}?a=1&amp;b=2</loc>\n    <lastmod>2024-05-01T00:00:00Z</lastmod>\n    \
         <rs:md hash=\"md5:{number:032x}\" length=\"{number}\" type=\"text/html\"/>\n  </url>"
    )
}

/// The shapes of all entries, in windows of this size.
fn shapes(text: &str, window: usize) -> Vec<Option<EntryShape>> {
    let (mut reader, mut shapes) = (Reader::new(&Limits::default()), Vec::new());
    let mut drain = |reader: &mut Reader| {
        while let Some((event, shape)) = reader.next_shaped() {
            if let ReadEvent::Item(Item::Entry(_)) = event {
                shapes.push(shape);
            }
        }
    };
    for window in text.as_bytes().chunks(window) {
        assert_eq!(reader.push(window), window.len());
        drain(&mut reader);
    }
    reader.finish();
    drain(&mut reader);
    shapes
}

#[test]
fn entries_of_one_shape_have_its_number_however_they_are_cut() {
    let mut text = String::from(HEAD);
    (0..50).for_each(|number| text += &entry(number));
    text += "</urlset>";
    for window in [1, 100, 60_000] {
        let shapes = shapes(&text, window);
        assert_eq!(shapes.len(), 50);
        assert!(
            shapes.iter().all(|shape| shape.is_some_and(|shape| shape.is_usual) && *shape == shapes[0]),
            "{window}"
        );
    }
}

#[test]
fn shapes_may_alternate_and_an_unusual_value_is_told() {
    let mut text = String::from(HEAD);
    for number in 0..40 {
        let length = if number == 37 { "-1" } else { "1" };
        text += &format!("<url><loc>http://example.com/{number}</loc><rs:md length='{length}'/>");
        text += if number % 2 == 0 { "</url>" } else { "<rs:ln rel='describedby' href='http://example.com/'/></url>" };
    }
    let shapes: Vec<EntryShape> = shapes(&text, 60_000).into_iter().flatten().collect();
    assert_eq!(shapes.len(), 40);
    for (number, shape) in shapes.iter().enumerate() {
        assert_eq!((shape.number, shape.is_usual), (shapes[number % 2].number, number != 37), "{number}");
    }
    assert_ne!(shapes[0].number, shapes[1].number);
}

#[test]
fn no_more_is_tried_once_nothing_repeats() {
    let mut text = String::from(HEAD);
    (0..600).for_each(|number| {
        text += &format!("<url><loc>http://{number}.example.com/</loc><priority>0.{number}</priority></url>")
    });
    let shapes = shapes(&text, 60_000);
    let known = shapes.iter().flatten().count();
    assert!(shapes.len() == 600 && (20..=64).contains(&known), "{known}");
}

#[test]
fn the_end_of_an_entry_is_waited_for_and_nothing_is_consumed_before_it() {
    let mut reader = Reader::new(&Limits::default());
    reader.push(format!("{HEAD}{}", entry(1)).as_bytes());
    while reader.next().is_some() {}
    let place = reader.position();
    let text = entry(2);
    for at in 0..text.len() {
        assert!(reader.next().is_none(), "{at}");
        assert_eq!(reader.position(), place);
        reader.push(&text.as_bytes()[at..=at]);
    }
    assert!(matches!(reader.next(), Some(ReadEvent::Item(Item::Entry(entry))) if entry.number == 2));
    assert_eq!(reader.position().offset, place.offset + text.len() as u64);
}

#[test]
fn a_long_entry_is_neither_learnt_nor_waited_for() {
    let links = "<rs:ln rel='describedby' href='http://example.com/'/>".repeat(200);
    let text = format!(
        "{HEAD}<url><loc>http://example.com/1</loc>{links}</url><url><loc>http://example.com/2</loc>{links}</url>"
    );
    assert_eq!(shapes(&text, 60_000), [None, None]);
}

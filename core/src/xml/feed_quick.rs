//! Finds the ends of markup with quick-xml.

use quick_xml::parser::{CommentParser, ElementParser, Parser, PiParser};

use crate::xml::feed::Feed;

/// The resumable scanners of quick-xml, each reset after a result.
#[derive(Debug, Default)]
pub(super) struct QuickFeed {
    tag: ElementParser,
    comment: CommentParser,
    instruction: PiParser,
}

impl Feed for QuickFeed {
    #[inline]
    fn tag(&mut self, bytes: &[u8]) -> Option<usize> {
        let last = self.tag.feed(bytes)?;
        self.tag = ElementParser::default();
        Some(last.saturating_add(1))
    }

    fn comment(&mut self, bytes: &[u8]) -> Option<usize> {
        let end = self.comment.feed(bytes);
        if end.is_some() {
            self.comment = CommentParser::default();
        } else if bytes.len() > 1 {
            // quick-xml 0.42 keeps a hyphen for too long: `-`, `x-`, `>` would end a comment.
            self.comment = match bytes {
                [.., b'-', b'-'] => CommentParser::Seen2,
                [.., b'-'] => CommentParser::Seen1,
                _ => CommentParser::Seen0,
            };
        }
        end
    }

    fn instruction(&mut self, bytes: &[u8]) -> Option<usize> {
        if bytes.is_empty() {
            // quick-xml 0.42 would lose the question mark before.
            return None;
        }
        let last = self.instruction.feed(bytes)?;
        self.instruction = PiParser::default();
        Some(last.saturating_add(1))
    }
}

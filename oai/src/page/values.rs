//! The text values of elements: dates, names, tokens.

use alloc::string::String;

use resourcesync::{span::Span, xml::Start};

use super::{Damage, ErrorCode, OaiError, Piece, Token, assembly::Assembly, element::Element};
use crate::{
    catalogue::Code,
    limits::PageLimit,
    note::Note,
    stamp::{Datestamp, Granularity, is_blank},
};

impl Assembly {
    pub(super) fn begin_token(&mut self, start: &Start<'_>) {
        self.token = Token { span: start.span, ..Token::default() };
        for attribute in start.attributes() {
            let value = attribute.value.trim_matches(is_blank);
            let is_right = match attribute.local {
                "cursor" => {
                    self.token.cursor = value.parse().ok();
                    self.token.cursor.is_some()
                }
                "completeListSize" => {
                    self.token.complete_list_size = value.parse().ok();
                    self.token.complete_list_size.is_some()
                }
                "expirationDate" => {
                    let expires = Datestamp::read(value);
                    let is_right = expires.stamp.is_some() && expires.is_exact;
                    self.token.expires = Some(expires);
                    is_right
                }
                _ => true,
            };
            if !is_right {
                let note = Note::new(Code::OAI_22).at(attribute.span).arg("attribute", attribute.local);
                self.note_once(note.arg("value", value));
            }
        }
    }

    pub(super) fn end_value(&mut self, element: Element, end: Span) {
        let raw = core::mem::take(&mut self.text);
        let text = raw.trim_matches(is_blank);
        let is_long = self.text_cut || text.len() > self.limits.oai_header_values as usize;
        let keep = || Some(String::from(text));
        match element {
            Element::ResponseDate => {
                let date = Datestamp::read(text);
                if !date.is_exact || date.stamp.is_none_or(|stamp| stamp.granularity() == Granularity::Day) {
                    self.note_once(Note::new(Code::OAI_06).at(end).arg("value", text));
                }
                self.head.response_date = Some(date);
            }
            Element::Request => self.head.base_url = keep(),
            Element::Error => {
                let code = ErrorCode::read(&self.error);
                if !code.is_known() {
                    self.note_once(Note::new(Code::OAI_52).at(end).arg("code", code.as_str()));
                }
                self.pieces.push_back(Piece::Error(OaiError { code, text: text.into() }));
            }
            Element::Token => self.end_token(&raw),
            Element::Identifier => {
                if is_long {
                    self.item.damage.get_or_insert(Damage::Limit(PageLimit::HeaderValues));
                } else if !self.item.header.identifier.is_empty() {
                    self.item.damage.get_or_insert(Damage::Several("identifier"));
                }
                self.item.header.identifier = text.into();
            }
            Element::Datestamp => {
                self.item.header.datestamp = Some(Datestamp::read(text));
                self.item.datestamp_span = end;
            }
            Element::SetSpec if self.path.last() == Some(&Element::Set) => self.set.spec = keep(),
            Element::SetSpec => {
                if is_long {
                    self.item.damage.get_or_insert(Damage::Limit(PageLimit::HeaderValues));
                }
                if self.item.header.sets.len() >= self.limits.oai_sets_per_record as usize {
                    self.item.damage.get_or_insert(Damage::Limit(PageLimit::SetsPerRecord));
                } else {
                    self.item.header.sets.push(text.into());
                }
            }
            Element::SetName => self.set.name = keep(),
            Element::MetadataPrefix => self.format.prefix = keep(),
            Element::Schema => self.format.schema = keep(),
            Element::MetadataNamespace => self.format.namespace = keep(),
            Element::RepositoryName => self.identify.repository_name = keep(),
            Element::BaseUrl => self.identify.base_url = keep(),
            Element::ProtocolVersion => self.identify.protocol_version = keep(),
            Element::AdminEmail => self.identify.admin_emails.push(text.into()),
            Element::EarliestDatestamp => self.identify.earliest_datestamp = Some(Datestamp::read(text)),
            Element::DeletedRecord => self.identify.deleted_record = keep(),
            Element::Granularity => self.identify.granularity = keep(),
            Element::Compression => self.identify.compressions.push(text.into()),
            _ => {}
        }
        // The buffer is reused for the next value.
        self.text = raw;
        self.text.clear();
    }

    fn end_token(&mut self, raw: &str) {
        let mut token = core::mem::take(&mut self.token);
        let value = raw.trim_matches(is_blank);
        if value.len() != raw.len() && !value.is_empty() {
            self.note_once(Note::new(Code::OAI_23).at(token.span));
        }
        if self.text_cut || value.len() > self.limits.oai_token_bytes as usize {
            // A truncated token is not usable.
            self.limit = Some(PageLimit::TokenBytes);
            return;
        }
        token.value = value.into();
        self.pieces.push_back(Piece::Token(token));
    }
}

//! XML as a stream of strict, bounded events with exact positions.
//!
//! [`Xml::push`] takes bytes, [`Xml::next`] returns events. It accepts XML 1.0 (fifth edition) with Namespaces 1.0,
//! without a DOCTYPE. Events, faults, positions and excerpts do not depend on how the input is split.

mod content;
mod context;
mod declaration;
mod decode;
mod detail;
mod element;
mod eof;
mod escape;
mod event;
mod excerpt;
mod fault;
mod input;
mod markup_end;
mod misc;
mod name;
mod namespaces;
mod next_markup;
mod passage;
mod position;
mod reader;
mod reference;
mod skip;
mod tag;
#[cfg(test)]
mod tests;
mod text_buffer;

pub use self::{
    context::Context,
    detail::Detail,
    event::{Attribute, Attributes, Declaration, Declarations, EncodingNote, Event, Start},
    excerpt::{Cut, Snippet},
    fault::{EncodingFault, Fault, FaultArg, FaultKind, LimitKind},
    input::HISTORY,
    namespaces::{XML, XMLNS},
    reader::Xml,
};
pub(crate) use self::{
    escape::{character_data, escape},
    event::{Listener, means_utf8},
};

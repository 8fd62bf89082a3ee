//! Converts reading errors to findings: GEN-01, GEN-22, and the limits of reading.

use alloc::string::String;

use crate::{
    diagnostic::{Arg, Code, Finding, Severity},
    report::{Lang, message, values},
    span::Span,
    xml::{self, EncodingFault, EncodingNote, Fault, FaultKind, LimitKind},
};

/// The finding for the fault that ended reading.
pub fn fault_finding(fault: &Fault) -> Finding {
    let (code, extra) = match fault.kind {
        FaultKind::NotWellFormed(detail) => (Code::GEN_01, Some(("detail", detail.code()))),
        FaultKind::Limit(limit) => (limit_code(limit), None),
        FaultKind::Encoding(fault) => (Code::GEN_22, default_encoding(fault).map(|name| ("encoding", name))),
    };
    let mut finding = Finding::new(code).at(fault.span);
    for (name, arg) in &fault.args {
        finding.args.push((
            name,
            match arg {
                xml::FaultArg::Text(text) => Arg::Text(text.clone()),
                xml::FaultArg::Number(number) => Arg::Number(*number),
            },
        ));
    }
    if let FaultKind::Encoding(EncodingFault::Contradiction) = fault.kind {
        name_the_other(&mut finding);
    }
    if let Some((name, value)) = extra.filter(|(name, _)| finding.args.iter().all(|(given, _)| given != name)) {
        finding = finding.arg(name, value);
    }
    match fault.related {
        Some(span) => finding.related("first", span),
        None => finding,
    }
}

/// Of the declared and the detected encoding, the finding names the one that is not UTF-8.
fn name_the_other(finding: &mut Finding) {
    let utf_8 = |arg: &Arg| matches!(arg, Arg::Text(name) if name.eq_ignore_ascii_case("utf-8"));
    let actual = finding.args.iter().find(|(name, arg)| *name == "actual" && !utf_8(arg)).map(|(_, arg)| arg.clone());
    for (name, arg) in &mut finding.args {
        if let ("encoding", Some(actual)) = (*name, &actual) {
            *arg = actual.clone();
        }
    }
}

fn default_encoding(fault: EncodingFault) -> Option<&'static str> {
    match fault {
        EncodingFault::Utf32 => Some("UTF-32"),
        EncodingFault::Utf16WithoutMark => Some("UTF-16"),
        EncodingFault::Ebcdic => Some("EBCDIC"),
        _ => None,
    }
}

fn limit_code(limit: LimitKind) -> Code {
    match limit {
        LimitKind::DocumentBytes => Code::LIM_01,
        LimitKind::Depth => Code::LIM_03,
        LimitKind::Attributes => Code::LIM_04,
        LimitKind::Namespaces => Code::LIM_05,
        LimitKind::NameBytes => Code::LIM_06,
        LimitKind::ValueBytes => Code::LIM_07,
        LimitKind::TagBytes => Code::LIM_08,
    }
}

/// The finding for an encoding that could be read although the standard does not allow it.
pub fn encoding_finding(note: &EncodingNote, span: Span) -> Finding {
    match note {
        EncodingNote::Utf16 => Finding::new(Code::GEN_22).at(span).arg("encoding", "UTF-16").lowered(Severity::Warning),
        // Misspelt, but means UTF-8.
        EncodingNote::Declared(name) if xml::means_utf8(name) => {
            Finding::new(Code::GEN_22).at(span).arg("encoding", name.as_str()).lowered(Severity::Warning)
        }
        EncodingNote::Declared(name) => Finding::new(Code::GEN_22).at(span).arg("encoding", name.as_str()),
    }
}

/// The fault that ended reading, as one line in English.
pub fn fault_text(fault: &Fault) -> String {
    let finding = fault_finding(fault);
    message(finding.code, &values(&finding).0, Lang::En)
}

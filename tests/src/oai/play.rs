//! Plays a transcript: the state machine sends requests, the transcript responds, and every event is a line.

use resourcesync::diagnostic::{Reason, ReasonCode};
use resourcesync_oai::{
    harvest::{
        Checkpoint, Comparison, Event, Failure, Harvest, Mark, Moment, Output, Proof, Purpose, Received, Replayed,
        ResponseHead,
    },
    page::{Damaged, Ending, Piece},
};

use super::{OaiCase, Response, case::Compared};

/// Events after which a run is considered endless.
const MOST: usize = 5_000;

/// The events, line by line.
pub fn play(case: &OaiCase) -> Vec<String> {
    run(case, false)
}

/// The same, for a run that is killed after each page and continues from its checkpoint.
pub fn play_killed(case: &OaiCase) -> Vec<String> {
    run(case, true)
}

/// The data that a driver stores between two runs.
#[derive(Default)]
struct Journal {
    entries: Vec<Entry>,
    /// The confirmed items: everything before the last mark.
    whole: usize,
}

enum Entry {
    Identifier(String),
    Damaged(Option<String>),
    Mark(Box<Mark>),
}

fn run(case: &OaiCase, is_killed: bool) -> Vec<String> {
    let mut now = case.begins();
    let mut journal = Journal::default();
    let mut harvest = Harvest::new(case.plan(), now);
    let mut answers = case.answers.iter();
    let mut compare = case.compare.iter();
    let mut owed = case.owed.iter();
    let mut lines = Vec::new();
    for _ in 0..MOST {
        match harvest.poll(now) {
            Output::Call(call) => {
                let form = call.form.map(|form| format!("call POST {} {}", call.url, shortened(&form)));
                lines.push(form.unwrap_or_else(|| format!("call {}", call.url)));
                let last = case.answers.last().filter(|_| case.repeat);
                let answer = answers
                    .next()
                    .or(last)
                    .unwrap_or_else(|| panic!("{}: no answer is left for {:#?}", case.name(), lines.last()));
                now = respond(&mut harvest, now, answer, &mut lines, &mut journal);
            }
            // A finished run is not killed.
            Output::Save(checkpoint) if is_killed && harvest.checkpoint().is_none() => {
                harvest = resumed(case, *checkpoint, now, &journal, harvest)
            }
            Output::Save(_) => {}
            Output::Wait { until, why } => {
                lines.push(format!("wait {} s: {}", until.since(now).div_ceil(1000), why.as_str()));
                now = until;
            }
            Output::Compare(scope) => {
                lines.push(format!(
                    "compare {}{}",
                    scope.prefix,
                    scope.set.map_or(String::new(), |set| format!("/{set}"))
                ));
                let own = compare.next().unwrap_or_else(|| panic!("{}: nothing to compare", case.name()));
                let Compared { missing, total, sample, lacking, wanted } = own.clone();
                let comparison = Comparison { missing, total, sample, lacking, wanted };
                let handled = harvest.handle(now, Event::Compared(comparison));
                journal.keep(handled.marks);
            }
            Output::Owed => {
                let handled = harvest.handle(now, Event::Owed(owed.next().cloned()));
                journal.keep(handled.marks);
            }
            Output::Done(proof) => {
                if answers.len() > 0 {
                    lines.push(format!("{} answers are left", answers.len()));
                }
                tell(&proof, now, &mut lines);
                return lines;
            }
            other => panic!("{other:?}"),
        }
    }
    panic!("{}: it does not end: {:#?}", case.name(), &lines[lines.len().saturating_sub(20)..])
}

impl Journal {
    fn keep(&mut self, marks: Vec<Mark>) {
        self.entries.extend(marks.into_iter().map(|mark| Entry::Mark(Box::new(mark))));
        self.whole = self.entries.len();
    }
}

/// A later run from the stored data; without a checkpoint it starts again.
fn resumed(case: &OaiCase, checkpoint: Checkpoint, now: Moment, journal: &Journal, harvest: Harvest) -> Harvest {
    let text = serde_json::to_string(&checkpoint).expect("a checkpoint is a value");
    let checkpoint = serde_json::from_str(&text).expect("a checkpoint is read back");
    // Every run has its own seed.
    let mut plan = case.plan();
    plan.seed = now.0;
    let Some(mut later) = Harvest::resume(plan, checkpoint, now) else { return harvest };
    for entry in &journal.entries {
        later.replay(match entry {
            Entry::Identifier(identifier) => Replayed::Identifier(identifier),
            Entry::Damaged(identifier) => Replayed::Damaged(identifier.as_deref()),
            Entry::Mark(mark) => Replayed::Mark(mark.clone()),
        });
    }
    later
}

fn respond(
    harvest: &mut Harvest,
    now: Moment,
    response: &Response,
    lines: &mut Vec<String>,
    journal: &mut Journal,
) -> Moment {
    let later = now.plus_millis(response.ms);
    let mut event = None;
    if let Some((why, received)) = &response.fail {
        lines.push(format!("fail {why}, {received} received"));
        let why = match why.as_str() {
            "connection" => Failure::Connection,
            "timeout" => Failure::Timeout,
            "redirect" => Failure::Redirect,
            "permanent" => Failure::Permanent,
            other => panic!("no failure is called {other}"),
        };
        let received = match received.as_str() {
            "nothing" => Received::Nothing,
            "head" => Received::Head,
            "part" => Received::Part,
            other => panic!("nothing is called {other}"),
        };
        event = Some(Event::Failed { why, reason: Reason::new(ReasonCode::ConnectionClosed), received });
    }
    let event = event.unwrap_or_else(|| {
        let header = |name: &str| response.headers.get(name).cloned();
        let head = ResponseHead {
            status: response.status,
            content_type: header("Content-Type").or(Some("text/xml".into())),
            content_encoding: header("Content-Encoding"),
            retry_after: header("Retry-After"),
            date: header("Date"),
            redirects: header("Redirected-To").map(|to| (301, to)).into_iter().collect(),
        };
        let mut answer = harvest.answer(now, head);
        for window in response.body.bytes().chunks(1000) {
            answer.push(window);
        }
        answer.finish();
        let mut pieces = Vec::new();
        while let Some(piece) = answer.next() {
            journal.entries.extend(match &piece {
                Piece::Record(record) => Some(Entry::Identifier(record.header.identifier.clone())),
                Piece::Header(header) => Some(Entry::Identifier(header.identifier.clone())),
                Piece::Damaged(damaged) => Some(match &damaged.repaired {
                    Some(own) => Entry::Identifier(own.record.header.identifier.clone()),
                    None => Entry::Damaged(damaged.identifier.clone()),
                }),
                Piece::Set(set) => Some(Entry::Identifier(set.spec.clone().unwrap_or_default())),
                _ => None,
            });
            pieces.extend(word(&piece));
        }
        if !pieces.is_empty() {
            lines.push(format!("read {}", pieces.join(", ")));
        }
        Event::Answered(answer.into_answered())
    });
    let handled = harvest.handle(later, event);
    if !handled.accepted {
        journal.entries.truncate(journal.whole);
    }
    journal.keep(handled.marks);
    if !handled.accepted {
        lines.push("not accepted".into());
    }
    later
}

/// A piece in one word.
fn word(piece: &Piece) -> Option<String> {
    Some(match piece {
        Piece::Record(record) if record.header.is_deleted => format!("{} deleted", record.header.identifier),
        Piece::Record(record) => record.header.identifier.clone(),
        Piece::Header(header) => format!("{}{}", header.identifier, if header.is_deleted { " deleted" } else { "" }),
        Piece::Damaged(Damaged { repaired: Some(own), .. }) => format!("{} repaired", own.record.header.identifier),
        Piece::Damaged(damaged) => {
            format!("damaged {} ({})", damaged.identifier.as_deref().unwrap_or("?"), damaged.why.code())
        }
        Piece::Set(set) => format!("set {}", set.spec.as_deref().unwrap_or("?")),
        Piece::MetadataFormat(format) => format!("format {}", format.prefix.as_deref().unwrap_or("?")),
        Piece::Identify(_) => "identify".into(),
        Piece::Token(token) => format!("token {:?}", shortened(&token.value)),
        Piece::Error(error) => error.code.as_str().to_owned(),
        Piece::End(Ending::Cut(cut)) => format!("cut: {}", cut.reason()),
        Piece::End(Ending::NotOai(sniffed)) => format!("{} instead", sniffed.kind.as_str()),
        _ => return None,
    })
}

fn shortened(text: &str) -> String {
    if text.len() <= 60 {
        text.to_owned()
    } else {
        format!("{}… ({} bytes)", text.chars().take(20).collect::<String>(), text.len())
    }
}

/// A proof as lines.
fn tell(proof: &Proof, now: Moment, lines: &mut Vec<String>) {
    lines.push(format!("{}: {} requests, waited {} s", proof.status, proof.requests, proof.waited));
    for (word, notes) in [("reason", &proof.reasons), ("note", &proof.notes)] {
        for noted in notes.iter() {
            let args = serde_json::to_string(&noted.args).expect("notes are values");
            let about =
                if noted.identifiers.is_empty() { String::new() } else { format!(" {}", noted.identifiers.join(" ")) };
            lines.push(format!("{word} {} x{}{about} {}", noted.code, noted.count, shortened(&args.replace('"', "'"))));
        }
    }
    for sequence in &proof.sequences {
        let task = &sequence.task;
        if task.purpose == Purpose::Formats {
            continue;
        }
        let dates = [("from", task.from), ("until", task.until)];
        let dates: String = dates.iter().filter_map(|(name, stamp)| Some(format!(" {name} {}", (*stamp)?))).collect();
        let names = [task.prefix.as_deref(), task.set.as_deref()];
        let names: String = names.iter().flatten().map(|name| format!(" {name}")).collect();
        let ended = serde_json::to_string(&sequence.ended).expect("a word");
        lines.push(format!(
            "{}{names}{dates}: {} after {} pages, attempt {}; {} delivered, {} distinct, {} deleted, {} damaged",
            task.verb.as_str(),
            ended.trim_matches('"'),
            sequence.pages.len(),
            sequence.attempts,
            sequence.delivered,
            sequence.distinct,
            sequence.deleted,
            sequence.quarantined,
        ));
    }
    for own in &proof.reconciled {
        let action = serde_json::to_string(&own.action).expect("a word");
        lines.push(format!(
            "{} of {} missing, {} confirmed: {}",
            own.missing,
            own.total,
            own.confirmed,
            action.trim_matches('"')
        ));
    }
    for own in &proof.owed {
        lines.push(format!("owed {} {}", own.prefix, own.identifier.as_deref().unwrap_or("?")));
    }
    for next in &proof.next {
        let set = next.set.as_ref().map_or(String::new(), |set| format!("/{set}"));
        lines.push(format!("next {}{set} from {}", next.prefix, next.from));
    }
    if let Some(at) = proof.retry_at {
        lines.push(format!("again in {} s", at.since(now).div_ceil(1000)));
    }
}

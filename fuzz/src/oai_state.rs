//! The state machine of a harvest, driven by a script: it ends, it counts only complete pages, and a killed run gives the proof of
//! an undisturbed one.

use resourcesync::diagnostic::Reason;
use resourcesync_oai::{
    harvest::{
        Checkpoint, Comparison, Event, Failure, Harvest, Mark, Moment, Output, Plan, Proof, Received, Replayed,
        ResponseHead, Status,
    },
    page::Piece,
};
use resourcesync_tests::oai::Body;

/// Steps after which a run is considered endless.
const MOST: usize = 20_000;
const START: Moment = Moment(1_767_225_660_000);

/// The first byte chooses: a checkpoint as JSON, or a script of responses.
pub fn oai_state(data: &[u8]) {
    let Some((first, rest)) = data.split_first() else { return };
    if *first == b'{' {
        // The run ends for any content of a state file.
        let Ok(checkpoint) = serde_json::from_slice::<Checkpoint>(data) else { return };
        let Some(harvest) = Harvest::resume(plan(), checkpoint, START) else { return };
        let _ = Script(&[]).drive(harvest, 0);
        return;
    }
    let undisturbed = Script(rest).drive(Harvest::new(plan(), START), 0);
    assert!(undisturbed.status != Status::Complete || undisturbed.reasons.iter().next().is_none(), "{undisturbed:?}");
    let killed = Script(rest).drive(Harvest::new(plan(), START), *first);
    // A list whose tokens do not tell the position is begun again after a kill, and gets the next responses of the script.
    let attempts = |proof: &Proof| proof.sequences.iter().map(|own| own.attempts).collect::<Vec<_>>();
    if attempts(&killed) != attempts(&undisturbed) {
        return;
    }
    let delivered = |proof: &Proof| proof.sequences.iter().map(|own| (own.delivered, own.distinct)).collect::<Vec<_>>();
    assert_eq!(killed.status, undisturbed.status);
    assert_eq!(delivered(&killed), delivered(&undisturbed));
    assert_eq!(killed.next, undisturbed.next);
}

fn plan() -> Plan {
    let mut plan = Plan::new("http://a.example/oai");
    plan.limits.oai_pages = 100;
    plan
}

/// The journal of a driver.
enum Entry {
    Identifier(String),
    Damaged(Option<String>),
    Mark(Box<Mark>),
}

/// The responses: one byte each, then only 403.
struct Script<'a>(&'a [u8]);

impl Script<'_> {
    /// Drives the machine to its end, and kills it at the saves selected by the bits of `kills`.
    fn drive(mut self, mut harvest: Harvest, kills: u8) -> Box<Proof> {
        let (mut now, mut saves) = (START, 0_u32);
        let (mut journal, mut counted) = (Vec::new(), 0);
        for _ in 0..MOST {
            match harvest.poll(now) {
                Output::Call(call) => {
                    let event = self.respond(&harvest, now, call.request.verb.as_str(), &mut journal);
                    let handled = harvest.handle(now, event);
                    if !handled.accepted {
                        journal.truncate(counted);
                    }
                    journal.extend(handled.marks.into_iter().map(|mark| Entry::Mark(Box::new(mark))));
                    counted = journal.len();
                }
                Output::Save(checkpoint) => {
                    saves += 1;
                    if kills >> (saves % 8) & 1 == 1 && harvest.checkpoint().is_none() {
                        harvest = resumed(*checkpoint, now, &journal).unwrap_or(harvest);
                    }
                }
                Output::Wait { until, .. } => {
                    assert!(until > now, "a wait that is over");
                    now = until;
                }
                Output::Compare(_) => {
                    let one = || vec!["1".into()];
                    let compared = Comparison { total: 9, missing: 1, sample: one(), lacking: 1, wanted: one() };
                    let _ = harvest.handle(now, Event::Compared(compared));
                }
                Output::Owed => {
                    let _ = harvest.handle(now, Event::Owed(Some(Vec::new())));
                }
                Output::Done(proof) => return proof,
                _ => {}
            }
        }
        panic!("it does not end");
    }

    fn respond(&mut self, harvest: &Harvest, now: Moment, verb: &str, journal: &mut Vec<Entry>) -> Event {
        let (byte, rest) = self.0.split_first().map_or((255, &[][..]), |(byte, rest)| (*byte, rest));
        self.0 = rest;
        let (mut body, mut status, mut retry_after) = (Body::default(), 200, None);
        let items = |kind: u8| (0..kind % 4).map(|at| format!("{}", kind / 4 % 8 + at)).collect::<Vec<_>>();
        match byte {
            0..=159 => {
                let listed = Some(items(byte));
                match verb {
                    "Identify" => body.identify = Some(Default::default()),
                    "ListMetadataFormats" => body.formats = Some(vec!["oai_dc".into()]),
                    "ListSets" => body.sets = listed,
                    "ListIdentifiers" => body.identifiers = listed,
                    "GetRecord" => body.record = Some("1".into()),
                    _ => body.records = listed,
                }
                body.token = (byte > 31).then(|| if byte % 5 == 0 { String::new() } else { format!("t{byte}") });
                body.cut = (byte % 16 == 15).then(|| "</OAI-PMH>".into());
            }
            160..=183 => {
                let codes = ["noRecordsMatch", "badResumptionToken", "badArgument", "idDoesNotExist", "odd", "badVerb"];
                body.errors = Some(vec![codes[usize::from(byte) % codes.len()].into()]);
            }
            184..=207 => {
                status = [500, 503, 429, 413, 504, 302][usize::from(byte) % 6];
                retry_after = (byte % 2 == 0).then(|| "7".into());
                body.text = Some("busy".into());
            }
            208..=239 => {
                let why = if byte % 2 == 0 { Failure::Connection } else { Failure::Timeout };
                let received = [Received::Nothing, Received::Head, Received::Part][usize::from(byte) % 3];
                return Event::Failed { why, reason: Reason::other("x"), received };
            }
            240..=247 => body.text = Some(if byte % 2 == 0 { String::new() } else { "<html>".into() }),
            _ => {
                status = 403;
                body.text = Some("no".into());
            }
        }
        let mut answer = harvest.answer(now, ResponseHead { status, retry_after, ..ResponseHead::default() });
        answer.push(&body.bytes());
        answer.finish();
        while let Some(piece) = answer.next() {
            journal.extend(match piece {
                Piece::Record(record) => Some(Entry::Identifier(record.header.identifier)),
                Piece::Header(header) => Some(Entry::Identifier(header.identifier)),
                Piece::Damaged(damaged) => Some(Entry::Damaged(damaged.identifier)),
                Piece::Set(set) => Some(Entry::Identifier(set.spec.unwrap_or_default())),
                _ => None,
            });
        }
        Event::Answered(answer.into_answered())
    }
}

/// A later run from the checkpoint and the journal.
fn resumed(checkpoint: Checkpoint, now: Moment, journal: &[Entry]) -> Option<Harvest> {
    let text = serde_json::to_vec(&checkpoint).expect("a checkpoint is a value");
    let checkpoint = serde_json::from_slice(&text).expect("a checkpoint is read back");
    let mut later = Harvest::resume(plan(), checkpoint, now)?;
    for entry in journal {
        later.replay(match entry {
            Entry::Identifier(identifier) => Replayed::Identifier(identifier),
            Entry::Damaged(identifier) => Replayed::Damaged(identifier.as_deref()),
            Entry::Mark(mark) => Replayed::Mark(mark.clone()),
        });
    }
    Some(later)
}

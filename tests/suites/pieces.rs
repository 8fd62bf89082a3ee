//! Packages that several processes verify in pieces: the report is that of one process, and each member is in one piece.

use std::collections::BTreeMap;

use resourcesync::{
    api::{
        Contents, InputOrigin, Member, MemberState, Options, ParcelError, Piece, Run, Verification, VerificationStep,
        Worker,
    },
    diagnostic::Reason,
};
use resourcesync_tests::{
    Case, all,
    package::{Raw, Zip, package},
};

fn reading(bytes: &[u8]) -> impl FnMut(u64, &mut [u8]) -> Result<(), Reason> + '_ {
    |offset, room| {
        room.copy_from_slice(&bytes[offset as usize..][..room.len()]);
        Ok(())
    }
}

fn verification<'a>(case: &Case, options: &'a Options, bytes: &[u8]) -> Verification<'a> {
    Verification::new(options, case.source(), bytes.len() as u64)
}

fn report(verification: Verification<'_>, options: &Options, bytes: &[u8]) -> String {
    let mut run = Run::new(options);
    run.add(verification.run(&mut reading(bytes)));
    run.finish().to_json()
}

/// The offsets of the members that a verification reads.
fn members_read(mut verification: Verification<'_>, bytes: &[u8]) -> Vec<u64> {
    let (mut worker, mut read) = (Worker::new(1 << 20), Vec::new());
    loop {
        match verification.step() {
            VerificationStep::Bytes(range) => {
                verification.give(range.start, &bytes[range.start as usize..range.end as usize])
            }
            VerificationStep::Work(work) => {
                worker.begin(work);
                while let Some(range) = worker.wants() {
                    read.push(range.start);
                    worker.give(&bytes[range.start as usize..range.end as usize]);
                }
                verification.put(worker.finish());
            }
            VerificationStep::Wait => panic!("nothing is open"),
            VerificationStep::Done => return read,
        }
    }
}

fn packages() -> impl Iterator<Item = Case> {
    all().into_iter().filter(Case::is_package)
}

#[test]
fn the_report_of_a_package_verified_in_pieces_is_that_of_one_process() {
    let mut parcels = 0;
    for case in packages() {
        let (options, bytes) = (case.options(), case.bytes());
        let whole = report(verification(&case, &options, &bytes), &options, &bytes);
        for of in [1, 2, 3, 7] {
            let pieces = (0..of).map(|number| Piece { number, of });
            let run =
                |piece| verification(&case, &options, &bytes).with_piece(piece).run_for_piece(&mut reading(&bytes));
            let mut delivered: Vec<Vec<u8>> = pieces.filter_map(run).collect();
            parcels += delivered.len();
            // In any order, one of them twice, and without one.
            delivered.reverse();
            delivered.extend(delivered.first().cloned());
            for parcels in [&delivered[..], &delivered[delivered.len().min(2)..]] {
                let own = verification(&case, &options, &bytes).with_pieces(parcels.iter().map(Vec::as_slice)).unwrap();
                assert_eq!(report(own, &options, &bytes), whole, "{} in {of}", case.name());
            }
        }
    }
    assert!(parcels > 500, "{parcels}");
}

#[test]
fn the_members_of_the_pieces_are_those_of_the_package_in_the_same_states() {
    let mut compared = 0;
    for case in packages() {
        let (options, bytes) = (case.options(), case.bytes());
        let (_, whole) = verification(&case, &options, &bytes).run_for_contents(&mut reading(&bytes));
        let by_index = |members: &mut dyn Iterator<Item = Member>| -> BTreeMap<u32, Member> {
            members.map(|member| (member.index, member)).collect()
        };
        let expected = by_index(&mut whole.members());
        for of in [2, 5] {
            let mut found = BTreeMap::new();
            for piece in (0..of).map(|number| Piece { number, of }) {
                let own = verification(&case, &options, &bytes).with_piece(piece);
                let (outcome, contents): (_, Contents) = own.run_for_contents(&mut reading(&bytes));
                assert!(outcome.incomplete, "a piece says nothing of the package: {}", case.name());
                for (index, member) in by_index(&mut contents.members_of(piece)) {
                    assert!(found.insert(index, member).is_none(), "{} {index}", case.name());
                }
                let is_elsewhere = |member: &Member| contents.members_of(piece).all(|own| own.index != member.index);
                let is_claimed =
                    |member: &Member| member.state == MemberState::Verified && member.checked[0] == "crc-32";
                let elsewhere = contents.members().filter(is_elsewhere).filter(is_claimed);
                // Nothing but an empty member is verified without being read.
                assert!(elsewhere.into_iter().all(|member| member.size == 0), "{}", case.name());
            }
            // The limit on what is unpacked applies to each piece.
            if whole.members().all(|member| member.state != MemberState::Unchecked) {
                assert_eq!(found, expected, "{} in {of}", case.name());
                compared += found.len();
            }
        }
    }
    assert!(compared > 500, "{compared}");
}

#[test]
fn a_limit_on_what_is_unpacked_leaves_out_the_same_members() {
    let sizes = [("1", 700), ("2", 900), ("3", 80)];
    let mut members = sizes.map(|(name, size)| Raw::stored(name, name.repeat(size).as_bytes()));
    // So that a piece has the second and the third.
    members[0].gap = vec![0; 3000];
    let mut bytes = Zip::build(&members).bytes;
    // The last member is damaged, and fits within a limit that the one before exceeds.
    let last = bytes.windows(80).rposition(|window| window == [b'3'; 80]).unwrap();
    bytes[last] = b'x';
    let mut found = 0;
    for budget in (0..1800).step_by(30) {
        let mut options = Options::default();
        assert!(options.limits.set("package_bytes", budget));
        let begin = || Verification::new(&options, InputOrigin::named("part1.zip"), bytes.len() as u64);
        let whole = report(begin(), &options, &bytes);
        found += u64::from(whole.contains("ZIP-23"));
        for of in [2, 3, 5] {
            let run = |number| begin().with_piece(Piece { number, of }).run_for_piece(&mut reading(&bytes));
            let parcels: Vec<Vec<u8>> = (0..of).filter_map(run).collect();
            let divided = begin().with_pieces(parcels.iter().map(Vec::as_slice)).unwrap();
            assert_eq!(report(divided, &options, &bytes), whole, "{budget}, {of} pieces");
        }
    }
    assert!(found > 10, "{found}");
}

#[test]
fn members_of_delivered_pieces_are_not_read_again_unless_the_package_is_another_one() {
    let options = Options::default();
    let bytes = package("folders");
    let begin = |bytes: &[u8]| Verification::new(&options, InputOrigin::named("part1.zip"), bytes.len() as u64);
    let of = 3;
    let run = |number| begin(&bytes).with_piece(Piece { number, of }).run_for_piece(&mut reading(&bytes));
    let parcels: Vec<Vec<u8>> = (0..of).filter_map(run).collect();
    let with = |bytes: &[u8]| begin(bytes).with_pieces(parcels.iter().map(Vec::as_slice)).unwrap();
    assert!(!members_read(begin(&bytes), &bytes).is_empty());
    assert_eq!(members_read(with(&bytes), &bytes), Vec::<u64>::new());
    // Another checksum of a member in the directory: the members are read, and the finding is there.
    let mut other = bytes.clone();
    let directory = bytes.windows(4).rposition(|window| window == b"PK\x01\x02").unwrap();
    other[directory + 16] ^= 1;
    assert_eq!(members_read(with(&other), &other), members_read(begin(&other), &other));
    // The second of two halves is not the second of three thirds.
    let half = begin(&bytes).with_piece(Piece { number: 1, of: 2 }).run_for_piece(&mut reading(&bytes)).unwrap();
    for (mixed, alone) in [([&parcels[0], &half], &parcels[0]), ([&half, &parcels[0]], &half)] {
        let read = |parcels: &[&Vec<u8>]| {
            let own = begin(&bytes).with_pieces(parcels.iter().map(|parcel| parcel.as_slice())).unwrap();
            members_read(own, &bytes)
        };
        assert_eq!(read(&mixed), read(&[alone]));
    }
    // Parcels of another run, and damaged ones.
    let mut strict = Options::default();
    strict.max_per_rule = 7;
    let another = Verification::new(&strict, InputOrigin::named("part1.zip"), bytes.len() as u64);
    assert_eq!(another.with_pieces([parcels[0].as_slice()]).unwrap_err(), ParcelError::OtherRun);
    let cut = &parcels[0][..parcels[0].len() - 1];
    assert_eq!(begin(&bytes).with_pieces([cut]).unwrap_err(), ParcelError::Damaged);
}

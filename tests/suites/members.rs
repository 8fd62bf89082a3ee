//! The members of a package: their states, and bytes that are confirmed only after verification.

use resourcesync::{
    api::{Contents, InputOrigin, List, MemberState, Options, Run, Verification},
    diagnostic::{Reason, ReasonCode},
    report::Report,
};
use resourcesync_tests::package::package;

fn read(bytes: &[u8]) -> impl FnMut(u64, &mut [u8]) -> Result<(), Reason> + '_ {
    |offset, room| {
        room.copy_from_slice(&bytes[offset as usize..][..room.len()]);
        Ok(())
    }
}

fn opened(bytes: &[u8], options: &Options) -> (Report, Contents) {
    let verification = Verification::new(options, InputOrigin::named("package.zip"), bytes.len() as u64);
    let (outcome, contents) = verification.run_for_contents(&mut read(bytes));
    let mut run = Run::new(options);
    run.add(outcome);
    (run.finish(), contents)
}

fn contents(name: &str) -> Contents {
    opened(&package(name), &Options::default()).1
}

/// The name, state and reason of each member that is not verified.
fn trouble(contents: &Contents) -> Vec<String> {
    contents
        .members()
        .filter(|member| !matches!(member.state, MemberState::Verified | MemberState::Sound))
        .map(|member| format!("{} {} {}", member.name, member.state.as_str(), member.why.unwrap_or_default()))
        .collect()
}

#[test]
fn members_of_a_sound_package_are_verified_and_their_resources_are_known() {
    let contents = contents("folders");
    let shown: Vec<_> = contents
        .members()
        .map(|own| (own.name, own.kind.as_str(), own.state.as_str(), own.checked.join(" ")))
        .collect();
    let expected = [
        ("manifest.xml", "manifest", "sound", "crc-32"),
        ("res/", "folder", "sound", ""),
        ("empty/", "folder", "sound", ""),
        ("res/a.txt", "file", "verified", "crc-32 length md5 sha-256"),
        ("res/b.txt", "file", "verified", "crc-32 length sha-256"),
    ];
    assert_eq!(shown, expected.map(|(a, b, c, d)| (a.to_owned(), b, c, d.to_owned())));
    let member = contents.member(contents.find("res/a.txt").expect("it is there")).expect("it is there");
    let [resource] = member.resources.as_slice() else { panic!("{member:?}") };
    assert_eq!(resource.uri.as_deref(), Some("https://example.com/a"));
    assert_eq!((resource.media_type.as_deref(), resource.length), (Some("text/plain"), Some(340)));
    assert_eq!((member.size, contents.absent().count()), (340, 0));
}

#[test]
fn each_trouble_has_its_state_and_its_reason() {
    for (name, expected) in [
        ("wrong-digest", "res/a.txt differs md5"),
        ("wrong-length", "res/a.txt differs length"),
        ("crc", "res/a.txt damaged crc-32"),
        ("damaged", "res/a.txt damaged damaged"),
        ("deflate-cut", "res/a.txt damaged damaged"),
        ("deflate-trailing", "res/a.txt damaged trailing-data"),
        ("size-too-small", "res/a.txt damaged size"),
        ("unlisted", "Thumbs.db unlisted "),
        ("encrypted", "res/a.txt refused encrypted"),
        ("bzip2", "res/a.txt refused method"),
        ("symlink", "res/b.txt refused special"),
        ("twice", "res/b.txt refused repeated, res/b.txt refused repeated"),
        ("name:../x", "../x refused name"),
        ("name:aux.txt", "aux.txt refused name"),
        ("utf-8-broken", "res/\u{fffd}\u{fffd}.txt refused name"),
        ("shared-data", "res/a.txt refused structure, res/b.txt refused structure"),
        ("no-manifest", ""),
        ("broken-manifest", ""),
        ("missing", ""),
    ] {
        let contents = contents(name);
        assert_eq!(trouble(&contents).join(", "), expected, "{name}");
        for member in contents.members().filter(|member| member.state == MemberState::Refused) {
            assert!(contents.unpack(member.index).is_none(), "{name}");
        }
    }
}

#[test]
fn resources_without_a_member_are_listed_beside() {
    let absent = |name| {
        let contents = contents(name);
        contents.absent().map(|own| (own.path.clone(), own.change.clone())).collect::<Vec<_>>()
    };
    assert_eq!(absent("missing"), [(Some("/gone.txt".to_owned()), None)]);
    assert_eq!(absent("deletion"), [(None, Some("deleted".to_owned()))]);
}

#[test]
fn a_patch_is_another_bitstream_of_its_resource() {
    let contents = contents("patch");
    let member = contents.member(contents.find("a.diff").expect("it is there")).expect("it is there");
    assert_eq!((member.state, member.resources[0].role.as_str()), (MemberState::Verified, "patch"));
    assert_eq!(member.resources[0].uri.as_deref(), Some("https://example.com/a"));
}

#[test]
fn what_is_unpacked_is_what_was_packed() {
    for name in ["plain", "descriptor-wide", "zip64-sizes", "utf-8"] {
        let bytes = package(name);
        let (_, contents) = opened(&bytes, &Options::default());
        for member in contents.members() {
            let unpack = contents.unpack(member.index).expect("it is a file");
            let mut out = Vec::new();
            unpack.run(&mut read(&bytes), &mut |part| out.extend_from_slice(part)).expect("it is true");
            assert_eq!(out.len() as u64, member.size, "{name} {}", member.name);
            if member.name == "res/b.txt" {
                assert_eq!(out, b"0123456789abcdef".repeat(4));
            }
        }
    }
}

#[test]
fn a_member_that_is_not_true_is_told_at_the_end_and_never_gives_more_than_it_declares() {
    for (name, code) in
        [("wrong-digest", "PKG-05"), ("wrong-length", "PKG-06"), ("crc", "ZIP-23"), ("size-too-small", "ZIP-20")]
    {
        let bytes = package(name);
        let (_, contents) = opened(&bytes, &Options::default());
        let unpack = contents.unpack(contents.find("res/a.txt").expect("it is there")).expect("it is a file");
        let (size, mut made) = (unpack.size(), 0);
        let untrue = unpack.run(&mut read(&bytes), &mut |part| made += part.len() as u64).expect_err(name);
        assert_eq!(untrue.code, code);
        assert!(made <= size, "{name}");
    }
}

#[test]
fn a_package_that_changes_after_it_was_verified_is_found_out() {
    let mut bytes = package("plain");
    let (report, contents) = opened(&bytes, &Options::default());
    assert_eq!(report.summary.errors, 0);
    let index = contents.find("res/b.txt").expect("it is there");
    let at = bytes.windows(16).position(|window| window == b"0123456789abcdef").expect("it is stored");
    bytes[at] = b'X';
    let untrue =
        contents.unpack(index).expect("it is a file").run(&mut read(&bytes), &mut |_| {}).expect_err("changed");
    assert_eq!(untrue.code, "ZIP-23");
    let cut = &bytes[..at + 3];
    let mut short = |offset: u64, room: &mut [u8]| {
        room.copy_from_slice(
            cut.get(offset as usize..offset as usize + room.len()).ok_or_else(|| Reason::new(ReasonCode::Truncated))?,
        );
        Ok(())
    };
    let untrue = contents.unpack(index).expect("it is a file").run(&mut short, &mut |_| {}).expect_err("cut");
    assert_eq!(untrue.code, "INP-01");
    // Ended before all bytes were supplied.
    assert!(contents.unpack(index).expect("it is a file").finish().is_err());
}

#[test]
fn without_fixity_members_are_unchecked_until_they_are_unpacked() {
    let mut options = Options::default();
    options.no_fixity = true;
    let bytes = package("wrong-digest");
    let (_, contents) = opened(&bytes, &options);
    assert_eq!(trouble(&contents), ["res/a.txt unchecked ", "res/b.txt unchecked "]);
    let index = contents.find("res/a.txt").expect("it is there");
    let untrue = contents.unpack(index).expect("it is a file").run(&mut read(&bytes), &mut |_| {}).expect_err("untrue");
    assert_eq!(untrue.code, "PKG-05");
}

#[test]
fn a_limit_leaves_members_unchecked() {
    let mut options = Options::default();
    options.limits.package_bytes = 100;
    let (_, contents) = opened(&package("plain"), &options);
    assert_eq!(trouble(&contents), ["res/a.txt unchecked "]);
}

#[test]
fn the_list_is_data_without_nulls() {
    let (report, contents) = opened(&package("deletion"), &Options::default());
    let json = List::new(&report, &contents).to_json();
    assert!(!json.contains("null"), "{json}");
    let list: serde_json::Value = serde_json::from_str(&json).expect("it is JSON");
    assert_eq!(list["format"], "resourcesync-package");
    assert_eq!(list["package"]["manifest"], "change-dump-manifest");
    assert_eq!(list["package"]["verdict"], "valid");
    assert_eq!(list["members"][1]["state"], "verified");
    assert_eq!(list["members"][1]["resources"][0]["change"], "updated");
    assert_eq!(list["absent"][0]["change"], "deleted");
}

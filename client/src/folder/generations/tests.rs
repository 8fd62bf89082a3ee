//! Published folders in which runs replace one another, are killed, and meet files of others.

use super::*;

fn bench(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("resourcesync-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn publish(out: &Path, text: &str, keep: u64) {
    let generations = Generations::open(out, keep).unwrap();
    let next = generations.begin().unwrap();
    fs::write(next.public().join("a"), text).unwrap();
    fs::write(next.folder.join("state.json"), text).unwrap();
    next.publish().unwrap();
}

#[test]
fn generations_take_each_others_place_and_nothing_is_left_behind() {
    let folder = bench("generations");
    let out = folder.join("public");
    for text in ["one", "two", "three"] {
        publish(&out, text, 0);
        assert_eq!(fs::read_to_string(out.join("a")).unwrap(), text);
    }
    let generations = Generations::open(&out, 0).unwrap();
    let known = generations.current().unwrap().known;
    assert!(known.ends_with("3") && !known.join("public").exists());
    assert_eq!(fs::read_dir(known.parent().unwrap()).unwrap().count(), 3, "the lock, the number and one generation");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_is_not_published_leaves_the_old_generation_and_is_cleared_away() {
    let folder = bench("killed");
    let out = folder.join("public");
    publish(&out, "one", 0);
    let state_folder = folder.join("public.resourcesync");
    // Killed while it was built, and between recording it and exchanging the folders.
    fs::create_dir_all(state_folder.join("next/public")).unwrap();
    fs::create_dir_all(state_folder.join("2/public")).unwrap();
    let generations = Generations::open(&out, 0).unwrap();
    assert_eq!(generations.current, 1);
    assert!(!state_folder.join("next").exists() && !state_folder.join("2").exists());
    drop(generations);
    publish(&out, "two", 0);
    assert_eq!(fs::read_to_string(out.join("a")).unwrap(), "two");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn generations_that_are_kept_stay() {
    let folder = bench("kept");
    let out = folder.join("public");
    for text in ["one", "two", "three", "four"] {
        publish(&out, text, 1);
    }
    let state_folder = folder.join("public.resourcesync");
    assert_eq!(fs::read_to_string(state_folder.join("4/public/a")).unwrap(), "three");
    assert!(state_folder.join("3").exists() && !state_folder.join("2").exists());
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_read_only_folder_is_unlocked_for_its_owner() {
    use std::os::unix::fs::PermissionsExt;
    let folder = bench("read-only");
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o555)).unwrap();
    unlock(&folder).unwrap();
    assert_eq!(fs::metadata(&folder).unwrap().permissions().mode() & 0o7777, 0o755);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_link_takes_the_place_where_folders_cannot_be_exchanged() {
    let folder = bench("linked");
    let out = folder.join("public");
    fs::create_dir_all(folder.join("public.resourcesync/1/public")).unwrap();
    fs::write(folder.join("public.resourcesync/1/public/.generation"), "1").unwrap();
    fs::write(folder.join("public.resourcesync/1/state.json"), "").unwrap();
    std::os::unix::fs::symlink("public.resourcesync/1/public", &out).unwrap();
    for text in ["two", "three"] {
        publish(&out, text, 0);
        assert_eq!(fs::read_to_string(out.join("a")).unwrap(), text);
    }
    assert!(out.is_symlink() && !folder.join("public.resourcesync/2").exists());
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_folder_that_a_killed_run_of_the_npm_package_moved_away_is_put_back() {
    let folder = bench("moved");
    let out = folder.join("public");
    publish(&out, "one", 0);
    publish(&out, "two", 0);
    fs::rename(&out, folder.join("public.resourcesync/2/public")).unwrap();
    assert!(matches!(Generations::open(&out, 0), Err(FolderError::PublishedMissing { generation: 2, .. })));
    std::os::unix::fs::symlink("public.resourcesync/3/public", folder.join("public.resourcesync/link")).unwrap();
    publish(&out, "three", 0);
    assert_eq!(fs::read_to_string(out.join("a")).unwrap(), "three");
    assert!(out.is_symlink() && !folder.join("public.resourcesync/2").exists());
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_link_of_others_stays_and_what_it_leads_to_is_published() {
    let folder = bench("others-link");
    fs::create_dir_all(folder.join("disk/real")).unwrap();
    let out = folder.join("public");
    std::os::unix::fs::symlink("disk/real", &out).unwrap();
    for text in ["one", "two"] {
        publish(&out, text, 0);
        assert_eq!(fs::read_to_string(folder.join("disk/real/a")).unwrap(), text);
    }
    assert_eq!(fs::read_link(&out).unwrap(), Path::new("disk/real"));
    assert!(folder.join("disk/real.resourcesync").exists());
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn files_of_others_are_carried_over_and_never_replaced() {
    let folder = bench("carried");
    let out = folder.join("public");
    publish(&out, "one", 0);
    fs::create_dir_all(out.join(".well-known/empty")).unwrap();
    fs::write(out.join(".well-known/acme"), "token").unwrap();
    std::os::unix::fs::symlink("a", out.join("link")).unwrap();
    let next = |name: &str| {
        let generations = Generations::open(&out, 0).unwrap();
        let mut next = generations.begin().unwrap();
        fs::write(next.public().join(name), "next").unwrap();
        fs::write(next.folder.join("state.json"), "").unwrap();
        next.carry_over(["a".to_owned()]);
        next.publish().map(drop)
    };
    next("a").unwrap();
    assert_eq!(fs::read_to_string(out.join(".well-known/acme")).unwrap(), "token");
    assert!(out.join(".well-known/empty").is_dir());
    assert_eq!(fs::read_to_string(out.join("link")).unwrap(), "next");
    let clash = next("link").unwrap_err();
    assert!(clash.to_string().contains("public/link was not published here"), "{clash}");
    assert!(out.join("a").is_file());
    next("b").unwrap();
    assert!(!out.join("a").exists() && out.join(".well-known/acme").is_file());
    fs::remove_dir_all(&out).unwrap();
    assert!(matches!(Generations::open(&out, 0), Err(FolderError::PublishedMissing { generation: 3, .. })));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_happens_to_files_of_others_until_the_exchange_is_repeated_after_it() {
    let folder = bench("late");
    let (old, new) = (folder.join("old"), folder.join("new"));
    for place in [&old, &new] {
        fs::create_dir_all(place.join("deep")).unwrap();
    }
    for name in ["same", "deep/saved", "removed"] {
        fs::write(old.join(name), "first").unwrap();
    }
    fs::write(old.join("own"), "old").unwrap();
    fs::write(new.join("own"), "new").unwrap();
    let is_own = |name: &str| name == "own";
    let carried = super::super::carry::carry_over(&old, &new, &is_own).unwrap();
    // As editors save.
    fs::write(old.join("other"), "second").unwrap();
    fs::rename(old.join("other"), old.join("deep/saved")).unwrap();
    fs::remove_file(old.join("removed")).unwrap();
    fs::write(old.join("added"), "added").unwrap();
    super::super::carry::carry_late(&old, &new, &carried, &is_own);
    let read = |name: &str| fs::read_to_string(new.join(name)).unwrap_or_default();
    let found = ["same", "deep/saved", "removed", "added", "own"].map(read);
    assert_eq!(found, ["first", "second", "", "added", "new"]);
    assert_eq!(fs::read_dir(new.join("deep")).unwrap().count(), 1);
    fs::remove_dir_all(&old).unwrap();
    super::super::carry::carry_late(&old, &new, &carried, &is_own);
    assert_eq!(["same", "deep/saved"].map(read), ["first", "second"]);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn files_of_others_are_carried_over_after_a_kill_in_the_middle_of_it() {
    for linked in [false, true] {
        let folder = bench(&format!("carried-late-{linked}"));
        let out = folder.join("public");
        publish(&out, "one", 1);
        if linked {
            fs::rename(&out, folder.join("public.resourcesync/1/public")).unwrap();
            std::os::unix::fs::symlink("public.resourcesync/1/public", &out).unwrap();
        }
        let names = ["saved", "removed", "edited", "gone"];
        names.iter().for_each(|name| fs::write(out.join(name), "first").unwrap());
        let generations = Generations::open(&out, 1).unwrap();
        let mut next = generations.begin().unwrap();
        fs::write(next.public().join("a"), "two").unwrap();
        fs::write(next.folder.join("state.json"), "").unwrap();
        next.carry_over(["a".to_owned()]);
        next.exchange(2).unwrap();
        // As if it had happened before the exchange.
        let old = folder.join(if linked { "public.resourcesync/1/public" } else { "public.resourcesync/2/public" });
        for name in ["saved", "edited", "gone"] {
            fs::write(old.join("new"), "late").unwrap();
            fs::rename(old.join("new"), old.join(name)).unwrap();
        }
        fs::remove_file(old.join("removed")).unwrap();
        fs::write(old.join("added"), "late").unwrap();
        drop(next);
        drop(generations);
        // What is done after the kill is newer.
        fs::remove_file(out.join("gone")).unwrap();
        fs::remove_file(out.join("edited")).unwrap();
        fs::write(out.join("edited"), "edited").unwrap();
        drop(Generations::open(&out, 1).unwrap());
        let read = |name: &str| fs::read_to_string(out.join(name)).unwrap_or_default();
        let found = ["a", "saved", "removed", "edited", "gone", "added"].map(read);
        assert_eq!(found, ["two", "late", "", "edited", "", "late"], "{linked}");
        fs::remove_file(out.join("added")).unwrap();
        drop(Generations::open(&out, 1).unwrap());
        assert!(!out.join("added").exists(), "it is done once");
        fs::remove_dir_all(folder).unwrap();
    }
}

#[test]
fn a_state_is_replaced_where_the_published_folder_is_a_link() {
    let folder = bench("replaced");
    let out = folder.join("public");
    let own = folder.join("public.resourcesync/1");
    fs::create_dir_all(own.join("public")).unwrap();
    for (name, text) in [("public/.generation", "1"), ("public/a", "one"), ("state.json", "old"), ("left", "over")] {
        fs::write(own.join(name), text).unwrap();
    }
    std::os::unix::fs::symlink("public.resourcesync/1/public", &out).unwrap();
    let generations = Generations::open(&out, 0).unwrap();
    let next = generations.begin().unwrap();
    for name in ["state.json", "inventory.jsonl"] {
        fs::write(next.folder.join(name), "new").unwrap();
    }
    generations.replace_state(next).unwrap();
    assert_eq!(fs::read_to_string(out.join("a")).unwrap(), "one");
    for name in ["state.json", "inventory.jsonl"] {
        assert_eq!(fs::read_to_string(own.join(name)).unwrap(), "new");
    }
    assert!(!own.join("left").exists() && !folder.join("public.resourcesync/next").exists());
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn folders_of_others_beside_it_stay() {
    let folder = bench("beside");
    let out = folder.join("public");
    for name in ["mine", "2019"] {
        fs::create_dir_all(folder.join("public.resourcesync").join(name)).unwrap();
        fs::write(folder.join("public.resourcesync").join(name).join("x"), name).unwrap();
    }
    publish(&out, "one", 0);
    publish(&out, "two", 0);
    for name in ["mine", "2019"] {
        assert_eq!(fs::read_to_string(folder.join("public.resourcesync").join(name).join("x")).unwrap(), name);
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_folder_of_others_is_refused() {
    let folder = bench("others");
    let out = folder.join("public");
    fs::create_dir_all(&out).unwrap();
    fs::write(out.join("index.html"), "").unwrap();
    assert!(matches!(Generations::open(&out, 0), Err(FolderError::NotOurs(_))));
    assert!(!folder.join("public.resourcesync").exists());
    fs::remove_file(out.join("index.html")).unwrap();
    publish(&out, "one", 0);
    assert!(Generations::open(&folder.join("no/such/public"), 0).is_err());
    fs::remove_dir_all(folder).unwrap();
}

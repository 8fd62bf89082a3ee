//! `hub`: the words of its subcommands; `server/tests/hub` has what a hub does.

use std::{
    io::{BufRead, BufReader},
    process::Stdio,
};

use crate::bench::Bench;

/// A configuration with a topic and the lines that `hub token` printed.
fn configuration(publisher: &str) -> String {
    format!(
        "public_uri = \"http://127.0.0.1:1/\"\nlisten = \"127.0.0.1:0\"\nstore = \"hub.sqlite\"\nadmin = \"unix:admin\"\n{publisher}\n\
         [[topic]]\nuri = \"http://127.0.0.1:1/changes\"\nkind = \"change-notification\"\npublishers = [\"example\"]\nserve = true\n"
    )
}

#[test]
fn a_token_is_printed_with_its_lines_of_the_configuration() {
    let bench = Bench::new("hub-token");
    let printed = bench.run(&["hub", "token", "example"]).ends(0).out;
    assert_ne!(printed, bench.run(&["hub", "token", "example"]).ends(0).out);
    bench.put("hub.toml", configuration(&printed));
    let checked = bench.run(&["hub", "check", "hub.toml"]).ends(0).out;
    assert_eq!(checked, "hub.toml: http://127.0.0.1:1/ with 1 topics (1 served) and 1 publishers\n");
    bench.run(&["hub", "token", "a\"b"]).ends(2);
}

#[test]
fn a_wrong_configuration_is_rejected_with_its_line() {
    let bench = Bench::new("hub-check");
    bench.put("hub.toml", "public_uri = \"https://hub.example/\"\nlisen = \"127.0.0.1:0\"\n");
    for args in [&["hub", "check", "hub.toml"][..], &["hub", "serve", "--config", "hub.toml"]] {
        let ran = bench.run(args).ends(2);
        assert!(ran.err.contains("hub.toml:2: unknown key `lisen`; did you mean `listen`?"), "{ran:?}");
    }
    let ran = bench.run(&["hub", "serve"]).ends(2);
    assert!(ran.err.contains("--config"), "{ran:?}");
}

#[test]
#[cfg(unix)]
fn a_hub_runs_until_it_is_stopped_and_is_administered_meanwhile() {
    let bench = Bench::new("hub-serve");
    let printed = bench.run(&["hub", "token", "example"]).ends(0).out;
    bench.put("hub.toml", configuration(&printed));
    let ran = bench.run(&["hub", "status", "--config", "hub.toml"]).ends(2);
    assert!(ran.err.contains("could not be reached"), "{ran:?}");
    let mut command = bench.command(&["hub", "serve", "--config", "hub.toml"]);
    let mut hub = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(hub.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.starts_with("listening on 127.0.0.1:") && line.ends_with("administration on unix:admin\n"), "{line}");

    let second = bench.run(&["hub", "serve", "--config", "hub.toml"]).ends(2);
    assert!(second.err.contains("used by another process"), "{second:?}");
    let status = bench.run(&["hub", "status", "--admin", "unix:admin"]).ends(0).out;
    assert!(status.contains("subscriptions: 0\n"), "{status}");
    let topics = bench.run(&["hub", "topics", "--config", "hub.toml"]).ends(0).out;
    assert!(topics.starts_with("TOPIC") && topics.contains("http://127.0.0.1:1/changes"), "{topics}");
    let found = bench.run(&["hub", "subscriptions", "--config", "hub.toml", "--format", "json"]).ends(0).out;
    assert_eq!(found, "{\"subscriptions\":[]}\n");
    bench.run(&["hub", "failures", "--config", "hub.toml"]).ends(0);
    for (args, out) in [
        (&["pause"][..], "pause: 1 topics\n"),
        (&["resume"], "resume: 1 topics\n"),
        (&["prune", "--older-than", "1h"], "prune: 0 payloads\n"),
        (&["deny", "--host", "slow.example:443"], "deny: 0 subscriptions\n"),
        (&["deny", "--host", "slow.example:443", "--undo"], "allow: 1 hosts\n"),
    ] {
        assert_eq!(bench.run(&[&["hub"], args, &["--config", "hub.toml"]].concat()).ends(0).out, out);
    }
    let ran = bench.run(&["hub", "replay", "--subscription", "9", "--from", "1", "--config", "hub.toml"]).ends(2);
    assert!(ran.err.contains("no such subscription"), "{ran:?}");
    bench.run(&["hub", "backup", "copy.sqlite", "--config", "hub.toml"]).ends(0);
    bench.run(&["hub", "backup", "copy.sqlite", "--config", "hub.toml"]).ends(2);

    let stopped = std::process::Command::new("kill").arg("-TERM").arg(hub.id().to_string()).status().unwrap();
    assert!(stopped.success());
    assert_eq!(hub.wait().unwrap().code(), Some(0));
    assert!(!bench.path("admin").exists());
}

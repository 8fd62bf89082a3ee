//! `hub`: the words of its subcommands; `server/tests/hub` has what a hub does.

use std::{
    io::{BufRead, BufReader},
    net::{Ipv4Addr, TcpListener},
    process::Stdio,
};

use crate::bench::Bench;

/// A configuration with a topic and the lines that `hub token` printed.
fn configuration(publisher: &str) -> String {
    format!(
        "[hub]\npublic_uri = \"http://127.0.0.1:1/\"\nlisten = \"127.0.0.1:0\"\nstore = \"hub.sqlite\"\nadmin = \"unix:admin\"\n{publisher}\n\
         [[hub.topic]]\nuri = \"http://127.0.0.1:1/changes\"\nkind = \"change-notification\"\npublishers = [\"example\"]\nserve = true\n"
    )
}

#[test]
fn a_token_is_printed_with_its_lines_of_the_configuration() {
    let bench = Bench::new("hub-token");
    let printed = bench.run(&["hub", "token", "example"]).ends(0).out;
    assert_ne!(printed, bench.run(&["hub", "token", "example"]).ends(0).out);
    bench.put("resourcesync.toml", configuration(&printed));
    let checked = bench.run(&["hub", "check", "--config", "resourcesync.toml"]).ends(0).out;
    assert_eq!(checked, "resourcesync.toml: http://127.0.0.1:1/ with 1 topic (1 served) and 1 publisher\n");
    bench.run(&["hub", "token", "a\"b"]).ends(2);
}

#[test]
fn a_wrong_configuration_is_rejected_with_its_line() {
    let bench = Bench::new("hub-check");
    bench.put("resourcesync.toml", "[hub]\npublic_uri = \"https://hub.example/\"\nlisen = \"127.0.0.1:0\"\n");
    for args in
        [&["hub", "check", "--config", "resourcesync.toml"][..], &["hub", "serve", "--config", "resourcesync.toml"]]
    {
        let ran = bench.run(args).ends(2);
        assert!(ran.err.contains("resourcesync.toml:3: unknown key `lisen`; did you mean `listen`?"), "{ran:?}");
    }
    let ran = bench.run(&["hub", "serve", "--no-config"]).ends(2);
    assert!(ran.err.contains("--config"), "{ran:?}");
}

#[test]
fn errors_of_the_system_have_the_words_of_the_other_commands() {
    let bench = Bench::new("hub-words");
    let file = |name: &str, more: &str| {
        bench.put(name, format!("[hub]\npublic_uri = \"https://hub.example/\"\nlisten = \"127.0.0.1:0\"\n{more}"));
    };
    file("secret.toml", "store = \"hub.sqlite\"\nadmin = \"127.0.0.1:0\"\nadmin_token = \"file:none\"\n");
    file("tls.toml", "store = \"hub.sqlite\"\ntls = {cert = \"none.pem\", key = \"none.key\"}\n");
    // The folder of the store is created, but not the one above.
    file("store.toml", "store = \"none/none/hub.sqlite\"\n");
    for args in [
        &["hub", "check", "--config", "none.toml"][..],
        &["hub", "check", "--config", "secret.toml"],
        &["hub", "check", "--config", "tls.toml"],
        &["hub", "serve", "--config", "none.toml"],
        &["hub", "serve", "--config", "store.toml"],
        &["hub", "status", "--config", "none.toml"],
        &["hub", "status", "--admin", "unix:none"],
        &["hub", "backup", "copy.sqlite", "--store", "none.sqlite"],
        &["hub", "migrate", "none.sqlite", "other.sqlite"],
    ] {
        let ran = bench.run(args).ends(2);
        assert!(ran.err.contains("no such file or folder") && !ran.err.contains("os error"), "{args:?}: {ran:?}");
    }
    let ran = bench.run(&["hub", "check", "--config", "."]).ends(2);
    assert!(ran.err.contains("is a folder") && !ran.err.contains("os error"), "{ran:?}");
}

#[test]
#[cfg(unix)]
fn a_configuration_that_gives_secrets_away_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let bench = Bench::new("hub-secrets");
    let publisher = "[[hub.publisher]]\nname = \"example\"\nhmac = \"file:secret\"\n";
    let text = configuration(publisher)
        .replace("admin = \"unix:admin\"", "admin = \"127.0.0.1:0\"\nadmin_token = \"file:token\"");
    bench.put("resourcesync.toml", &text).put("token", "12345").put("secret", "a-secret-of-the-source");
    let ran = bench.run(&["hub", "check", "--config", "resourcesync.toml"]).ends(2);
    assert!(ran.err.contains("resourcesync.toml:6: file:token is too short") && !ran.err.contains("12345"), "{ran:?}");
    bench.put("token", "a-token-of-the-operator");
    for (mode, count) in [(0o644, 2), (0o600, 0)] {
        for file in ["token", "secret"] {
            std::fs::set_permissions(bench.path(file), std::fs::Permissions::from_mode(mode)).unwrap();
        }
        let ran = bench.run(&["hub", "check", "--config", "resourcesync.toml"]).ends(0);
        assert_eq!(ran.err.matches("can be read by every user").count(), count, "{mode:o}: {ran:?}");
    }
    bench.put("resourcesync.toml", format!("{text}[hub.callbacks]\nports = [443, 0]\n"));
    let ran = bench.run(&["hub", "check", "--config", "resourcesync.toml"]).ends(2);
    assert!(ran.err.contains("0 is not a port"), "{ran:?}");
}

/// The exit status of a process that gets SIGTERM as soon as it has printed a line.
#[cfg(unix)]
fn stopped_at_its_first_line(mut command: std::process::Command) -> Option<i32> {
    use rustix::process::{Pid, Signal, kill_process};
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let pid = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    let mut line = String::new();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    output.read_line(&mut line).unwrap();
    assert!(line.contains("listening"), "{line}");
    kill_process(pid, Signal::TERM).unwrap();
    child.wait().unwrap().code()
}

#[test]
#[cfg(unix)]
fn a_signal_right_after_the_first_line_of_output_is_not_lost() {
    let bench = Bench::new("hub-signal");
    bench.put("resourcesync.toml", configuration(&bench.run(&["hub", "token", "example"]).ends(0).out));
    // Its search for channels does not end before the signal.
    let silent = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let uri = format!("http://{}/", silent.local_addr().unwrap());
    let listen = ["listen", &uri, "--callback", "http://127.0.0.1:9/", "--listen", "127.0.0.1:0"];
    for round in 0..20 {
        let command = bench.command(&["hub", "serve", "--config", "resourcesync.toml"]);
        assert_eq!(stopped_at_its_first_line(command), Some(0), "hub, round {round}");
        let command = bench.command(&[&listen[..], &["--state", "state"]].concat());
        assert_eq!(stopped_at_its_first_line(command), Some(0), "listen, round {round}");
    }
}

#[test]
#[cfg(unix)]
fn a_hub_runs_until_it_is_stopped_and_is_administered_meanwhile() {
    let bench = Bench::new("hub-serve");
    let printed = bench.run(&["hub", "token", "example"]).ends(0).out;
    bench.put("resourcesync.toml", configuration(&printed));
    let ran = bench.run(&["hub", "status", "--config", "resourcesync.toml"]).ends(2);
    assert!(ran.err.contains("could not be reached"), "{ran:?}");
    let mut command = bench.command(&["hub", "serve", "--config", "resourcesync.toml"]);
    let mut hub = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(hub.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.starts_with("listening on 127.0.0.1:") && line.ends_with("administration on unix:admin\n"), "{line}");

    let second = bench.run(&["hub", "serve", "--config", "resourcesync.toml"]).ends(2);
    assert!(second.err.contains("used by another process"), "{second:?}");
    let status = bench.run(&["hub", "status", "--admin", "unix:admin"]).ends(0).out;
    // Nobody has used the topic yet, so the store does not have it.
    assert!(status.contains("topics: 1\npaused topics: 0\nsubscriptions: 0\n"), "{status}");
    let topics = bench.run(&["hub", "topics", "--config", "resourcesync.toml"]).ends(0).out;
    assert!(topics.starts_with("TOPIC") && topics.contains("http://127.0.0.1:1/changes"), "{topics}");
    let found = bench.run(&["hub", "subscriptions", "--config", "resourcesync.toml", "--format", "json"]).ends(0).out;
    assert_eq!(found, "{\"subscriptions\":[]}\n");
    bench.run(&["hub", "failures", "--config", "resourcesync.toml"]).ends(0);
    for (args, out) in [
        (&["pause"][..], "pause: 1 topic\n"),
        (&["resume"], "resume: 1 topic\n"),
        (&["prune", "--older-than", "1h"], "prune: 0 payloads\n"),
        (&["deny", "--host", "slow.example:443"], "deny: 0 subscriptions\n"),
        (&["deny", "--host", "slow.example:443", "--undo"], "allow: 1 host\n"),
        (&["lift", "--host", "own.example:443"], "lift: 1 host\n"),
    ] {
        assert_eq!(bench.run(&[&["hub"], args, &["--config", "resourcesync.toml"]].concat()).ends(0).out, out);
    }
    let status = bench.run(&["hub", "status", "--admin", "unix:admin"]).ends(0).out;
    assert!(status.contains("limited hosts: none\nhosts with a lifted limit: own.example:443\n"), "{status}");
    let ran = bench.run(&["hub", "lift", "--host", "no port", "--config", "resourcesync.toml"]).ends(2);
    assert!(ran.err.contains("no such subscription, topic or host"), "{ran:?}");
    let ran =
        bench.run(&["hub", "replay", "--subscription", "9", "--first", "1", "--config", "resourcesync.toml"]).ends(2);
    assert!(ran.err.contains("no such subscription"), "{ran:?}");
    bench.run(&["hub", "backup", "copy.sqlite", "--config", "resourcesync.toml"]).ends(0);
    bench.run(&["hub", "backup", "copy.sqlite", "--config", "resourcesync.toml"]).ends(2);

    let stopped = std::process::Command::new("kill").arg("-TERM").arg(hub.id().to_string()).status().unwrap();
    assert!(stopped.success());
    assert_eq!(hub.wait().unwrap().code(), Some(0));
    assert!(!bench.path("admin").exists());
}

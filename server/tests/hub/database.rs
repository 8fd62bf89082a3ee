//! TLS and passwords to PostgreSQL.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::Path,
    sync::atomic::{AtomicU32, Ordering},
};

use crate::{
    bench::{Bench, Receiver, eventually, payload},
    cluster::{database, over_tcp, sql},
    secure::pem,
};

const PASSWORD: &str = "s3cret: of \\ the database";

/// Writes a password file for all connections.
fn password_file(folder: &Path, password: &str, mode: u32) -> String {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let file = folder.join(format!("passwords{}", NUMBER.fetch_add(1, Ordering::SeqCst)));
    let escaped = password.replace('\\', "\\\\").replace(':', "\\:");
    fs::write(&file, format!("# for the hub\n*:*:*:hub:{escaped}\n")).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
    file.to_str().unwrap().to_owned()
}

pub(crate) fn a_database_is_reached_with_tls_and_a_password() {
    let receiver = Receiver::new(None);
    let bench = Bench::new("database", &[receiver.server.place()]);
    let url = database();
    sql(&url, &format!("CREATE ROLE hub LOGIN PASSWORD '{PASSWORD}'"));
    sql(&url, &format!("GRANT CREATE ON DATABASE {} TO hub", url.rsplit_once('/').unwrap().1));
    assert!(sql(&url, "SELECT rolpassword FROM pg_authid WHERE rolname='hub'").starts_with("SCRAM-SHA-256$"));
    let (ca, other) = (pem("ca.pem"), pem("second.pem"));
    let with =
        |mode: &str, roots: &Path| format!("{}?sslmode={mode}&sslrootcert={}", over_tcp(&url, "hub"), roots.display());
    let good = password_file(&bench.folder, PASSWORD, 0o600);

    let wrong = password_file(&bench.folder, "wr0ng", 0o600);
    let open = password_file(&bench.folder, PASSWORD, 0o644);
    let none = bench.folder.join("none").display().to_string();
    for (store, passwords, problem) in [
        (with("require", &ca), &wrong, "password authentication failed"),
        (with("require", &ca), &open, "its mode must be 0600"),
        (with("require", &ca), &none, "no such file or folder"),
        (with("require", &other), &good, "certificate"),
        (with("verify-full", &pem("first.key")), &good, "has no certificate"),
        (with("disable", &ca), &good, "no encryption"),
        (format!("{}?sslmode=require", over_tcp(&url, "hub")), &good, "certificate"),
        (with("require", &ca).replace("127.0.0.1", "localhost"), &good, "certificate"),
        (with("prefer", &ca), &good, "sslmode"),
    ] {
        bench.store(&store);
        let ran = bench.attempt_with(&[("PGPASSFILE", passwords)]);
        let text = String::from_utf8_lossy(&[ran.stdout, ran.stderr].concat()).into_owned();
        assert!(!ran.status.success() && text.contains(problem), "{store}: {text}");
        assert!(!text.contains("s3cret") && !text.contains("wr0ng"), "{text}");
    }

    bench.store(&with("verify-full", &ca));
    for environment in [[("PGPASSFILE", good.as_str())], [("PGPASSWORD", PASSWORD)]] {
        let mut hub = bench.spawn_with(None, &environment);
        // The store and the wake-ups have a connection each.
        eventually("two connections with TLS", || {
            sql(&url, "SELECT count(*) FROM pg_stat_ssl JOIN pg_stat_activity USING(pid) WHERE usename='hub' AND ssl")
                == "2"
        });
        if bench.number("subscriptions") == 0 {
            assert_eq!(bench.subscribe(&receiver.server.url("/"), None), 202);
            eventually("a subscription", || bench.number("subscriptions") == 1);
        }
        let before = receiver.received().len();
        assert_eq!(bench.publish(&payload(i64::try_from(before).unwrap())), Some(200));
        eventually("a delivery", || receiver.received().len() == before + 1);
        let command_line = fs::read_to_string(format!("/proc/{}/cmdline", hub.0.id())).unwrap();
        let shown = bench.admin("GET", "/admin/v1/status", "").1 + &bench.admin("GET", "/metrics", "").1;
        assert_eq!(hub.stop(), Some(0));
        for text in [command_line, shown, bench.log()] {
            assert!(!text.contains("s3cret"), "{text}");
        }
    }
    assert_eq!(receiver.received(), [0, 1].map(payload));
}

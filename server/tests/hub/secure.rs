//! A hub that terminates TLS.

use std::{
    fs,
    io::{Read, Write},
    net::{Ipv4Addr, TcpStream},
    path::{Path, PathBuf},
    sync::Arc,
};

use rustls::{
    ClientConfig, ClientConnection, RootCertStore, StreamOwned,
    crypto::ring,
    pki_types::{CertificateDer, ServerName, pem::PemObject},
};

use crate::bench::{Bench, eventually};

pub(crate) fn pem(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hub/tls").join(name)
}

fn certificate(name: &str) -> CertificateDer<'static> {
    CertificateDer::from_pem_file(pem(name)).unwrap()
}

/// The certificate of the hub, and its answer to a request.
fn ask(bench: &Bench) -> Option<(CertificateDer<'static>, String)> {
    let mut roots = RootCertStore::empty();
    roots.add(certificate("ca.pem")).unwrap();
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = ServerName::try_from("hub.test").unwrap();
    let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, bench.port)).ok()?;
    let mut stream = StreamOwned::new(ClientConnection::new(Arc::new(config), name).unwrap(), stream);
    stream.write_all(b"GET /changes HTTP/1.1\r\nHost: hub.test\r\nConnection: close\r\n\r\n").ok()?;
    let mut answer = String::new();
    let _ = stream.read_to_string(&mut answer);
    Some((stream.conn.peer_certificates()?.first()?.clone().into_owned(), answer))
}

pub(crate) fn certificates_are_replaced_while_the_hub_runs() {
    let bench = Bench::with("tls", &[], "tls = {cert = \"CERT\", key = \"KEY\"}");
    let (cert, key) = (bench.folder.join("cert.pem"), bench.folder.join("key.pem"));
    let file = bench.folder.join("hub.toml");
    let text = fs::read_to_string(&file).unwrap();
    let text = text.replace("CERT", cert.to_str().unwrap()).replace("KEY", key.to_str().unwrap());
    fs::write(&file, text).unwrap();
    let install = |from: &str, of: &str| {
        fs::copy(pem(from), &cert).unwrap();
        fs::copy(pem(of), &key).unwrap();
    };

    // The key of another certificate.
    install("first.pem", "second.key");
    let settings = bench.settings();
    let wrong = resourcesync_server::hub::RunningHub::start(settings, None).unwrap_err().to_string();
    assert!(wrong.contains("cert.pem"), "{wrong}");

    install("first.pem", "first.key");
    let mut hub = bench.spawn(None);
    let (own, answer) = ask(&bench).unwrap();
    assert_eq!(own, certificate("first.pem"));
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
    // Requests without TLS have no answer.
    assert_eq!(bench.raw(b"GET /changes HTTP/1.1\r\nHost: a\r\n\r\n").filter(|answer| answer.contains("HTTP")), None);

    install("second.pem", "first.key");
    hub.signal("HUP");
    eventually("a message", || bench.log().contains(" reload-failed "));
    assert_eq!(ask(&bench).unwrap().0, certificate("first.pem"));
    install("second.pem", "second.key");
    hub.signal("HUP");
    eventually("a message", || bench.log().contains(" reloaded "));
    assert_eq!(ask(&bench).unwrap().0, certificate("second.pem"));
    assert_eq!(hub.stop(), Some(0));
}

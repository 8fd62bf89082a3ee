//! Connections that are kept while the addresses of their name change.
#![allow(clippy::unwrap_used)]

use std::{
    io::{Read, Write},
    net::{Ipv4Addr, TcpListener, TcpStream},
    sync::{
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc,
    },
    thread,
};

use resourcesync_notify::exchange::Method;

use super::*;

/// Answers every request of a connection, until it is told to close it.
fn receiver(address: Ipv4Addr, port: u16, closes: &Arc<AtomicBool>) -> (u16, mpsc::Receiver<()>) {
    let listener = TcpListener::bind((address, port)).unwrap();
    let port = listener.local_addr().unwrap().port();
    let (closes, (connected, connections)) = (closes.clone(), mpsc::channel());
    thread::spawn(move || {
        for stream in listener.incoming() {
            connected.send(()).unwrap();
            answer(stream.unwrap(), &closes);
        }
    });
    (port, connections)
}

fn answer(mut stream: TcpStream, closes: &AtomicBool) {
    let (mut head, mut byte) = (Vec::new(), [0]);
    while stream.read(&mut byte).unwrap_or(0) > 0 {
        head.push(byte[0]);
        if head.ends_with(b"\r\n\r\n") {
            head.clear();
            let close = if closes.load(Ordering::SeqCst) { "Connection: close\r\n" } else { "" };
            let _ = stream.write_all(format!("HTTP/1.1 204 No Content\r\n{close}\r\n").as_bytes());
        }
    }
}

///
#[test]
fn a_kept_connection_does_not_open_a_name_that_became_private() {
    let (private, public) = (Ipv4Addr::LOCALHOST, Ipv4Addr::new(127, 0, 0, 2));
    let closes = Arc::new(AtomicBool::new(false));
    let (port, connections) = receiver(public, 0, &closes);
    let (_, secret_connections) = receiver(private, port, &closes);
    let is_private = Arc::new(AtomicBool::new(false));
    let lookups = Arc::new(AtomicUsize::new(0));
    let (switch, count) = (is_private.clone(), lookups.clone());
    let lookup: Lookup = Arc::new(move |_| {
        count.fetch_add(1, Ordering::SeqCst);
        Ok(vec![IpAddr::V4(if switch.load(Ordering::SeqCst) { private } else { public })])
    });
    // 127.0.0.2 stands for a public address.
    let callbacks = Callbacks { ports: vec![port], allow: vec!["127.0.0.2/32".parse().unwrap()] };
    let reach = Reach::new(callbacks, Some(lookup)).unwrap();
    let request = Outbound {
        method: Method::Get,
        uri: format!("http://name.test:{port}/").into(),
        headers: Default::default(),
        body: Default::default(),
        most: 0,
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let exchange = || runtime.block_on(reach.exchange(HostPort::of(&request.uri), &request));
    assert_eq!(exchange().unwrap().status, 204);
    connections.recv().unwrap();

    // A day later: nothing that is known of the name is current.
    is_private.store(true, Ordering::SeqCst);
    locked(&reach.names).clear();
    // The connection is still to the address that was checked.
    assert_eq!(exchange().unwrap().status, 204);
    closes.store(true, Ordering::SeqCst);
    assert_eq!(exchange().unwrap().status, 204);
    assert_eq!((lookups.load(Ordering::SeqCst), connections.try_recv().is_err()), (1, true));
    assert_eq!(exchange().unwrap_err().kind, Kind::Address);
    assert_eq!(lookups.load(Ordering::SeqCst), 2);
    assert!(connections.try_recv().is_err() && secret_connections.try_recv().is_err());
}

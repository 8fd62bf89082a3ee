//! `oai` against loopback servers that send scripted responses.

mod bridge;
mod completeness;
#[cfg(target_os = "linux")]
mod crash;
mod guidelines;
mod many;
mod stores;
mod stories;
mod transcripts;
mod validate;
mod waits;
mod words;

use std::{
    collections::VecDeque,
    io::Write,
    net::TcpStream,
    sync::{Arc, Mutex},
};

use resourcesync_tests::{
    oai::{OaiCase, Repository, Response},
    server::{Asked, Server, raw, reply},
};

/// A server that sends these responses in order, and the last one again and again if `repeat`.
pub(crate) fn repository(answers: &[Response], repeat: bool) -> Server {
    let queue = Arc::new(Mutex::new(answers.iter().cloned().collect::<VecDeque<_>>()));
    Server::new(move |_: &Asked, stream: &mut TcpStream| {
        let answer = {
            let mut queue = queue.lock().unwrap();
            match queue.len() {
                1 if repeat => queue.front().cloned(),
                _ => queue.pop_front(),
            }
        };
        match answer {
            Some(answer) => send(&answer, stream),
            None => raw(stream, b""),
        }
    })
}

/// A server that sends the responses of a transcript.
pub(crate) fn of_case(case: &OaiCase) -> Server {
    repository(&case.answers, case.repeat)
}

fn send(answer: &Response, stream: &mut TcpStream) -> std::io::Result<()> {
    let body = answer.body.bytes();
    let mut head = format!("HTTP/1.1 {} X\r\nContent-Length: {}\r\n", answer.status, body.len());
    let has_type = answer.headers.contains_key("Content-Type");
    if !has_type {
        head.push_str("Content-Type: text/xml; charset=utf-8\r\n");
    }
    for (name, value) in &answer.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("\r\n");
    match answer.fail.as_ref().map(|(_, received)| received.as_str()) {
        None => stream.write_all(&[head.as_bytes(), &body].concat()),
        Some("nothing") => raw(stream, b""),
        Some("head") => raw(stream, b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\nContent-Type: text/xml\r\n\r\n"),
        Some(_) => {
            let text = "<?xml version=\"1.0\"?><OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>";
            let head = "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\nContent-Type: text/xml\r\n\r\n";
            raw(stream, format!("{head}{text}").as_bytes())
        }
    }
}

/// A server that sends these responses after `Identify` and `ListMetadataFormats`.
pub(crate) fn scripted(responses: &[serde_json::Value]) -> Server {
    let opening = [serde_json::json!({"identify": {}}), serde_json::json!({"formats": ["oai_dc"]})];
    let all = opening.into_iter().chain(responses.iter().cloned());
    repository(&all.map(|json| serde_json::from_value(json).unwrap()).collect::<Vec<_>>(), false)
}

/// A server for a repository.
pub(crate) fn serve(repository: &Arc<Repository>) -> Server {
    let repository = repository.clone();
    Server::new(move |asked: &Asked, stream: &mut TcpStream| {
        reply(stream, "200 OK", &["Content-Type: text/xml"], &repository.respond(&query(asked)))
    })
}

/// The arguments of a request.
pub(crate) fn query(asked: &Asked) -> String {
    match asked.path.split_once('?') {
        Some((_, query)) => query.to_owned(),
        None => String::from_utf8_lossy(&asked.body).into_owned(),
    }
}

/// Arguments of every harvest that a test runs.
pub(crate) const FAST: [&str; 4] = ["--skip-waits", "--quiet", "--limit", "http_requests_per_second=0"];

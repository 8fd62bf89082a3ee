//! A Source that sends payloads to a hub, some at a time, and notes how long the hub takes to accept each.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use http_body_util::{BodyExt, Full};
use hyper::{Request, body::Bytes, client::conn::http1::Builder};
use hyper_util::rt::TokioIo;
use tokio::{net::TcpStream, runtime::Builder as Tokio};

use super::Result;

/// The padding of a payload to 2 kB.
const ENTRIES: i64 = 12;

pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let [hub, token, first, topics, each, at_once] = arguments else {
        return Err("post HUB TOKEN FIRST TOPICS EACH AT-ONCE".into());
    };
    let [topics, each, at_once] = [topics, each, at_once].map(|text| text.parse::<usize>());
    let (topics, each, at_once) = (topics?, each?, at_once?);
    let place = hub.trim_start_matches("http://").trim_end_matches('/').to_owned();
    let source = Arc::new(Source {
        hub: hub.clone(),
        place,
        token: token.clone(),
        first: first.parse()?,
        topics,
        next: AtomicUsize::new(0),
        count: topics * each,
    });
    let runtime = Tokio::new_current_thread().enable_all().build()?;
    let started = Instant::now();
    let mut times = runtime.block_on(async {
        let tasks: Vec<_> = (0..at_once).map(|_| tokio::spawn(source.clone().send())).collect();
        let mut times = Vec::new();
        for task in tasks {
            times.extend(task.await??);
        }
        Result::Ok(times)
    })?;
    let wall = started.elapsed().as_secs_f64();
    times.sort();
    let milliseconds: Vec<f64> = times.iter().map(|time| time.as_secs_f64() * 1_000.0).collect();
    println!("{{\"done\": {}, \"wall\": {wall}, \"milliseconds\": {milliseconds:?}}}", times.len());
    Ok(())
}

struct Source {
    hub: String,
    place: String,
    token: String,
    /// The number of the first payload of each topic; a hub does not deliver one that it has.
    first: i64,
    topics: usize,
    next: AtomicUsize,
    count: usize,
}

impl Source {
    /// Sends what is left over one connection.
    async fn send(self: Arc<Source>) -> Result<Vec<Duration>> {
        let stream = TcpStream::connect(&self.place).await?;
        stream.set_nodelay(true)?;
        let (mut sender, connection) = Builder::new().handshake::<_, Full<Bytes>>(TokioIo::new(stream)).await?;
        tokio::spawn(connection);
        let mut times = Vec::new();
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if number >= self.count {
                return Ok(times);
            }
            let topic = format!("{}t/{}", self.hub, number % self.topics + 1);
            let body = payload(self.first + i64::try_from(number / self.topics)?);
            let request = Request::post("/")
                .header("host", &self.place)
                .header("content-type", "application/xml")
                .header("link", format!("<{topic}>; rel=\"self\", <{}>; rel=\"hub\"", self.hub))
                .header("authorization", format!("Bearer {}", self.token))
                .body(Full::new(Bytes::from(body)))?;
            let started = Instant::now();
            let response = sender.send_request(request).await?;
            let status = response.status();
            let body = response.into_body().collect().await?.to_bytes();
            times.push(started.elapsed());
            if status != 200 {
                return Err(format!("{status}: {}", String::from_utf8_lossy(&body)).into());
            }
            sender.ready().await?;
        }
    }
}

/// A datetime for each number of seconds, in order; months have 28 days.
fn at(seconds: i64) -> String {
    let (day, second) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = (1990 + day / 336, 1 + day / 28 % 12, 1 + day % 28);
    format!("{year}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", second / 3_600, second / 60 % 60, second % 60)
}

/// A Change Notification of a second, of about 2 kB.
fn payload(number: i64) -> String {
    let (from, until) = (at(number), at(number + 1));
    let entries: String = (0..ENTRIES)
        .map(|entry| format!("<url><loc>https://example.com/resources/{number}/{entry}</loc><rs:md change=\"updated\" datetime=\"{from}\"/></url>"))
        .collect();
    format!(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns:rs=\"http://www.openarchives.org/rs/terms/\">\
         <rs:ln rel=\"up\" href=\"https://example.com/capabilitylist.xml\"/>\
         <rs:md capability=\"change-notification\" from=\"{from}\" until=\"{until}\"/>{entries}</urlset>"
    )
}

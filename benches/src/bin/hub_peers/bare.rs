//! Deliveries without a hub: the same connections, bodies and signatures, but no ledger and no schedule.

use std::{
    fs,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Instant,
};

use hmac::{Hmac, KeyInit, Mac};
use http_body_util::{BodyExt, Full};
use hyper::{Request, body::Bytes, client::conn::http1::Builder};
use hyper_util::rt::TokioIo;
use sha2::Sha256;
use tokio::{net::TcpStream, runtime::Runtime};

use super::Result;

const SECRET: &[u8] = b"secret-of-a-subscriber-0123456789abcdef";

pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let [count, body, connections, ports @ ..] = arguments else {
        return Err("bare COUNT BODY CONNECTIONS PORT…".into());
    };
    let (count, connections): (usize, usize) = (count.parse()?, connections.parse()?);
    let ports = ports.iter().map(|port| Ok(port.parse()?)).collect::<Result<Vec<u16>>>()?;
    let body = Bytes::from(fs::read(body)?);
    let runtime = Runtime::new()?;
    let started = Instant::now();
    let done = runtime.block_on(all(count, &body, connections, &ports))?;
    let wall = started.elapsed().as_secs_f64();
    println!("{{\"done\": {done}, \"wall\": {wall}, \"cpu\": {}}}", cpu()?);
    Ok(())
}

async fn all(count: usize, body: &Bytes, connections: usize, ports: &[u16]) -> Result<usize> {
    let next = Arc::new(AtomicUsize::new(0));
    let mut tasks = Vec::new();
    for port in ports {
        for _ in 0..connections {
            tasks.push(tokio::spawn(one(*port, count, body.clone(), next.clone())));
        }
    }
    let mut done = 0;
    for task in tasks {
        done += task.await??;
    }
    Ok(done)
}

/// Sends what is left over one connection.
async fn one(port: u16, count: usize, body: Bytes, next: Arc<AtomicUsize>) -> Result<usize> {
    let stream = TcpStream::connect(("127.0.0.1", port)).await?;
    stream.set_nodelay(true)?;
    let (mut sender, connection) =
        Builder::new().title_case_headers(true).handshake::<_, Full<Bytes>>(TokioIo::new(stream)).await?;
    tokio::spawn(connection);
    let mut done = 0;
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= count {
            return Ok(done);
        }
        let request = Request::post(format!("/{number}"))
            .header("host", format!("127.0.0.1:{port}"))
            .header("content-type", "application/xml")
            .header("link", "<https://hub.example/t/1>; rel=\"self\", <https://hub.example/>; rel=\"hub\"")
            .header("x-hub-signature", signature(&body)?)
            .body(Full::new(body.clone()))?;
        let response = sender.send_request(request).await?;
        done += usize::from(response.status().is_success());
        response.into_body().collect().await?;
        sender.ready().await?;
    }
}

/// `X-Hub-Signature` of a body.
fn signature(body: &[u8]) -> Result<String> {
    let mut mac = Hmac::<Sha256>::new_from_slice(SECRET)?;
    mac.update(body);
    let digest = mac.finalize().into_bytes();
    let digits = digest.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    Ok("sha256=".chars().chain(digits.filter_map(|digit| char::from_digit(digit.into(), 16))).collect())
}

/// CPU seconds of this process.
fn cpu() -> Result<f64> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks: u32 = fields[11].parse::<u32>()? + fields[12].parse::<u32>()?;
    Ok(f64::from(ticks) / 100.0)
}

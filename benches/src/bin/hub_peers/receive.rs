//! Receivers on many ports, which count deliveries by callback, and note when each arrived.
//!
//! The path of a callback is its number. On standard input, `reset` forgets what arrived, and `report` prints it.

use std::{
    fs, io,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU32, AtomicU64, Ordering},
    },
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use rustls::{
    ServerConfig,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    runtime::Builder,
    time::sleep,
};
use tokio_rustls::TlsAcceptor;

use super::Result;

/// The most arrivals whose times are kept.
const TIMES: usize = 200_000;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    /// Answers at once.
    Fast,
    /// Never answers.
    Silent,
    /// Answers one byte a second.
    Drip,
}

struct Counts {
    /// Deliveries of each callback.
    each: Vec<AtomicU32>,
    all: AtomicU64,
    connections: AtomicU64,
    times: Mutex<Vec<u64>>,
}

pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let [kind, ports, callbacks, tls @ ..] = arguments else { return Err("receive KIND PORTS CALLBACKS".into()) };
    let kind = match kind.as_str() {
        "fast" => Kind::Fast,
        "silent" => Kind::Silent,
        _ => Kind::Drip,
    };
    let callbacks: usize = callbacks.parse()?;
    let counts = Arc::new(Counts {
        each: (0..=callbacks).map(|_| AtomicU32::new(0)).collect(),
        all: AtomicU64::new(0),
        connections: AtomicU64::new(0),
        times: Mutex::default(),
    });
    let tls = match tls {
        [certificate, key] => Some(acceptor(certificate, key)?),
        _ => None,
    };
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let mut bound = Vec::new();
    for _ in 0..ports.parse()? {
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0"))?;
        bound.push(listener.local_addr()?.port());
        runtime.spawn(accept(listener, kind, counts.clone(), tls.clone()));
    }
    println!("{{\"ports\": {bound:?}}}");
    let own = counts.clone();
    std::thread::spawn(move || {
        for line in io::stdin().lines().map_while(std::result::Result::ok) {
            if line == "reset" {
                own.reset();
            }
            println!("{}", own.report(line == "report"));
        }
        std::process::exit(0);
    });
    runtime.block_on(std::future::pending::<()>());
    Ok(())
}

impl Counts {
    fn reset(&self) {
        self.each.iter().for_each(|count| count.store(0, Ordering::Relaxed));
        self.all.store(0, Ordering::Relaxed);
        self.connections.store(0, Ordering::Relaxed);
        self.times.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// How many arrived, at how many callbacks, over how many new connections; and when, in nanoseconds since 1970.
    fn report(&self, has_times: bool) -> String {
        let callbacks = self.each.iter().filter(|count| count.load(Ordering::Relaxed) > 0).count();
        let (all, connections) = (self.all.load(Ordering::Relaxed), self.connections.load(Ordering::Relaxed));
        let times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        let times: &[u64] = if has_times { &times } else { &[] };
        format!("{{\"all\": {all}, \"callbacks\": {callbacks}, \"connections\": {connections}, \"times\": {times:?}}}")
    }

    fn arrived(&self, callback: usize) {
        if let Some(count) = self.each.get(callback) {
            count.fetch_add(1, Ordering::Relaxed);
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
        let mut times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        if times.len() < TIMES {
            times.push(u64::try_from(now).unwrap_or(u64::MAX));
        }
        self.all.fetch_add(1, Ordering::Relaxed);
    }
}

fn acceptor(certificate: &str, key: &str) -> Result<TlsAcceptor> {
    let chain = vec![CertificateDer::from_pem_slice(&fs::read(certificate)?)?];
    let key = PrivateKeyDer::from_pem_slice(&fs::read(key)?)?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(chain, key)?;
    Ok(TlsAcceptor::from(Arc::new(config)))
}

async fn accept(listener: TcpListener, kind: Kind, counts: Arc<Counts>, tls: Option<TlsAcceptor>) {
    loop {
        let Ok((stream, _)) = listener.accept().await else { return };
        let _ = stream.set_nodelay(true);
        counts.connections.fetch_add(1, Ordering::Relaxed);
        tokio::spawn(connection(stream, kind, counts.clone(), tls.clone()));
    }
}

async fn connection(stream: TcpStream, kind: Kind, counts: Arc<Counts>, tls: Option<TlsAcceptor>) {
    // The other side ends connections whenever it wants to.
    let _ = match tls {
        None => exchanges(stream, kind, &counts).await,
        Some(acceptor) => match acceptor.accept(stream).await {
            Ok(stream) => exchanges(stream, kind, &counts).await,
            Err(error) => Err(error),
        },
    };
}

async fn exchanges(mut stream: impl AsyncRead + AsyncWrite + Unpin, kind: Kind, counts: &Counts) -> io::Result<()> {
    let mut buffer = Vec::with_capacity(8 << 10);
    loop {
        let end = loop {
            if let Some(end) = buffer.windows(4).position(|four| four == b"\r\n\r\n") {
                break end + 4;
            }
            if stream.read_buf(&mut buffer).await? == 0 {
                return Ok(());
            }
        };
        let head = String::from_utf8_lossy(&buffer[..end]).into_owned();
        let length =
            head.lines().find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length: ")?.parse().ok());
        let whole = end + length.unwrap_or(0_usize);
        while buffer.len() < whole {
            if stream.read_buf(&mut buffer).await? == 0 {
                return Ok(());
            }
        }
        buffer.drain(..whole);
        let path = head.split(' ').nth(1).unwrap_or_default();
        counts.arrived(path.trim_start_matches('/').parse().unwrap_or(0));
        match kind {
            Kind::Fast => stream.write_all(b"HTTP/1.1 204 No Content\r\n\r\n").await?,
            Kind::Silent => std::future::pending().await,
            Kind::Drip => {
                for byte in b"HTTP/1.1 204 No Content\r\nX: ".iter().chain([b'x'].iter().cycle()) {
                    stream.write_all(&[*byte]).await?;
                    sleep(Duration::from_secs(1)).await;
                }
            }
        }
    }
}

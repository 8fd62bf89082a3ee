//! A loopback server whose responses are controlled by a test.

#![allow(clippy::unwrap_used)]

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    thread,
    time::Duration,
};

/// A received request.
#[derive(Debug, Clone)]
pub struct Asked {
    /// The method, such as `GET`.
    pub method: String,
    /// The path, with the query.
    pub path: String,
    /// The header fields, with names in lower case.
    headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
    /// The number of earlier requests for this path.
    pub before: usize,
}

impl Asked {
    /// The value of the first header of this name.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }
}

/// A port for a server that must be told its own: below those that the system gives to connections, so that none takes it meanwhile. Another port each time.
pub fn free_port() -> u16 {
    const FIRST: u32 = 10_000;
    const PORTS: u32 = 22_000;
    static TRIED: AtomicU32 = AtomicU32::new(0);
    // Each process begins elsewhere.
    let begin = std::process::id().wrapping_mul(641);
    (0..PORTS)
        .map(|_| FIRST + begin.wrapping_add(TRIED.fetch_add(1, Ordering::SeqCst)) % PORTS)
        .map(|port| u16::try_from(port).unwrap())
        .find(|port| TcpListener::bind((Ipv4Addr::LOCALHOST, *port)).is_ok())
        .unwrap()
}

/// All requests, in order.
type Seen = Arc<Mutex<Vec<Asked>>>;

/// A server, stopped when it is dropped.
pub struct Server {
    address: SocketAddr,
    seen: Seen,
    ended: Arc<AtomicBool>,
}

impl Server {
    /// Responds with this function, which writes arbitrary bytes; the connection ends when it fails.
    pub fn new(answer: impl Fn(&Asked, &mut TcpStream) -> std::io::Result<()> + Send + Sync + 'static) -> Server {
        Server::at(Ipv4Addr::LOCALHOST, 0, answer)
    }

    /// The same at an address and a port; 0 for any port.
    pub fn at(
        address: Ipv4Addr,
        port: u16,
        answer: impl Fn(&Asked, &mut TcpStream) -> std::io::Result<()> + Send + Sync + 'static,
    ) -> Server {
        Server::on(TcpListener::bind((address, port)).unwrap(), answer)
    }

    /// The same on a listener.
    pub fn on(
        listener: TcpListener,
        answer: impl Fn(&Asked, &mut TcpStream) -> std::io::Result<()> + Send + Sync + 'static,
    ) -> Server {
        let server = Server { address: listener.local_addr().unwrap(), seen: Seen::default(), ended: Arc::default() };
        let (seen, ended, answer) = (server.seen.clone(), server.ended.clone(), Arc::new(answer));
        thread::spawn(move || {
            for stream in listener.incoming() {
                if ended.load(Ordering::SeqCst) {
                    return;
                }
                let (seen, answer) = (seen.clone(), answer.clone());
                thread::spawn(move || drop(talk(stream.unwrap(), &seen, &*answer)));
            }
        });
        server
    }

    /// Serves these documents, and 404 for everything else.
    pub fn of(pages: impl IntoIterator<Item = (&'static str, Vec<u8>)>) -> Server {
        let pages: Vec<_> = pages.into_iter().collect();
        Server::new(move |asked, stream| match pages.iter().find(|(path, _)| *path == asked.path) {
            Some((_, body)) => reply(stream, "200 OK", &["Content-Type: application/xml"], body),
            None => reply(stream, "404 Not Found", &[], b"no such page"),
        })
    }

    /// The URL of a path.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Host and port.
    pub fn place(&self) -> String {
        self.address.to_string()
    }

    /// The port alone.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// All requests, in order.
    pub fn seen(&self) -> Vec<Asked> {
        self.seen.lock().unwrap().clone()
    }

    /// The paths of all requests.
    pub fn paths(&self) -> Vec<String> {
        self.seen().into_iter().map(|asked| asked.path).collect()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::SeqCst);
        // Wakes the listener.
        let _ = TcpStream::connect(self.address);
    }
}

fn talk(
    stream: TcpStream,
    seen: &Seen,
    answer: &(dyn Fn(&Asked, &mut TcpStream) -> std::io::Result<()> + Send + Sync),
) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut stream = stream;
    loop {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line)? == 0 {
                return Ok(());
            }
            match line.trim_end() {
                "" => break,
                line => lines.push(line.to_owned()),
            }
        }
        let mut words = lines[0].split(' ');
        let (method, path) = (words.next().unwrap().to_owned(), words.next().unwrap().to_owned());
        let headers = lines[1..].iter().map(|line| line.split_once(':').unwrap());
        let headers = headers.map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()));
        let headers: Vec<(String, String)> = headers.collect();
        let length = headers.iter().find(|(name, _)| name == "content-length");
        let mut body = vec![0; length.map_or(0, |(_, value)| value.parse().unwrap())];
        reader.read_exact(&mut body)?;
        let asked = {
            let mut seen = seen.lock().unwrap();
            let before = seen.iter().filter(|own| own.path == path).count();
            let asked = Asked { method, path, headers, body, before };
            seen.push(asked.clone());
            asked
        };
        answer(&asked, &mut stream)?;
    }
}

/// A correct response.
pub fn reply(stream: &mut TcpStream, status: &str, headers: &[&str], body: &[u8]) -> std::io::Result<()> {
    let mut head = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\n", body.len());
    for header in headers {
        head.push_str(header);
        head.push_str("\r\n");
    }
    stream.write_all(&[head.as_bytes(), b"\r\n", body].concat())
}

/// A redirect.
pub fn redirect(stream: &mut TcpStream, to: &str) -> std::io::Result<()> {
    reply(stream, "302 Found", &[&format!("Location: {to}")], b"")
}

/// Sends exactly these bytes, and ends the connection.
pub fn raw(stream: &mut TcpStream, bytes: &[u8]) -> std::io::Result<()> {
    stream.write_all(bytes)?;
    Err(std::io::ErrorKind::ConnectionAborted.into())
}

/// Sends nothing until the client disconnects.
pub fn silence(stream: &mut TcpStream) -> std::io::Result<()> {
    let mut byte = [0];
    while stream.peek(&mut byte)? > 0 {
        thread::sleep(Duration::from_millis(10));
    }
    Err(std::io::ErrorKind::ConnectionAborted.into())
}

/// Sends the same bytes repeatedly, with a pause, until the client disconnects.
pub fn for_ever(stream: &mut TcpStream, head: &[u8], bytes: &[u8], pause: Duration) -> std::io::Result<()> {
    stream.write_all(head)?;
    loop {
        stream.write_all(bytes)?;
        thread::sleep(pause);
    }
}

//! The server of the callbacks of a subscriber: accepts requests of hubs within limits, and passes them on.

use std::{
    fmt, io,
    net::{Ipv4Addr, Ipv6Addr, SocketAddr},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use resourcesync_notify::exchange::{Reply, Request};
use tokio::{
    net::TcpListener,
    runtime::{Builder, Runtime},
    sync::{oneshot, watch},
};

use crate::{
    accept::{Access, Front, PAYLOAD_TIME},
    budget::PAYLOAD,
    reply::unavailable,
    signals::Signals,
};

/// How long requests may continue after the server stopped accepting new ones.
const GRACE: Duration = Duration::from_secs(5);

/// The limits of a request.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Maximum bytes of a body.
    pub body_bytes: usize,
    /// The time for a body.
    pub body_time: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { body_bytes: PAYLOAD, body_time: PAYLOAD_TIME }
    }
}

/// A request of a hub that waits for its reply.
#[derive(Debug)]
pub struct Arrival {
    /// The request.
    pub request: Request,
    reply: oneshot::Sender<Reply>,
}

impl Arrival {
    /// Takes the request, so that it can be replied to later.
    pub fn take(self) -> (Request, Responder) {
        (self.request, Responder(self.reply))
    }
}

/// Replies to one request. If it is dropped, the reply is 503.
#[derive(Debug)]
pub struct Responder(oneshot::Sender<Reply>);

impl Responder {
    /// Replies. A hub that closed the connection sends its request again.
    pub fn reply(self, reply: Reply) {
        let _ = self.0.send(reply);
    }

    /// Replies 503, so that the hub sends the request again.
    pub fn unavailable(self) {
        self.reply(unavailable("busy"));
    }
}

/// What happened to the server.
#[derive(Debug)]
pub enum Happening {
    /// A hub sent a request.
    Arrived(Arrival),
    /// The process was asked to stop.
    Stop,
}

/// Receives what happens; false once nobody is interested.
pub type OnHappening = Box<dyn Fn(Happening) -> bool + Send + Sync>;

/// A running server of callbacks. It stops when it is dropped.
pub struct CallbackServer {
    address: SocketAddr,
    runtime: Option<Runtime>,
    front: Arc<Front>,
    stops: watch::Sender<bool>,
    accepts: Arc<AtomicBool>,
}

impl CallbackServer {
    /// Listens on an address, and catches SIGTERM and SIGINT.
    ///
    /// # Errors
    ///
    /// If the address cannot be used.
    pub fn start(address: SocketAddr, limits: Limits, happened: OnHappening) -> io::Result<CallbackServer> {
        let mut signals = Signals::catch()?;
        // Requests wait for the subscriber, which is one thread: more workers would not be faster.
        let runtime = Builder::new_multi_thread().worker_threads(1).thread_name("callbacks").enable_all().build()?;
        let listener = runtime.block_on(TcpListener::bind(address))?;
        let address = listener.local_addr()?;
        let (stops, stopping) = watch::channel(false);
        let happened: Arc<dyn Fn(Happening) -> bool + Send + Sync> = happened.into();
        let accepts = Arc::new(AtomicBool::new(true));
        let (on_stop, is_open) = (happened.clone(), accepts.clone());
        let mut front = Front::new(
            Box::new(move |_, request, reply| {
                is_open.load(Ordering::SeqCst) && happened(Happening::Arrived(Arrival { request, reply }))
            }),
            // A proxy on this machine may have many connections.
            Access {
                trusted_proxies: vec![Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()],
                ..Access::default()
            },
        );
        front.body = (limits.body_bytes, limits.body_time);
        let front = Arc::new(front);
        runtime.spawn(front.clone().serve(listener, stopping));
        runtime.spawn(async move {
            // There is nothing to reload: the end of a terminal stops it, too.
            let _ = signals.next().await;
            on_stop(Happening::Stop);
        });
        Ok(CallbackServer { address, runtime: Some(runtime), front, stops, accepts })
    }

    /// The address it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Accepts nothing more: further requests of kept connections are answered with 503.
    pub fn close(&self) {
        self.accepts.store(false, Ordering::SeqCst);
        let _ = self.stops.send(true);
    }
}

impl Drop for CallbackServer {
    fn drop(&mut self) {
        self.close();
        if let Some(runtime) = self.runtime.take() {
            if !thread::panicking() {
                // What was replied last is sent before the process ends.
                let _ = runtime.block_on(async { tokio::time::timeout(GRACE, self.front.ended()).await });
            }
            runtime.shutdown_background();
        }
    }
}

impl fmt::Debug for CallbackServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallbackServer").field("address", &self.address).finish_non_exhaustive()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::{
        io::{Read, Write},
        net::TcpStream,
    };

    use resourcesync_notify::exchange::Body;

    use super::*;

    /// The status for a request.
    fn status(server: &CallbackServer, request: &str) -> String {
        let mut stream = TcpStream::connect(server.address()).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        // The rest of the request may not have been read.
        let _ = stream.read_to_string(&mut answer);
        answer.split(' ').nth(1).unwrap_or_default().to_owned()
    }

    #[test]
    fn bodies_that_are_too_long_or_stall_reach_the_subscriber_as_that() {
        let limits = Limits { body_bytes: 4, body_time: Duration::from_millis(50) };
        let happened = |happening| {
            let Happening::Arrived(arrival) = happening else { return true };
            let (request, responder) = arrival.take();
            let status = match request.body {
                Body::Whole(body) => 200 + u16::try_from(body.len()).unwrap(),
                Body::TooLarge => 413,
                Body::Stalled => 408,
                Body::Unread => 500,
            };
            responder.reply(Reply { status, ..Reply::default() });
            true
        };
        let server = CallbackServer::start((Ipv4Addr::LOCALHOST, 0).into(), limits, Box::new(happened)).unwrap();
        let request = |length: usize, body: &str| {
            status(
                &server,
                &format!("POST /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}"),
            )
        };
        assert_eq!(request(4, "abcd"), "204");
        assert_eq!(request(5, "abcde"), "413");
        assert_eq!(request(4, "abc"), "408");
        let chunked = "POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n";
        assert_eq!(status(&server, chunked), "413");
    }

    #[test]
    fn requests_that_nobody_takes_are_answered_with_503() {
        let server =
            CallbackServer::start((Ipv4Addr::LOCALHOST, 0).into(), Limits::default(), Box::new(|_| true)).unwrap();
        assert_eq!(status(&server, "GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"), "503");
    }
}

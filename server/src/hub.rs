//! Runs a hub: opens its store, listens, and stops without losing anything.

use std::{
    fmt, io,
    net::SocketAddr,
    sync::{Arc, mpsc},
    thread::{self, JoinHandle},
    time::Duration,
};

use resourcesync_notify::hub::Hub;
use tokio::{
    net::TcpListener,
    runtime::{Builder, Runtime},
    sync::watch,
};

#[cfg(feature = "postgres")]
use crate::ledger::{Wake, wake};
pub use crate::reach::Lookup;
use crate::{
    accept::Front,
    admin::Admin,
    engine::{Engine, Job, Links, now},
    ledger::{AnyStore, StoreError},
    observe::{Log, Metrics},
    reach::Reach,
    settings::{AdminAddress, Settings},
};

/// Threads that look up names.
const LOOKUPS: usize = 16;

/// Why a hub does not start.
#[derive(Debug)]
#[non_exhaustive]
pub enum StartError {
    /// The store cannot be used.
    Store(StoreError),
    /// An address cannot be listened on.
    Listen(String, io::Error),
    /// TLS or the runtime cannot be set up.
    Setup(String),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StartError::Store(error) => error.fmt(f),
            StartError::Listen(address, error) => write!(f, "{address} cannot be listened on: {error}"),
            StartError::Setup(why) => write!(f, "the hub cannot start: {why}"),
        }
    }
}

impl std::error::Error for StartError {}

/// A running hub. It is stopped when it is dropped.
pub struct RunningHub {
    address: SocketAddr,
    runtime: Runtime,
    jobs: mpsc::Sender<Job>,
    stops: watch::Sender<bool>,
    engine: Option<JoinHandle<()>>,
    socket: Option<AdminAddress>,
}

impl RunningHub {
    /// Starts a hub. Names are resolved by the system, or by `lookup`.
    ///
    /// # Errors
    ///
    /// If the store or an address cannot be used.
    pub fn start(settings: Settings, lookup: Option<Lookup>) -> Result<RunningHub, StartError> {
        let ledger = AnyStore::open(&settings.store, settings.claims).map_err(StartError::Store)?;
        let runtime = Builder::new_multi_thread()
            .enable_all()
            .max_blocking_threads(LOOKUPS)
            .build()
            .map_err(|error| StartError::Setup(error.to_string()))?;
        let reach = Reach::new(settings.options.callbacks.clone(), lookup);
        let reach = Arc::new(reach.map_err(|error| StartError::Setup(error.to_string()))?);
        let listener = runtime
            .block_on(TcpListener::bind(settings.listen))
            .map_err(|error| StartError::Listen(settings.listen.to_string(), error))?;
        let address = listener.local_addr().map_err(|error| StartError::Listen(settings.listen.to_string(), error))?;
        let (metrics, log) = (Arc::new(Metrics::default()), Log { json: settings.log_json });
        let (sender, jobs) = mpsc::channel();
        let (stops, stopping) = watch::channel(false);
        let admin = Arc::new(Admin {
            jobs: sender.clone(),
            metrics: metrics.clone(),
            token: settings.admin_token,
            topics: settings.options.topics().iter().map(|topic| topic.uri().to_owned()).collect(),
        });
        let socket = match settings.admin {
            Some(at) => Some(administer(&runtime, admin, &at, stopping.clone())?),
            None => None,
        };
        #[cfg(feature = "postgres")]
        if let AnyStore::Postgres(store) = &ledger {
            let (connector, sender, stops) = (store.connector(), sender.clone(), stopping.clone());
            let waiting = thread::Builder::new().name("wake".to_owned()).spawn(move || {
                wake(&connector, |found| {
                    let topic = match found {
                        Wake::Topic(topic) => Some(topic),
                        Wake::All => None,
                        Wake::Nothing => return !*stops.borrow(),
                    };
                    sender.send(Job::Wake(topic)).is_ok()
                });
            });
            waiting.map_err(|error| StartError::Setup(error.to_string()))?;
        }
        let links = Links {
            jobs,
            sender: sender.clone(),
            runtime: runtime.handle().clone(),
            reach,
            metrics: metrics.clone(),
            log,
            store_bytes: settings.store_bytes,
        };
        let engine =
            Engine::new(Hub::new(settings.options), ledger, links).map_err(|error| StartError::Store(error.into()))?;
        let engine = thread::Builder::new().name("hub".to_owned()).spawn(move || engine.run());
        let engine = engine.map_err(|error| StartError::Setup(error.to_string()))?;
        let requests = sender.clone();
        let on_request = move |client, request, reply| requests.send(Job::Request { client, request, reply }).is_ok();
        let mut front = Front::new(Box::new(on_request), settings.trusted_proxies);
        front.on_accepted = Box::new(move |elapsed| metrics.time("hub_accept_seconds", elapsed));
        runtime.spawn(Arc::new(front).serve(listener, stopping));
        log.note(now(), "ready", &address.to_string());
        Ok(RunningHub { address, runtime, jobs: sender, stops, engine: Some(engine), socket })
    }

    /// The address it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address of its administration.
    pub fn admin(&self) -> Option<&AdminAddress> {
        self.socket.as_ref()
    }

    /// Catches SIGTERM and SIGINT from here on, for `wait`. A process does so before it says that it is ready.
    pub fn catch_signals(&self) -> Signals {
        let _runtime = self.runtime.enter();
        Signals::new()
    }

    /// Waits for a signal to stop, and then for all exchanges. A second signal ends the wait. Returns whether it stopped in order.
    pub fn wait(mut self, mut signals: Signals) -> bool {
        self.runtime.block_on(signals.next());
        self.begin_stop();
        let Some(engine) = self.engine.take() else { return true };
        let (done, stopped) = tokio::sync::oneshot::channel();
        let joined = thread::spawn(move || {
            let _ = engine.join();
            let _ = done.send(());
        });
        drop(joined);
        self.runtime.block_on(async move {
            tokio::select! {
                _ = stopped => true,
                () = signals.next() => false,
            }
        })
    }

    /// Accepts and sends nothing more.
    fn begin_stop(&self) {
        let _ = self.stops.send(true);
        let _ = self.jobs.send(Job::Stop);
    }

    /// Stops, and waits for all exchanges.
    pub fn stop(mut self) {
        self.begin_stop();
        if let Some(engine) = self.engine.take() {
            let _ = engine.join();
        }
    }
}

impl Drop for RunningHub {
    fn drop(&mut self) {
        self.begin_stop();
        if let Some(AdminAddress::Unix(path)) = &self.socket {
            let _ = std::fs::remove_file(path);
        }
    }
}

impl fmt::Debug for RunningHub {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunningHub").field("address", &self.address).finish_non_exhaustive()
    }
}

/// SIGTERM and SIGINT.
#[derive(Debug)]
pub struct Signals {
    #[cfg(unix)]
    own: Vec<tokio::signal::unix::Signal>,
}

impl Signals {
    pub(crate) fn new() -> Signals {
        #[cfg(unix)]
        {
            use tokio::signal::unix::{SignalKind, signal};
            let kinds = [SignalKind::terminate(), SignalKind::interrupt()];
            Signals { own: kinds.into_iter().filter_map(|kind| signal(kind).ok()).collect() }
        }
        #[cfg(not(unix))]
        Signals {}
    }

    pub(crate) async fn next(&mut self) {
        #[cfg(unix)]
        if let [first, second] = &mut *self.own {
            tokio::select! {
                _ = first.recv() => {}
                _ = second.recv() => {}
            }
            return;
        }
        let _ = tokio::signal::ctrl_c().await;
    }
}

/// Serves the administration. Returns its address, with the port chosen by the system.
fn administer(
    runtime: &Runtime,
    admin: Arc<Admin>,
    at: &AdminAddress,
    stops: watch::Receiver<bool>,
) -> Result<AdminAddress, StartError> {
    let wrong = |error| StartError::Listen(at.to_string(), error);
    match at {
        AdminAddress::Tcp(address) => {
            let listener = runtime.block_on(TcpListener::bind(address)).map_err(wrong)?;
            let own = listener.local_addr().map_err(wrong)?;
            runtime.spawn(async move {
                loop {
                    match listener.accept().await {
                        Ok((stream, _)) => drop(tokio::spawn(admin.clone().connection(stream, stops.clone()))),
                        Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
                    }
                }
            });
            Ok(AdminAddress::Tcp(own))
        }
        #[cfg(unix)]
        AdminAddress::Unix(path) => {
            use std::os::unix::fs::{FileTypeExt, PermissionsExt};
            // A socket that was left here has nobody who answers.
            if std::os::unix::net::UnixStream::connect(path).is_ok() {
                return Err(wrong(io::ErrorKind::AddrInUse.into()));
            }
            if std::fs::symlink_metadata(path).is_ok_and(|found| found.file_type().is_socket()) {
                std::fs::remove_file(path).map_err(wrong)?;
            }
            let _context = runtime.enter();
            let listener = tokio::net::UnixListener::bind(path).map_err(wrong)?;
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600)).map_err(wrong)?;
            runtime.spawn(async move {
                loop {
                    match listener.accept().await {
                        Ok((stream, _)) => drop(tokio::spawn(admin.clone().connection(stream, stops.clone()))),
                        Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
                    }
                }
            });
            Ok(at.clone())
        }
        #[cfg(not(unix))]
        AdminAddress::Unix(_) => Err(wrong(io::ErrorKind::Unsupported.into())),
    }
}

/// Tells systemd that the hub is ready, if it started it (`Type=notify`).
///
/// # Errors
///
/// If the socket that systemd named cannot be used.
#[cfg(target_os = "linux")]
pub fn notify_systemd() -> io::Result<()> {
    use std::os::{
        linux::net::SocketAddrExt,
        unix::{
            ffi::OsStrExt,
            net::{SocketAddr, UnixDatagram},
        },
    };
    let Some(path) = std::env::var_os("NOTIFY_SOCKET") else { return Ok(()) };
    let address = match path.as_bytes().split_first() {
        Some((b'@', name)) => SocketAddr::from_abstract_name(name)?,
        _ => SocketAddr::from_pathname(&path)?,
    };
    UnixDatagram::unbound()?.send_to_addr(b"READY=1", &address).map(drop)
}

/// There is no systemd here.
///
/// # Errors
///
/// None.
#[cfg(not(target_os = "linux"))]
pub fn notify_systemd() -> io::Result<()> {
    Ok(())
}

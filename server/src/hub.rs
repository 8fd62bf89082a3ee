//! Runs a hub: opens its store, listens, and stops without losing anything.

use std::{
    fmt, io,
    net::SocketAddr,
    path::Path,
    sync::{Arc, RwLock, mpsc},
    thread::{self, JoinHandle},
    time::Duration,
};

use resourcesync::diagnostic::Reason;
use resourcesync_notify::hub::{Callbacks, Hub};
use tokio::{
    net::TcpListener,
    runtime::{Builder, Runtime},
    sync::watch,
};
use tokio_rustls::TlsAcceptor;

#[cfg(feature = "postgres")]
use crate::ledger::{Wake, wake};
use crate::{
    accept::{self, Front},
    admin::{self, Admin},
    engine::{Engine, Job, Links, now},
    ledger::{AnyStore, StoreAddress, StoreError},
    observe::{Log, Metrics, Unconfirmed},
    reach::Reach,
    settings::{AdminAddress, Settings},
    signals::Signal,
    systemd,
    tls::{TlsError, server_config},
};
pub use crate::{engine::Clock, reach::Lookup, signals::Signals};

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
            StartError::Listen(address, error) => {
                write!(f, "{address} cannot be listened on: {}", Reason::from(error))
            }
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
    engine: Option<JoinHandle<bool>>,
    socket: Option<AdminAddress>,
    front: Arc<Front>,
    admin: Arc<Admin>,
    reach: Arc<Reach>,
    topics: Arc<Reach>,
    log: Log,
    fixed: Fixed,
}

/// Settings that take effect at the next start only.
struct Fixed {
    listen: SocketAddr,
    has_tls: bool,
    store: StoreAddress,
    admin: Option<AdminAddress>,
    log_json: bool,
}

impl Fixed {
    fn of(settings: &Settings) -> Fixed {
        Fixed {
            listen: settings.listen,
            has_tls: settings.tls.is_some(),
            store: settings.store.clone(),
            admin: settings.admin.clone(),
            log_json: settings.log_json,
        }
    }

    /// The keys of the settings that differ.
    fn changed(&self, new: &Fixed) -> Vec<&'static str> {
        let keys = [
            ("listen", self.listen == new.listen),
            ("tls", self.has_tls == new.has_tls),
            ("store", self.store == new.store),
            ("admin", self.admin == new.admin),
            ("log", self.log_json == new.log_json),
        ];
        keys.into_iter().filter(|(_, is_same)| !is_same).map(|(key, _)| key).collect()
    }
}

impl RunningHub {
    /// Starts a hub. Names are resolved by the system, or by `lookup`.
    ///
    /// # Errors
    ///
    /// If the store or an address cannot be used.
    pub fn start(settings: Settings, lookup: Option<Lookup>) -> Result<RunningHub, StartError> {
        RunningHub::start_with(settings, lookup, Arc::new(now))
    }

    /// The same with another clock.
    ///
    /// # Errors
    ///
    /// As [`RunningHub::start`].
    pub fn start_with(settings: Settings, lookup: Option<Lookup>, clock: Clock) -> Result<RunningHub, StartError> {
        let fixed = Fixed::of(&settings);
        let access = access(&settings).map_err(|error| StartError::Setup(error.to_string()))?;
        let log = Log { json: settings.log_json };
        let mut files = Vec::new();
        if let StoreAddress::Sqlite(path) = &settings.store {
            files.push(path);
        }
        if let Some(AdminAddress::Unix(path)) = &settings.admin {
            files.push(path);
        }
        for file in files {
            let created = create_folder(file).map_err(|error| StoreError::Io(file.clone(), error));
            if created.map_err(StartError::Store)? {
                log.note(now(), "folder-created", &file.parent().unwrap_or(file).display().to_string());
            }
        }
        for warning in settings.warnings() {
            log.note(now(), "warning", &warning);
        }
        let ledger = AnyStore::open(&settings.store, settings.claims).map_err(StartError::Store)?;
        let runtime = Builder::new_multi_thread()
            .enable_all()
            .max_blocking_threads(LOOKUPS)
            .build()
            .map_err(|error| StartError::Setup(error.to_string()))?;
        let reach = |allowed: &Callbacks| {
            let reach = Reach::new(allowed.clone(), lookup.clone());
            reach.map(Arc::new).map_err(|error| StartError::Setup(error.to_string()))
        };
        let (reach, topics) = (reach(&settings.options.callbacks)?, reach(&settings.options.fetches)?);
        let listener = runtime
            .block_on(TcpListener::bind(settings.listen))
            .map_err(|error| StartError::Listen(settings.listen.to_string(), error))?;
        let address = listener.local_addr().map_err(|error| StartError::Listen(settings.listen.to_string(), error))?;
        let (metrics, unconfirmed) = (Arc::new(Metrics::default()), Arc::new(Unconfirmed::default()));
        let (sender, jobs) = mpsc::channel();
        let (stops, stopping) = watch::channel(false);
        let admin = Arc::new(Admin {
            jobs: sender.clone(),
            metrics: metrics.clone(),
            unconfirmed: unconfirmed.clone(),
            access: RwLock::new(admin::Access::new(settings.admin_token, &settings.options)),
        });
        let socket = match settings.admin {
            Some(at) => Some(administer(&runtime, admin.clone(), &at, stopping.clone())?),
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
            results: Arc::default(),
            runtime: runtime.handle().clone(),
            reach: reach.clone(),
            topics: topics.clone(),
            metrics: metrics.clone(),
            unconfirmed,
            log,
            clock,
            store_bytes: settings.store_bytes,
        };
        let engine =
            Engine::new(Hub::new(settings.options), ledger, links).map_err(|error| StartError::Store(error.into()))?;
        let engine = thread::Builder::new().name("hub".to_owned()).spawn(move || engine.run());
        let engine = engine.map_err(|error| StartError::Setup(error.to_string()))?;
        let requests = sender.clone();
        let on_request = move |client, request, reply| requests.send(Job::Request { client, request, reply }).is_ok();
        let mut front = Front::new(Box::new(on_request), access);
        front.on_accepted = Box::new(move |elapsed| metrics.time("hub_accept_seconds", elapsed));
        let front = Arc::new(front);
        runtime.spawn(front.clone().serve(listener, stopping));
        log.note(now(), "ready", &address.to_string());
        Ok(RunningHub {
            address,
            runtime,
            jobs: sender,
            stops,
            engine: Some(engine),
            socket,
            front,
            admin,
            reach,
            topics,
            log,
            fixed,
        })
    }

    /// The address it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address of its administration.
    pub fn admin(&self) -> Option<&AdminAddress> {
        self.socket.as_ref()
    }

    /// Replaces the settings and the certificate of a running hub. Returns the keys of settings that take effect at the next start only.
    ///
    /// # Errors
    ///
    /// If the certificate cannot be used; then nothing is replaced.
    pub fn reload(&self, settings: Settings) -> Result<Vec<&'static str>, TlsError> {
        let own = self.fixed.changed(&Fixed::of(&settings));
        let mut access = access(&settings)?;
        if own.contains(&"tls") {
            access.tls = self.front.access().tls;
        }
        self.front.replace(access);
        self.reach.replace(settings.options.callbacks.clone());
        self.topics.replace(settings.options.fetches.clone());
        for warning in settings.warnings() {
            self.log.note(now(), "warning", &warning);
        }
        self.admin.replace(admin::Access::new(settings.admin_token, &settings.options));
        // A hub that is stopping has no use for them.
        let _ = self.jobs.send(Job::Reload { options: Box::new(settings.options), store_bytes: settings.store_bytes });
        Ok(own)
    }

    /// Waits for a signal to stop, and then for all exchanges. A second signal ends the wait. Returns whether it stopped in order: not
    /// if its store could no longer be used.
    ///
    /// SIGHUP reads the settings again; if they cannot be used, the hub keeps the ones it has.
    pub fn wait<E: fmt::Display>(mut self, mut signals: Signals, read: impl Fn() -> Result<Settings, E>) -> bool {
        while let Signal::Reload = self.runtime.block_on(signals.next()) {
            self.told(systemd::reloading());
            let done = read().map_err(|error| error.to_string());
            let status = match done.and_then(|settings| self.reload(settings).map_err(|error| error.to_string())) {
                Ok(own) if own.is_empty() => {
                    self.log.note(now(), "reloaded", "all settings");
                    "accepting requests".to_owned()
                }
                Ok(own) => {
                    let detail = format!("all settings but {}, which take effect at the next start", own.join(", "));
                    self.log.note(now(), "reloaded", &detail);
                    format!("accepting requests; reloaded {detail}")
                }
                Err(error) => {
                    self.log.note(now(), "reload-failed", &format!("nothing has changed: {error}"));
                    format!("accepting requests; reload failed, nothing has changed: {}", error.replace('\n', " "))
                }
            };
            self.told(systemd::ready(&status));
        }
        self.told(systemd::stopping());
        self.begin_stop();
        let Some(engine) = self.engine.take() else { return true };
        let (done, stopped) = tokio::sync::oneshot::channel();
        let joined = thread::spawn(move || {
            let _ = done.send(engine.join().unwrap_or(false));
        });
        drop(joined);
        self.runtime.block_on(async move {
            let again = async { while let Signal::Reload = signals.next().await {} };
            tokio::select! {
                is_in_order = stopped => is_in_order.unwrap_or(false),
                () = again => false,
            }
        })
    }

    /// Logs that systemd could not be told.
    fn told(&self, told: io::Result<()>) {
        if let Err(error) = told {
            self.log.note(now(), "systemd-failed", &Reason::from(&error).to_string());
        }
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

/// What connections of clients need.
fn access(settings: &Settings) -> Result<accept::Access, TlsError> {
    let tls = settings.tls.as_ref().map(server_config).transpose()?.map(TlsAcceptor::from);
    let options = Some(Arc::new(settings.options.clone()));
    Ok(accept::Access { trusted_proxies: settings.trusted_proxies.clone(), options, tls })
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
pub fn notify_systemd() -> io::Result<()> {
    systemd::ready("accepting requests")
}

/// Creates the folder of a file, if only this one is missing, for the owner alone. Returns whether it did.
fn create_folder(file: &Path) -> io::Result<bool> {
    let Some(folder) = file.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.exists()) else {
        return Ok(false);
    };
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).map(|()| true)
}

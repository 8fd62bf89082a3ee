//! A hub for a test, a Source that sends to it, and receivers.

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::{Ipv4Addr, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, ExitCode, Output, Stdio},
    sync::{Arc, Mutex},
    thread,
    time::{Duration, Instant},
};

use resourcesync_notify::{
    form::Form,
    moment::Timestamp,
    signature::{Algorithm, sign},
};
use resourcesync_server::{
    hub::{Clock, Lookup, RunningHub, Signals},
    ledger::SqliteLedger,
    settings::{Overrides, Settings},
};
use resourcesync_tests::server::{Server, free_port, reply};
use sha2::{Digest, Sha256};
use toml::de::DeTable;

/// The configuration of a hub that runs in a process of its own.
pub(crate) const CONFIG: &str = "RESOURCESYNC_HUB_CONFIG";
/// Milliseconds that a claim of a process lasts.
pub(crate) const CLAIMS: &str = "RESOURCESYNC_HUB_CLAIMS";
pub(crate) const TOKEN: &str = "t0ken-of-the-source";
/// Long enough for a busy machine; no test passes by waiting for it.
const PATIENCE: Duration = Duration::from_secs(60);

/// The folder of a test, with the configuration and the store.
pub(crate) struct Bench {
    pub(crate) folder: PathBuf,
    pub(crate) port: u16,
    /// The port in the URI of the hub.
    public: u16,
}

impl Bench {
    /// Creates a folder with a configuration that allows callbacks at these hosts and ports.
    pub(crate) fn new(name: &str, allow: &[String]) -> Bench {
        Bench::with(name, allow, "")
    }

    /// The same, with more settings.
    pub(crate) fn with(name: &str, allow: &[String], more: &str) -> Bench {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("hub-{name}"));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        // The URI of the hub has its port, which must therefore be known before it starts.
        let port = free_port();
        let digest = resourcesync::value::to_hex(&Sha256::digest(TOKEN));
        let text = format!(
            "public_uri = \"http://127.0.0.1:{port}/\"\nlisten = \"127.0.0.1:{port}\"\nstore = {:?}\nadmin = \"unix:{}\"\n{more}\n\
             [retry]\nschedule = [\"1s\"]\n[callbacks]\nallow = {allow:?}\nports = [80]\n\
             [[publisher]]\nname = \"example\"\ntoken_sha256 = \"{digest}\"\n\
             [[topic]]\nuri = \"http://127.0.0.1:{port}/changes\"\nkind = \"change-notification\"\npublishers = [\"example\"]\nserve = true\n",
            folder.join("hub.sqlite"),
            folder.join("admin").display(),
        );
        fs::write(folder.join("hub.toml"), text).unwrap();
        Bench { folder, port, public: port }
    }

    /// The URI of the hub.
    pub(crate) fn uri(&self) -> String {
        format!("http://127.0.0.1:{}/", self.public)
    }

    /// Adds tables to the configuration.
    pub(crate) fn configure(&self, text: &str) {
        let mut file = fs::File::options().append(true).open(self.folder.join("hub.toml")).unwrap();
        file.write_all(text.as_bytes()).unwrap();
    }

    /// Uses another store.
    pub(crate) fn store(&self, store: &str) {
        let file = self.folder.join("hub.toml");
        let text = fs::read_to_string(&file).unwrap();
        let line = text.lines().find(|line| line.starts_with("store = ")).unwrap();
        fs::write(&file, text.replace(line, &format!("store = {store:?}"))).unwrap();
    }

    /// Another process of the same hub, with a port of its own.
    pub(crate) fn twin(&self, name: &str) -> Bench {
        let text = fs::read_to_string(self.folder.join("hub.toml")).unwrap();
        let mut twin = Bench::new(name, &[]);
        let text = text.replace(
            &format!("listen = \"127.0.0.1:{}\"", self.port),
            &format!("listen = \"127.0.0.1:{}\"", twin.port),
        );
        let text = text.replace(&self.folder.display().to_string(), &twin.folder.display().to_string());
        fs::write(twin.folder.join("hub.toml"), text).unwrap();
        twin.public = self.public;
        twin
    }

    pub(crate) fn topic(&self) -> String {
        format!("http://127.0.0.1:{}/changes", self.public)
    }

    pub(crate) fn settings(&self) -> Settings {
        read(&self.folder.join("hub.toml")).unwrap()
    }

    /// Starts the hub in this process.
    pub(crate) fn start(&self, lookup: Option<Lookup>) -> RunningHub {
        RunningHub::start(self.settings(), lookup).unwrap()
    }

    /// Starts the hub in this process, with a clock of the test.
    pub(crate) fn start_at(&self, clock: Clock) -> RunningHub {
        RunningHub::start_with(self.settings(), None, clock).unwrap()
    }

    /// Starts the hub in a process of its own, with a limit on the size of its files, and waits until it is ready.
    pub(crate) fn spawn(&self, file_blocks: Option<u64>) -> Process {
        self.spawn_with(file_blocks, &[])
    }

    /// The same, with variables of the environment.
    pub(crate) fn spawn_with(&self, file_blocks: Option<u64>, environment: &[(&str, &str)]) -> Process {
        let program = std::env::current_exe().unwrap();
        let mut command = match file_blocks {
            None => Command::new(program),
            Some(blocks) => {
                let mut shell = Command::new("bash");
                // Only the soft limit, which `grow` raises again.
                shell.args(["-c", &format!("trap '' XFSZ; ulimit -S -f {blocks}; exec \"$0\"")]).arg(program);
                shell
            }
        };
        let log = fs::File::options().create(true).append(true).open(self.folder.join("log")).unwrap();
        command
            .envs(environment.iter().copied())
            .env(CONFIG, self.folder.join("hub.toml"))
            .stdout(Stdio::piped())
            .stderr(log);
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert_eq!(line, "ready\n");
        Process(child)
    }

    /// The result of a hub that must not start.
    pub(crate) fn attempt(&self) -> Output {
        self.attempt_with(&[])
    }

    /// The same, with variables of the environment.
    pub(crate) fn attempt_with(&self, environment: &[(&str, &str)]) -> Output {
        let program = std::env::current_exe().unwrap();
        let config = self.folder.join("hub.toml");
        Command::new(program).envs(environment.iter().copied()).env(CONFIG, config).output().unwrap()
    }

    /// Posts a payload as the Source, and returns the status; `None` if the hub ended before it answered.
    pub(crate) fn publish(&self, payload: &str) -> Option<u16> {
        self.publish_within(payload, PATIENCE)
    }

    /// The same, with the time to wait for the answer.
    pub(crate) fn publish_within(&self, payload: &str, time: Duration) -> Option<u16> {
        self.publish_to(&self.topic(), payload, time)
    }

    /// The same for any topic.
    pub(crate) fn publish_to(&self, topic: &str, payload: &str, time: Duration) -> Option<u16> {
        let links = format!("<{topic}>; rel=\"self\", <http://127.0.0.1:{}/>; rel=\"hub\"", self.public);
        let head = format!("Content-Type: application/xml\r\nLink: {links}\r\nAuthorization: Bearer {TOKEN}\r\n");
        self.post(&head, payload.as_bytes(), time).map(|(status, _)| status)
    }

    /// Posts a subscription request.
    pub(crate) fn subscribe(&self, callback: &str, secret: Option<&str>) -> u16 {
        let topic = self.topic();
        let pairs = [("hub.mode", "subscribe"), ("hub.topic", &*topic), ("hub.callback", callback)];
        self.form(pairs.into_iter().chain(secret.map(|secret| ("hub.secret", secret))))
    }

    /// Posts a form, and returns the status.
    pub(crate) fn form<'f>(&self, fields: impl IntoIterator<Item = (&'f str, &'f str)>) -> u16 {
        let form = Form::write(fields);
        self.post("Content-Type: application/x-www-form-urlencoded\r\n", form.as_bytes(), PATIENCE).unwrap().0
    }

    fn post(&self, head: &str, body: &[u8], time: Duration) -> Option<(u16, String)> {
        let head = format!(
            "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: {}\r\n{head}\r\n",
            body.len()
        );
        let answer = self.raw_within(&[head.as_bytes(), body].concat(), time)?;
        Some((answer.split(' ').nth(1)?.parse().ok()?, answer))
    }

    /// Sends bytes, and returns everything that the hub answers.
    pub(crate) fn raw(&self, bytes: &[u8]) -> Option<String> {
        self.raw_within(bytes, PATIENCE)
    }

    fn raw_within(&self, bytes: &[u8], time: Duration) -> Option<String> {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).ok()?;
        stream.set_read_timeout(Some(time)).unwrap();
        // The hub may answer and close before it has read everything.
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        (!answer.is_empty()).then(|| String::from_utf8_lossy(&answer).into_owned())
    }

    /// Asks the administration.
    pub(crate) fn admin(&self, method: &str, path: &str, body: &str) -> (u16, String) {
        let settings = self.settings();
        resourcesync_server::admin::request(&settings.admin.unwrap(), None, method, path, body).unwrap()
    }

    /// A number of the administration's `status`.
    pub(crate) fn number(&self, name: &str) -> u64 {
        let (_, body) = self.admin("GET", "/admin/v1/status", "");
        serde_json::from_str::<serde_json::Value>(&body).unwrap()[name].as_u64().unwrap()
    }

    /// The events in the log of a hub in a process of its own.
    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.folder.join("log")).unwrap_or_default()
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        // What a failed test leaves shows why.
        if !thread::panicking() {
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}

/// The settings in a file that contains nothing else.
fn read(file: &Path) -> Result<Settings, String> {
    let text = fs::read_to_string(file).unwrap();
    let table = DeTable::parse(&text).map_err(|error| error.to_string().replace('\n', " "))?;
    Settings::from_table(table.get_ref(), 0, &Overrides::default()).map_err(|(_, problem)| problem)
}

/// Runs the hub of a configuration until it is stopped.
pub(crate) fn serve(config: &Path) -> ExitCode {
    let mut settings = read(config).unwrap();
    if let Some(claims) = std::env::var(CLAIMS).ok().and_then(|claims| claims.parse().ok()) {
        settings.claims = Duration::from_millis(claims);
    }
    let signals = Signals::catch().unwrap();
    let hub = match RunningHub::start(settings, None) {
        Ok(hub) => hub,
        Err(error) => {
            println!("{error}");
            return ExitCode::from(2);
        }
    };
    println!("ready");
    if hub.wait(signals, || read(config)) { ExitCode::SUCCESS } else { ExitCode::from(2) }
}

/// A hub in a process of its own, which ends with the test.
pub(crate) struct Process(pub(crate) Child);

impl Process {
    /// The most memory that it had, in bytes.
    pub(crate) fn peak(&self) -> usize {
        let status = fs::read_to_string(format!("/proc/{}/status", self.0.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() << 10
    }

    /// Ends the limit on the size of its files.
    pub(crate) fn grow(&self) {
        let process = self.0.id().to_string();
        let status = Command::new("prlimit").args(["--pid", &process, "--fsize=unlimited:"]).status().unwrap();
        assert!(status.success());
    }

    /// Sends a signal by its name.
    pub(crate) fn signal(&self, name: &str) {
        let status = Command::new("kill").arg(format!("-{name}")).arg(self.0.id().to_string()).status().unwrap();
        assert!(status.success());
    }

    pub(crate) fn kill(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }

    pub(crate) fn is_running(&mut self) -> bool {
        self.0.try_wait().unwrap().is_none()
    }

    /// Sends SIGTERM, and returns the exit status, which must be there within 40 seconds.
    pub(crate) fn stop(&mut self) -> Option<i32> {
        self.signal("TERM");
        let started = Instant::now();
        while self.is_running() {
            assert!(started.elapsed() < Duration::from_secs(40), "the hub does not stop");
            thread::sleep(Duration::from_millis(5));
        }
        self.0.wait().unwrap().code()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A callback that confirms every request, and keeps what is delivered.
pub(crate) struct Receiver {
    pub(crate) server: Server,
    received: Arc<Mutex<Vec<String>>>,
}

impl Receiver {
    /// Checks the signatures of deliveries with a secret.
    pub(crate) fn new(secret: Option<&'static str>) -> Receiver {
        Receiver::at(Ipv4Addr::LOCALHOST, 0, secret)
    }

    /// Takes a while for each delivery.
    pub(crate) fn slow(time: Duration) -> Receiver {
        Receiver::with(Ipv4Addr::LOCALHOST, 0, None, time)
    }

    pub(crate) fn at(address: Ipv4Addr, port: u16, secret: Option<&'static str>) -> Receiver {
        Receiver::with(address, port, secret, Duration::ZERO)
    }

    fn with(address: Ipv4Addr, port: u16, secret: Option<&'static str>, time: Duration) -> Receiver {
        let received = Arc::<Mutex<Vec<String>>>::default();
        let own = received.clone();
        let server = Server::at(address, port, move |asked, stream| {
            if asked.method == "GET" {
                let query = asked.path.split_once('?').unwrap().1;
                let form = Form::read(query.as_bytes()).unwrap();
                return reply(stream, "200 OK", &[], form.last("hub.challenge").unwrap_or_default().as_bytes());
            }
            let expected = secret.map(|secret| sign(Algorithm::Sha256, secret.as_bytes(), &asked.body));
            assert_eq!(asked.header("x-hub-signature"), expected.as_deref());
            own.lock().unwrap().push(String::from_utf8(asked.body.clone()).unwrap());
            thread::sleep(time);
            reply(stream, "204 No Content", &[], b"")
        });
        Receiver { server, received }
    }

    /// The payloads received so far.
    pub(crate) fn received(&self) -> Vec<String> {
        self.received.lock().unwrap().clone()
    }
}

/// Opens a store.
pub(crate) fn open(store: &Path) -> SqliteLedger {
    SqliteLedger::open(store).unwrap()
}

/// Waits for a condition.
pub(crate) fn eventually(what: &str, is_true: impl Fn() -> bool) {
    let started = Instant::now();
    while !is_true() {
        assert!(started.elapsed() < PATIENCE, "{what}");
        thread::sleep(Duration::from_millis(10));
    }
}

/// A Change Notification of the second with this number.
pub(crate) fn payload(number: i64) -> String {
    let at = |seconds| Timestamp::from_seconds(1_795_000_000 + seconds).to_string();
    let (from, until) = (at(number), at(number + 1));
    format!(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns:rs=\"http://www.openarchives.org/rs/terms/\">\
         <rs:ln rel=\"up\" href=\"https://example.com/capabilitylist.xml\"/>\
         <rs:md capability=\"change-notification\" from=\"{from}\" until=\"{until}\"/>\
         <url><loc>https://example.com/{number}</loc><rs:md change=\"updated\" datetime=\"{from}\"/></url></urlset>"
    )
}

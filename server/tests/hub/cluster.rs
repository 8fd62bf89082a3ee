//! A PostgreSQL cluster of its own for the tests, which ends with them.

use std::{
    env, fs,
    path::PathBuf,
    process::{Child, Command, Stdio},
    sync::{
        OnceLock,
        atomic::{AtomicU32, Ordering},
        mpsc,
    },
    thread,
};

use resourcesync_tests::server::free_port;

use crate::{bench::eventually, secure::pem};

/// The account of the server, if the tests run as root, whom it refuses.
const ACCOUNT: &str = "postgres";

struct Cluster {
    folder: PathBuf,
    port: u16,
    server: Option<Child>,
}

/// The folder of the socket, and the port.
static CLUSTER: OnceLock<(PathBuf, u16)> = OnceLock::new();

/// A program of PostgreSQL. Debian installs the server outside of PATH.
fn program(name: &str) -> PathBuf {
    // What Debian has in the path are scripts, which take five times as long to start.
    let installed = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut installed: Vec<PathBuf> = installed.map(|version| version.path().join("bin")).collect();
    installed.sort();
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = installed.into_iter().rev().chain(env::split_paths(&path));
    let found = folders.map(|folder| folder.join(name)).find(|path| path.is_file());
    found.unwrap_or_else(|| panic!("`{name}` of PostgreSQL is not installed; scripts/prepare installs it"))
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output().unwrap();
    id.stdout.trim_ascii() == b"0"
}

/// A command with the rights of the server, which gets a signal when the thread that started it ends.
fn command(name: &str) -> Command {
    let mut command = Command::new("setpriv");
    if is_root() {
        command.args(["--reuid", ACCOUNT, "--regid", ACCOUNT, "--clear-groups"]);
    }
    command.args(["--pdeathsig", "INT"]).arg(program(name));
    command
}

fn succeeds(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

impl Cluster {
    fn start() -> Cluster {
        let folder = env::temp_dir().join(format!("resourcesync-postgres-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        if is_root() {
            succeeds(Command::new("chown").arg(ACCOUNT).arg(&folder));
        }
        let data = folder.join("data");
        let mut initdb = command("initdb");
        initdb
            .args(["--auth=trust", "--username=postgres", "--encoding=UTF8", "--locale=C", "--no-sync", "-D"])
            .arg(&data);
        succeeds(&mut initdb);
        // Over TCP, TLS and a password are required.
        let access = "local all all trust\nhostssl all all 127.0.0.1/32 scram-sha-256\n";
        fs::write(data.join("pg_hba.conf"), access).unwrap();
        for (from, to) in [("first.pem", "server.crt"), ("first.key", "server.key")] {
            let to = data.join(to);
            fs::copy(pem(from), &to).unwrap();
            succeeds(Command::new("chmod").arg("600").arg(&to));
            if is_root() {
                succeeds(Command::new("chown").arg(ACCOUNT).arg(&to));
            }
        }
        let port = free_port();
        let mut postgres = command("postgres");
        postgres.arg("-D").arg(&data).arg("-k").arg(&folder).arg("-p").arg(port.to_string());
        for setting in ["listen_addresses=127.0.0.1", "max_connections=200", "ssl=on"] {
            postgres.args(["-c", setting]);
        }
        let log = fs::File::create(folder.join("log")).unwrap();
        let server = postgres.stdout(Stdio::null()).stderr(log).spawn().unwrap();
        let isready = program("pg_isready");
        eventually("PostgreSQL is ready", || {
            Command::new(&isready)
                .arg("-q")
                .arg("-h")
                .arg(&folder)
                .arg("-p")
                .arg(port.to_string())
                .status()
                .unwrap()
                .success()
        });
        Cluster { folder, port, server: Some(server) }
    }
}

/// The folder of the socket, and the port. The first call starts the cluster.
fn cluster() -> &'static (PathBuf, u16) {
    CLUSTER.get_or_init(|| {
        let (sender, receiver) = mpsc::channel();
        // The server ends with this thread, which ends with the process.
        thread::spawn(move || {
            let cluster = Cluster::start();
            sender.send((cluster.folder.clone(), cluster.port)).unwrap();
            let _server = cluster.server;
            loop {
                thread::park();
            }
        });
        receiver.recv().unwrap_or_else(|_| panic!("PostgreSQL does not start; scripts/prepare installs it"))
    })
}

/// Creates an empty database, and returns its URL.
pub(crate) fn database() -> String {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let name = format!("hub{}", NUMBER.fetch_add(1, Ordering::SeqCst));
    succeeds(client("createdb").arg(&name));
    let (folder, port) = cluster();
    format!("postgres://postgres@{}:{port}/{name}", folder.to_str().unwrap().replace('/', "%2F"))
}

/// The same database over TCP, as another role.
pub(crate) fn over_tcp(url: &str, role: &str) -> String {
    let name = url.rsplit_once('/').unwrap().1;
    format!("postgres://{role}@127.0.0.1:{}/{name}", cluster().1)
}

/// A client of PostgreSQL as the operator of the server.
fn client(name: &str) -> Command {
    let (folder, port) = cluster();
    let mut client = Command::new(program(name));
    client.arg("-h").arg(folder).arg("-p").arg(port.to_string()).args(["-U", "postgres"]);
    client
}

/// Runs a statement as the operator of the server, and returns its output.
pub(crate) fn sql(url: &str, statement: &str) -> String {
    let name = url.rsplit_once('/').unwrap().1;
    let output = client("psql").args(["-d", name, "-XAtc", statement]).output().unwrap();
    assert!(output.status.success(), "{statement}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
}

/// Stops the cluster and removes its files.
pub(crate) fn stop() {
    let Some((folder, _)) = CLUSTER.get() else { return };
    let mut stop = command("pg_ctl");
    succeeds(stop.arg("-D").arg(folder.join("data")).args(["-m", "immediate", "-w", "stop"]));
    let _ = fs::remove_dir_all(folder);
}

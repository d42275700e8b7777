//! A real server of the team's database on this machine, with TLS and a folder
//! of its own, that can be killed, frozen and started again. It knows nothing of
//! engram's tables.

use crate::certs::{Authority, Leaf};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use std::fs::{self, File};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output};
use std::thread;
use std::time::Duration;
use tempfile::TempDir;
use ureq::Agent;
use ureq::tls::{Certificate, RootCerts, TlsConfig};

/// A server that is not ready after so many looks at it, one each `NAP`, is not
/// going to be.
const LOOKS: u32 = 600;
const NAP: Duration = Duration::from_millis(50);

/// Ports that are tried: another process may take one between the choice and the
/// start.
const PORTS: u32 = 5;

pub struct Server {
    program: PathBuf,
    /// Its database, its certificate and what it said.
    ground: TempDir,
    agent: Agent,
    pub port: u16,
    /// Of the user `root`.
    pub password: String,
    process: Option<Child>,
}

/// Why a process is no server.
enum Lost {
    /// It ended, and said this.
    Ended(String),
    Silent(String),
}

/// Somebody who asks over HTTPS and trusts this authority alone.
pub fn agent(authority: &Authority) -> Agent {
    let certificate = Certificate::from_pem(authority.certificate.as_bytes()).unwrap();
    let trusted = RootCerts::new_with_certs(&[certificate]);
    let config = Agent::config_builder()
        .proxy(None)
        .tls_config(TlsConfig::builder().root_certs(trusted).build())
        .http_status_as_error(false)
        .max_idle_connections(0)
        .timeout_global(Some(Duration::from_secs(5)))
        .build();
    config.new_agent()
}

/// The status of `/health`, or why there is none.
pub fn health(agent: &Agent, port: u16) -> Result<u16, String> {
    let answered = agent.get(format!("https://127.0.0.1:{port}/health")).call();
    answered.map(|answer| answer.status().as_u16()).map_err(|error| error.to_string())
}

/// What somebody says who was shown a certificate and does not believe it.
pub fn is_mistrust(problem: &str) -> bool {
    problem.contains("invalid peer certificate")
}

impl Server {
    pub fn start(program: &Path, authority: &Authority) -> Self {
        Self::showing(program, authority, &authority.good())
    }

    /// With this certificate, whoever signed it.
    pub fn showing(program: &Path, authority: &Authority, leaf: &Leaf) -> Self {
        let ground = tempfile::tempdir().unwrap();
        fs::write(ground.path().join("certificate.pem"), &leaf.certificate).unwrap();
        fs::write(ground.path().join("key.pem"), &leaf.key).unwrap();
        let mut server = Self {
            program: program.to_owned(),
            ground,
            agent: agent(authority),
            port: 0,
            password: format!("{:016x}{:016x}", chance(), chance()),
            process: None,
        };
        for tried in 1.. {
            server.port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
            match server.launch() {
                Ok(()) => break,
                Err(Lost::Ended(said)) if tried < PORTS && said.contains("in use") => {}
                Err(Lost::Ended(said)) => panic!("the server ended: {said}"),
                Err(Lost::Silent(said)) => panic!("the server is not ready: {said}"),
            }
        }
        server
    }

    /// The folder of its database.
    pub fn folder(&self) -> PathBuf {
        self.ground.path().join("db")
    }

    pub fn address(&self) -> String {
        format!("wss://127.0.0.1:{}", self.port)
    }

    pub fn health(&self) -> Result<u16, String> {
        health(&self.agent, self.port)
    }

    /// As nobody could expect it: SIGKILL.
    pub fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            process.kill().unwrap();
            process.wait().unwrap();
        }
    }

    /// On the same folder and port, after a `kill`.
    pub fn restart(&mut self) {
        assert!(self.process.is_none(), "it runs");
        match self.launch() {
            Ok(()) => {}
            Err(Lost::Ended(said) | Lost::Silent(said)) => panic!("it does not start again: {said}"),
        }
    }

    /// It keeps its connections and says nothing until it is thawed.
    pub fn freeze(&self) {
        self.signal(Signal::STOP);
    }

    pub fn thaw(&self) {
        self.signal(Signal::CONT);
    }

    /// Its files are written anew, without what was erased. Refused while it runs.
    pub fn rewrite(&self) -> Output {
        Command::new(&self.program).arg("rewrite").arg(self.folder()).env_clear().output().unwrap()
    }

    /// Memory that it holds, where the system tells.
    pub fn resident_kib(&self) -> Option<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.process.as_ref()?.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        line.trim().strip_suffix(" kB")?.parse().ok()
    }

    /// As the user `root`: one result for each statement. Fails where one did.
    pub fn query(&self, namespace: &str, database: &str, text: &str) -> Vec<Value> {
        let root = json!({ "user": "root", "pass": self.password });
        let token = self.sign("signin", &root).expect("root signs in");
        self.query_as(&token, namespace, database, text).unwrap()
    }

    /// As whoever has this token; Err: what the server said against it.
    pub fn query_as(
        &self,
        token: &str,
        namespace: &str,
        database: &str,
        text: &str,
    ) -> Result<Vec<Value>, String> {
        let request = self.agent.post(self.https("sql")).header("accept", "application/json");
        let request = request.header("surreal-ns", namespace).header("surreal-db", database);
        let answered = request.header("authorization", format!("Bearer {token}")).send(text);
        let mut answered = answered.map_err(|error| error.to_string())?;
        let said = answered.body_mut().read_to_string().unwrap();
        if answered.status() != 200 {
            return Err(said);
        }
        let results: Vec<Value> = serde_json::from_str(&said).map_err(|error| error.to_string())?;
        match results.iter().find(|result| result["status"] != "OK") {
            Some(failed) => Err(failed["result"].to_string()),
            None => Ok(results.into_iter().map(|mut result| result["result"].take()).collect()),
        }
    }

    /// `signin` or `signup`: the token that is given.
    pub fn sign(&self, how: &str, with: &Value) -> Option<String> {
        let request = self.agent.post(self.https(how)).header("accept", "application/json");
        let said = request.send(with.to_string()).unwrap().body_mut().read_to_string().unwrap();
        let said: Value = serde_json::from_str(&said).unwrap_or_default();
        said["token"].as_str().map(str::to_owned)
    }

    fn https(&self, path: &str) -> String {
        format!("https://127.0.0.1:{}/{path}", self.port)
    }

    fn signal(&self, signal: Signal) {
        let process = self.process.as_ref().expect("it runs");
        kill_process(Pid::from_child(process), signal).unwrap();
    }

    /// Returns when it is ready: when it answers, or shows what nobody believes.
    fn launch(&mut self) -> Result<(), Lost> {
        let ground = self.ground.path().to_owned();
        let file = |name: &str| ground.join(name);
        let said = File::create(file("said")).unwrap();
        let process = Command::new(&self.program)
            .args(["start", "--no-banner", "--log", "warn", "--deny-guests", "--query-timeout", "10s"])
            .args(["--bind", &format!("127.0.0.1:{}", self.port)])
            .arg("--web-crt")
            .arg(file("certificate.pem"))
            .arg("--web-key")
            .arg(file("key.pem"))
            .arg(format!("surrealkv://{}", self.folder().display()))
            .env_clear()
            .env("SURREAL_USER", "root")
            .env("SURREAL_PASS", &self.password)
            .stdout(said.try_clone().unwrap())
            .stderr(said)
            .spawn()
            .unwrap();
        let process = self.process.insert(process);
        for _ in 0..LOOKS {
            if process.try_wait().unwrap().is_some() {
                self.process = None;
                return Err(Lost::Ended(fs::read_to_string(file("said")).unwrap()));
            }
            match health(&self.agent, self.port) {
                Ok(200) => return Ok(()),
                Err(problem) if is_mistrust(&problem) => return Ok(()),
                _ => thread::sleep(NAP),
            }
        }
        self.kill();
        Err(Lost::Silent(fs::read_to_string(file("said")).unwrap()))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

fn chance() -> u64 {
    engram_wire::platform::chance()
}

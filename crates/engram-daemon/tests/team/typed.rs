//! The team as somebody meets it who types: the client's own program, from the
//! making of a team to the leaving of it, with a real server.

use super::{Authority, DATABASE, NAMESPACE, Person, Proxy, Server, program, soon, token};
use engram_testkit::proxy::Mode;
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

impl Person {
    /// What the program says to these words, typed in the project.
    fn types(&self, words: &[&str]) -> String {
        self.types_in("shop", words, "")
    }

    fn types_in(&self, folder: &str, words: &[&str], input: &str) -> String {
        let output = self.typed(folder, words, input);
        assert!(output.status.success(), "{words:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// The same of words that are refused.
    fn is_told(&self, words: &[&str]) -> String {
        let output = self.typed("shop", words, "");
        assert!(!output.status.success(), "{words:?}: {output:?}");
        String::from_utf8(output.stderr).unwrap()
    }

    fn typed(&self, folder: &str, words: &[&str], input: &str) -> Output {
        let program = Path::new(env!("CARGO_BIN_EXE_engramd")).with_file_name("engram");
        assert!(program.exists(), "there is no {}; `make team-test` builds it", program.display());
        let mut started = Command::new(program)
            .args(words)
            .env_clear()
            .env("HOME", self.ground.root().join("home"))
            .env("ENGRAM_CLIENT_DEADLINE_MS", "60000")
            .current_dir(self.ground.folder(folder))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        started.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        started.wait_with_output().unwrap()
    }

    fn remembers(&self, text: &str) -> String {
        let told = self.types(&["--json", "remember", text]);
        let told: serde_json::Value = serde_json::from_str(&told).unwrap();
        told["memories"][0]["id"].as_str().unwrap().to_owned()
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let file = self.ground.root().join(name);
        fs::write(&file, text).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        file
    }

    fn key(&self) -> String {
        fs::read_to_string(self.ground.reach.home.team_folder().join("seat.key")).unwrap()
    }
}

/// The address of an invitation that was printed.
fn invited(said: &str) -> String {
    let (_, rest) = said.split_once("team join '").expect("an invitation");
    rest.split_once('\'').expect("its end").0.to_owned()
}

#[test]
fn a_team_is_made_used_and_left_with_the_program_itself() {
    let Some(program) = program() else { return };
    let authority = Authority::new();
    let mut server = Server::start(&program, &authority);
    let way = Proxy::before(server.port);
    let [ada, ben] = ["ada", "ben"].map(Person::new);
    let [ca, of_ben] = [&ada, &ben].map(|person| person.file("ca.pem", &authority.certificate));
    let [ca, of_ben] = [&ca, &of_ben].map(|file| file.to_str().unwrap());
    let secret = format!("username = \"root\"\npassword = \"{}\"\nlevel = \"root\"\n", server.password);
    let operator = ada.file("ops.toml", &secret);
    let operator = operator.to_str().unwrap();

    // Made, and joined by two homes: by an argument, and by standard input.
    let address = server.address();
    let create = ["team", "create", &address, "--name", "shop", "--operator-file", operator, "--ca", ca];
    let said = ada.types(&create);
    assert!(said.starts_with(&format!("The team shop is on {address}.")), "{said}");
    assert!(!said.contains(&server.password));
    let said = ada.types(&["team", "join", &invited(&said), "--handle", "ada", "--ca", ca]);
    assert!(said.starts_with("You are ada (maintainer) of the team shop."), "{said}");
    let address = invited(&ada.types(&["team", "invite"]));
    let through = address.replace(&format!(":{}/", server.port), &format!(":{}/", way.port));
    let said = ben.types_in("shop", &["team", "join", "--handle", "ben", "--ca", of_ben], &through);
    assert!(said.starts_with("You are ben (member) of the team shop."), "{said}");
    let said = ada.types(&["team", "members"]);
    assert!(said.contains("ada") && said.contains("ben") && said.contains("member"), "{said}");

    // Shared, and recalled.
    let kiln = ada.remembers("the kiln fires at noon");
    let said = ada.types(&["team", "share", &kiln]);
    assert!(
        said.starts_with("shared ") && said.contains("the kiln fires") && !said.contains("waits"),
        "{said}"
    );
    soon("ben recalls it", || ben.types(&["recall", "when does the kiln fire"]).contains("at noon"));
    let why = |person: &Person, folder| {
        let said = person.types_in(folder, &["--json", "recall", "when does the kiln fire"], "");
        let said: serde_json::Value = serde_json::from_str(&said).unwrap();
        (said["hits"][0]["scope"].clone(), said["hits"][0]["scope_weight"].as_f64())
    };
    // What one shared oneself is one's own, also where the team's copy is found.
    let (of_ada, of_ben) = (why(&ada, "elsewhere"), why(&ben, "elsewhere"));
    assert_eq!((of_ada.0.as_str(), of_ben.0.as_str()), (Some("team"), Some("team")));
    assert!(of_ada.1 > of_ben.1, "{of_ada:?} {of_ben:?}");

    // Where folders are named, the team is told in them and nowhere else.
    let shop = ben.ground.folder("shop");
    ben.types(&["config", "set", "team.folders", shop.to_str().unwrap()]);
    ben.types(&["stop"]);
    assert!(ben.types(&["recall", "when does the kiln fire"]).contains("at noon"));
    let said = ben.types_in("elsewhere", &["recall", "when does the kiln fire"], "");
    assert!(!said.contains("at noon"), "{said}");

    // Another key, and another key for tokens; whoever had one goes on.
    let (key, old) = (ada.key(), token(&server, &ada));
    assert_eq!(ada.types(&["team", "rotate"]), "This machine has a new key.\n");
    assert_ne!(ada.key(), key);
    let with = serde_json::json!({ "ns": NAMESPACE, "db": DATABASE, "ac": "member", "secret": key.trim() });
    assert!(server.sign("signin", &with).is_none(), "the old key lets nobody in");
    let said = ada.types(&["team", "upgrade", "--operator-file", operator]);
    assert_eq!(said, "The team's schema was up to date; its members sign in anew.\n");
    assert!(server.query_as(&old, NAMESPACE, DATABASE, "SELECT * FROM memory").is_err());
    let vat = ben.remembers("the vat holds ninety litres");
    assert!(ben.types(&["team", "share", &vat]).starts_with("shared "));
    soon("ada recalls it", || ada.types(&["recall", "how much does the vat hold"]).contains("ninety"));

    // What the server refuses is told, until somebody lets go of it.
    way.set(Mode::Cut);
    let anvil = ben.remembers("the anvil is in the yard");
    let said = ben.types(&["team", "share", &anvil]);
    assert!(said.contains("It waits to be said to the server."), "{said}");
    assert_eq!(ada.types(&["team", "role", "ben", "reader"]), "ben is a reader.\n");
    way.set(Mode::Pass);
    soon("it is refused", || ben.types(&["team", "status"]).contains("1 refused"));
    let said = ben.types(&["team", "status"]);
    assert!(said.contains("The server refused:") && said.contains("share"), "{said}");
    assert_eq!(ben.types(&["team", "dismiss"]), "1 refused changes are let go of.\n");
    assert!(!ben.types(&["team", "status"]).contains("refused"));
    assert_eq!(ada.types(&["team", "role", "ben", "member"]), "ben is a member.\n");
    soon("he may again", || ben.types(&["team", "status"]).contains("as ben (member)"));

    // Whoever leaves takes back what was his, if he wants to.
    let said = ben.types(&["team", "leave", "--withdraw"]);
    assert!(said.starts_with("You have left the team shop;") && !said.contains("was not told"), "{said}");
    assert!(!ben.ground.reach.home.team_folder().exists());
    assert!(ben.types(&["team", "status"]).starts_with("No team was joined."));
    assert!(ben.types(&["recall", "how much does the vat hold"]).contains("ninety"), "his own stays");
    let said = ben.types(&["recall", "when does the kiln fire"]);
    assert!(!said.contains("at noon"), "{said}");
    let rows = server.query(NAMESPACE, DATABASE, "SELECT VALUE content FROM memory");
    assert!(rows[0].to_string().contains("kiln") && !rows[0].to_string().contains("vat"), "{rows:?}");
    soon("it is gone here", || !ada.types(&["recall", "how much does the vat hold"]).contains("ninety"));

    // Without a server one leaves only by force, and is told what is lost.
    server.kill();
    let loom = ada.remembers("the loom has forty shafts");
    ada.types(&["team", "share", &loom]);
    let said = ada.is_told(&["team", "leave"]);
    assert!(said.contains("1 changes were not said to the server yet") && said.contains("--force"), "{said}");
    let said = ada.types(&["team", "leave", "--force"]);
    assert!(said.starts_with("You have left the team shop;"), "{said}");
    assert!(said.contains("1 change was never said to the server"), "{said}");
    assert!(said.contains("The server was not told"), "{said}");
    assert!(!ada.ground.reach.home.team_folder().exists());
    assert!(ada.types(&["recall", "how many shafts has the loom"]).contains("forty"));
}

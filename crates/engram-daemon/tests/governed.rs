//! Personal data at every way in, and the audit log: what is written into it,
//! and that whoever touches it is found out.

mod common;

use common::{Ground, Place, numbered};
use engram_core::Scope;
use engram_core::audit::{Deed, Flaw, Verified};
use engram_core::turn::{Event, EventType};
use engram_wire::governance::AuditShown;
use engram_wire::message::{Edit, Observe};
use engram_wire::reply::{Changed, Health, Imported, Observed, Verdict};
use engram_wire::{FaultKind, Order};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;

const TEXT: &str = "Ada Lovelace of the billing team is reached at ada@kestrel.io";
const MASKED: &str = "Ada Lovelace of the billing team is reached at [personal: email]";

fn observe(place: &Place<'_>, text: &str) -> Observed {
    let event = Event::new(EventType::UserMessage, text.to_owned());
    place.ask(Order::Observe(Observe { events: vec![event], wait: true, ..Observe::default() }))
}

fn deeds(place: &Place<'_>) -> Vec<Deed> {
    let shown: AuditShown = place.ask(Order::Audit { limit: 100, about: None });
    shown.lines.iter().rev().map(|line| line.deed).collect()
}

fn flaws(place: &Place<'_>) -> Vec<Flaw> {
    let verified: Verified = place.ask(Order::AuditVerify { head: None });
    verified.breaks.iter().map(|found| found.flaw).collect()
}

#[test]
fn without_a_setting_a_text_is_kept_as_it_came() {
    let ground = Ground::new();
    let place = ground.at(&ground.folder("project"));
    assert_eq!(place.remember(TEXT, None).content, TEXT);
    assert_eq!(place.ask::<Health>(Order::Status).personal, 0);
}

#[test]
fn what_is_masked_is_masked_on_every_way_in() {
    let ground = Ground::new();
    ground.configure("[personal]\nproject = \"mask\"\n");
    let place = ground.at(&ground.folder("project"));
    let kept = place.remember(TEXT, None);
    assert_eq!(kept.content, MASKED);
    let (operation, memory) = (ground.operation(), kept.id.to_string());
    let text = "Ada of billing is called under +90 532 123 45 67".to_owned();
    let corrected: Changed = place.ask(Order::Correct { operation, memory, text });
    let corrected = corrected.memories.iter().find(|memory| memory.content.contains("called")).unwrap();
    assert_eq!(corrected.content, "Ada of billing is called under [personal: phone]");
    let edit = Edit {
        operation: ground.operation(),
        memory: corrected.id.to_string(),
        kind: None,
        tags: None,
        domain: None,
        summary: Some("ask ada@kestrel.io".to_owned()),
    };
    let _: Changed = place.ask(Order::Edit(edit));
    let observed = observe(&place, "We decided that bob@kestrel.io owns the payment service.");
    assert_eq!((observed.heard, observed.personal["email"], observed.refused), (1, 1, 0));
    let lines = place.export_lines(false);
    let whole = lines.join("\n");
    assert!(whole.contains("[personal: email]") && !whole.contains("kestrel.io"), "{whole}");
    assert!(place.ask::<Health>(Order::Status).personal >= 4);
    // What was kept elsewhere as it was comes in masked, too.
    let other = ground.at(&ground.folder("other"));
    let line = lines.iter().find(|line| line.contains("payment service")).unwrap();
    let line = line.replace("[personal: email]", "bob@kestrel.io");
    let order = Order::Import { operation: ground.operation(), scope: None, lines: numbered(&[line]) };
    assert_eq!(other.ask::<Imported>(order).imported, 1);
    assert!(!other.export_lines(false).join("\n").contains("kestrel.io"));
}

#[test]
fn what_the_user_must_not_hold_lies_in_no_project_and_no_session() {
    let ground = Ground::new();
    ground.configure("[personal]\nuser = \"mask\"\n");
    let mut place = ground.at(&ground.folder("project"));
    assert_eq!(place.remember(TEXT, None).content, MASKED);
    let session = ground.session();
    let _: Value = place.ask(Order::SessionStart { session });
    place.session = Some(session);
    assert_eq!(place.remember(TEXT, Some(Scope::Session)).content, MASKED);
}

#[test]
fn a_project_may_be_more_careful_and_not_less() {
    let ground = Ground::new();
    ground.configure("[personal]\nproject = \"mask\"\n");
    let folder = ground.folder("project");
    let place = ground.at(&folder);
    place.remember("we deploy on fridays", None);
    let config = folder.join(".claude/engram/config.toml");
    fs::write(&config, "[personal]\nproject = \"refuse\"\n").unwrap();
    assert_eq!(place.fault(place.remember_order(TEXT, None)).kind, FaultKind::Refused);
    fs::write(&config, "[personal]\nproject = \"off\"\n").unwrap();
    let fault = place.fault(place.remember_order(TEXT, None));
    assert!(fault.message.contains("more careful"), "{fault:?}");
}

#[test]
fn a_refusal_names_the_places_and_not_the_words_and_is_audited() {
    let ground = Ground::new();
    ground.configure("[personal]\nuser = \"refuse\"\nproject = \"ask\"\nsession = \"off\"\n");
    let place = ground.at(&ground.folder("project"));
    let fault = place.fault(place.remember_order(TEXT, None));
    assert_eq!(fault.kind, FaultKind::Refused);
    assert!(fault.message.contains("email (characters 48 to 61)"), "{fault:?}");
    assert!(!format!("{fault:?}").contains("kestrel.io"));
    let observed = observe(&place, TEXT);
    assert_eq!((observed.heard, observed.refused), (0, 1), "a hook is not answered with a fault");
    assert_eq!(deeds(&place), [Deed::Refusal, Deed::Refusal]);
    assert!(place.recall("who is Ada Lovelace").is_empty());
}

#[test]
fn asking_says_how_to_say_it_again_and_masks_what_a_hook_hears() {
    let ground = Ground::new();
    ground.configure("[personal]\nproject = \"ask\"\n");
    let place = ground.at(&ground.folder("project"));
    let fault = place.fault(place.remember_order(TEXT, None));
    assert!(
        fault.hints.iter().any(|hint| hint.contains("--mask") && hint.contains("--as-it-is")),
        "{fault:?}"
    );
    assert_eq!(observe(&place, "The api is owned by bob@kestrel.io since march.").personal["email"], 1);
    // What `--as-it-is` sends.
    let mut context = place.context();
    context.settings = vec![("personal.project".to_owned(), "off".to_owned())];
    let request = engram_wire::Request { context, order: place.remember_order(TEXT, None) };
    let reply = ground.reach.ask(&request, &mut |_| {}).map_err(|_| "refused").unwrap();
    assert_eq!(reply["memories"][0]["content"], TEXT);
}

#[test]
fn each_deed_leaves_a_line_and_no_text() {
    let ground = Ground::new();
    let place = ground.at(&ground.folder("project"));
    let memory = place.remember("the staging key lies in the blue vault", None);
    let lines = place.export_lines(false);
    let file = ground.root().join("one.backup");
    let _: Value = place.ask(Order::Backup { file: file.clone(), all_projects: false, to: Vec::new() });
    let _: Value = place.ask(Order::Restore { file: file.clone(), identity: None });
    let order = Order::Import { operation: ground.operation(), scope: None, lines: numbered(&lines) };
    let _: Imported = place.ask(order);
    place.forget(&memory, true);
    assert_eq!(
        deeds(&place),
        [Deed::Export, Deed::Backup, Deed::Restore, Deed::Import, Deed::Purge],
        "in the order in which they were done"
    );
    let about = |what: String| {
        let shown: AuditShown = place.ask(Order::Audit { limit: 10, about: Some(what) });
        shown.lines.iter().map(|line| line.deed).collect::<Vec<_>>()
    };
    assert_eq!(about(memory.id.to_string()), [Deed::Purge]);
    assert_eq!(about(file.display().to_string()), [Deed::Restore, Deed::Backup]);
    assert_eq!(about("something else".to_owned()), []);
    let home = &ground.reach.home;
    for file in [home.audit_file(), home.audit_key_file(), home.audit_head_file()] {
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600, "{file:?}");
        let text = fs::read_to_string(&file).unwrap();
        assert!(!text.contains("vault") && !text.contains(&memory.id.to_string()), "{text}");
    }
    assert_eq!(flaws(&place), []);
    let checks = place.doctor().checks;
    let check = checks.iter().find(|check| check.what == "audit log").unwrap();
    assert_eq!((check.verdict, check.detail.as_str()), (Verdict::Sound, "5 lines, whole"));
}

#[test]
fn whoever_touches_the_log_is_found_out() {
    let ground = Ground::new();
    let place = ground.at(&ground.folder("project"));
    place.remember("we deploy on fridays", None);
    for _ in 0..4 {
        place.export_lines(false);
    }
    let file = ground.reach.home.audit_file();
    let whole = fs::read_to_string(&file).unwrap();
    let lines: Vec<&str> = whole.lines().collect();
    let touched = |lines: &[&str]| fs::write(&file, lines.join("\n") + "\n").unwrap();
    touched(&[lines[0], &lines[1].replace("human", "engram"), lines[2], lines[3]]);
    assert_eq!(flaws(&place), [Flaw::Changed]);
    touched(&[lines[0], lines[2], lines[3]]);
    assert_eq!(flaws(&place), [Flaw::Missing]);
    touched(&[lines[0], lines[2], lines[1], lines[3]]);
    assert_eq!(flaws(&place), [Flaw::Moved]);
    touched(&lines[..3]);
    assert_eq!(flaws(&place), [Flaw::Cut], "the head is kept apart");
    assert!(!place.doctor().sound);
    // What goes on after a cut does not heal it.
    place.export_lines(false);
    assert_eq!(flaws(&place), [Flaw::Missing]);
    fs::write(&file, &whole).unwrap();
    fs::remove_file(&file).unwrap();
    assert_eq!(flaws(&place), [Flaw::Cut], "taken away whole");
}

#[test]
fn a_noted_head_finds_a_log_that_was_begun_anew() {
    let ground = Ground::new();
    let place = ground.at(&ground.folder("project"));
    place.remember("we deploy on fridays", None);
    place.export_lines(false);
    let noted = place.ask::<AuditShown>(Order::Audit { limit: 0, about: None }).head;
    let home = &ground.reach.home;
    for file in [home.audit_file(), home.audit_key_file(), home.audit_head_file()] {
        fs::remove_file(file).unwrap();
    }
    place.export_lines(false);
    assert_eq!(flaws(&place), [], "it is whole in itself");
    let verified: Verified = place.ask(Order::AuditVerify { head: Some(noted) });
    assert_eq!(verified.breaks.len(), 1);
}

#[test]
fn a_line_that_a_crash_cut_short_is_no_break() {
    let ground = Ground::new();
    let place = ground.at(&ground.folder("project"));
    place.remember("we deploy on fridays", None);
    place.export_lines(false);
    let file = ground.reach.home.audit_file();
    let whole = fs::read_to_string(&file).unwrap();
    fs::write(&file, format!("{whole}{}", &whole[..40])).unwrap();
    assert_eq!(flaws(&place), []);
    place.export_lines(false);
    assert_eq!(flaws(&place), []);
    assert_eq!(deeds(&place), [Deed::Export, Deed::Export]);
}

#[test]
fn what_cannot_be_audited_is_not_done() {
    let ground = Ground::new();
    let place = ground.at(&ground.folder("project"));
    let memory = place.remember("the staging key lies in the blue vault", None);
    // A folder in its place cannot be written, whoever one is.
    fs::create_dir(ground.reach.home.audit_file()).unwrap();
    let memories = vec![memory.id.to_string()];
    let fault = place.fault(Order::Forget { operation: ground.operation(), memories, purge: true });
    assert_eq!(fault.kind, FaultKind::Environment);
    assert!(fault.hints.iter().any(|hint| hint.contains("a purge is not done")), "{fault:?}");
    assert_eq!(
        place.recall("where is the staging key"),
        std::slice::from_ref(&memory.content),
        "nothing was taken out"
    );
    assert_eq!(
        place.fault(Order::Export { scopes: Vec::new(), no_history: false, sealed: None }).kind,
        FaultKind::Environment
    );
    fs::remove_dir(ground.reach.home.audit_file()).unwrap();
    place.forget(&memory, true);
    assert_eq!(deeds(&place), [Deed::Purge]);
}

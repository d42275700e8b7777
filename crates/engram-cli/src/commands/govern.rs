//! The audit log, and what somebody says about personal data in their text.

use crate::args::{Audit, Personal};
use crate::ask::Client;
use crate::out::{self, Out};
use crate::show;
use engram_core::Scope;
use engram_core::audit::Verified;
use engram_core::personal::Treatment;
use engram_guard::without_personal;
use engram_wire::governance::AuditShown;
use engram_wire::{Fault, Order};

/// So many lines are shown, if nothing else is said.
const LATEST: usize = 20;

/// The text as somebody wants it kept: masked here, before it leaves this
/// process, or as it is, which is told to the daemon for this once. That counts
/// only where the settings ask; what they mask or refuse is not talked out of it.
pub(super) fn as_said(
    client: &mut Client,
    command: &str,
    text: String,
    said: Personal,
) -> Result<String, Fault> {
    if said.mask {
        let (masked, found) = without_personal(&text);
        for found in found {
            out::warn(command, &format!("masked: {} ({})", found.rule, found.count));
        }
        return Ok(masked);
    }
    if said.as_it_is {
        let asking: Vec<Scope> = Scope::OWN.iter().copied().filter(|scope| asks(client, *scope)).collect();
        for scope in asking {
            client.set_once(format!("personal.{scope}"), Treatment::Off.to_string());
        }
    }
    Ok(text)
}

pub(super) fn asks(client: &Client, scope: Scope) -> bool {
    client.settings.text(&format!("personal.{scope}")) == Treatment::Ask.as_str()
}

pub(super) fn audit(client: &Client, out: &Out, what: Option<Audit>) -> Result<u8, Fault> {
    let (limit, about) = match what {
        None => (LATEST, None),
        Some(Audit::Show { limit, about }) => (limit, about),
        Some(Audit::Head) => {
            let reply = client.ask(Order::Audit { limit: 0, about: None })?;
            out.reply::<AuditShown>(reply, |shown, _| format!("{}\n", shown.head))?;
            return Ok(0);
        }
        Some(Audit::Verify { head }) => {
            let reply = client.ask(Order::AuditVerify { head })?;
            let found: Verified = out::understood(reply.clone())?;
            out.reply::<Verified>(reply, show::audit_verified)?;
            return Ok(u8::from(!found.breaks.is_empty()));
        }
    };
    out.reply::<AuditShown>(client.ask(Order::Audit { limit, about })?, show::audit)?;
    Ok(0)
}

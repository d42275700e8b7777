//! The way to the server: an address, and a connection that is encrypted or
//! does not leave this machine.

use super::{Patience, explain_far};
use engram_core::team::port::FarError;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls_platform_verifier::Verifier;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use surrealdb::Surreal;
use surrealdb::engine::any::Any;
use surrealdb::opt::Config;
use surrealdb::opt::auth::Root;

/// Where a team lives. There is no code and no key in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TeamAddress {
    /// `wss://host[:port]`; `ws://` to this machine only. `mem://name` is a server
    /// inside this process, the same one under the same name, for tests.
    pub url: String,
    pub namespace: String,
    pub database: String,
    /// Certificates to trust besides those of the system, as DER.
    pub roots: Vec<Vec<u8>>,
}

/// What the operator of a server inside this process is called, and the password.
#[doc(hidden)]
pub const NEAR_OPERATOR: &str = "root";

/// A connection that nobody has signed in to.
pub(crate) async fn connect(address: &TeamAddress, patience: Patience) -> Result<Surreal<Any>, FarError> {
    if let Some(name) = address.url.strip_prefix("mem://") {
        return near(name).await;
    }
    let config = match encrypted(&address.url)? {
        true => Config::new().rustls(trusting(&address.roots)?),
        false => Config::new(),
    };
    let connecting = surrealdb::engine::any::connect((address.url.as_str(), config));
    match tokio::time::timeout(patience.call, connecting).await {
        Ok(Ok(db)) => Ok(db),
        // Nothing was asked yet: whatever went wrong lies between here and there.
        Ok(Err(error)) => match explain_far(&error) {
            FarError::Refused(problem) => Err(FarError::Unreachable(problem)),
            other => Err(other),
        },
        Err(_) => Err(patience.over()),
    }
}

/// Whether what goes over it is encrypted; an address that may not be used is an
/// error, and the address is not in it.
fn encrypted(url: &str) -> Result<bool, FarError> {
    let refused = |problem: &str| Err(FarError::Refused(problem.to_owned()));
    if url.contains(['#', '@', '?']) {
        return refused("the address has more than a host and a port in it");
    }
    if url.strip_prefix("wss://").is_some_and(|host| !host.is_empty()) {
        return Ok(true);
    }
    match url.strip_prefix("ws://") {
        Some(host) if is_this_machine(host) => Ok(false),
        Some(_) => refused("the address is not encrypted; use wss://"),
        None => refused("the address does not begin with wss://"),
    }
}

fn is_this_machine(host: &str) -> bool {
    let host = host.trim_end_matches('/');
    let name = match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((name, _)) => name,
        None => host.split(':').next().unwrap_or_default(),
    };
    name == "localhost" || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// The certificates of a PEM text, as DER.
pub fn certificates(pem: &str) -> Result<Vec<Vec<u8>>, FarError> {
    let read = CertificateDer::pem_slice_iter(pem.as_bytes());
    let read = read.map(|certificate| certificate.map(|certificate| certificate.to_vec()));
    read.collect::<Result<_, _>>().map_err(|_| FarError::Refused("this is no certificate in PEM".to_owned()))
}

/// The provider is named, because two of them are compiled in and neither is the
/// default then.
fn trusting(roots: &[Vec<u8>]) -> Result<rustls::ClientConfig, FarError> {
    let refused = |error: rustls::Error| FarError::Refused(format!("a certificate cannot be used: {error}"));
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let extra = roots.iter().cloned().map(CertificateDer::from);
    let verifier = Verifier::new_with_extra_roots(extra, Arc::clone(&provider)).map_err(refused)?;
    let builder = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(refused)?;
    // It verifies as the system does; "dangerous" is any verifier but the plain one.
    Ok(builder.dangerous().with_custom_certificate_verifier(Arc::new(verifier)).with_no_client_auth())
}

/// The servers inside this process. A handle's clone is a session of its own, so
/// the first handle of each is kept and nobody ever signs in on it.
static NEAR: LazyLock<Mutex<HashMap<String, Surreal<Any>>>> = LazyLock::new(Mutex::default);

async fn near(name: &str) -> Result<Surreal<Any>, FarError> {
    let known = || NEAR.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(db) = known().get(name) {
        return Ok(db.clone());
    }
    let operator = Root { username: NEAR_OPERATOR.to_owned(), password: NEAR_OPERATOR.to_owned() };
    let db = surrealdb::engine::any::connect(("mem://", Config::new().user(operator)))
        .await
        .map_err(|error| explain_far(&error))?;
    Ok(known().entry(name.to_owned()).or_insert(db).clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_encrypted_address_leaves_this_machine() {
        for good in ["wss://team.example", "wss://team.example:8000", "wss://10.0.0.1"] {
            assert_eq!(encrypted(good), Ok(true), "{good}");
        }
        for near in ["ws://localhost:8000", "ws://127.0.0.1:1", "ws://[::1]:8000/"] {
            assert_eq!(encrypted(near), Ok(false), "{near}");
        }
        for bad in [
            "ws://team.example",
            "ws://10.0.0.1",
            "ws://localhost.example",
            "ws://127.0.0.1.example",
            "http://localhost",
            "wss://",
            "surrealkv://folder",
            "wss://team.example/t_x#C0DE",
            "wss://root:C0DE@team.example",
        ] {
            let refused = encrypted(bad).unwrap_err().to_string();
            assert!(!refused.contains("C0DE") && !refused.contains("example"), "{refused}");
        }
    }

    #[test]
    fn a_certificate_that_is_none_is_told() {
        assert!(matches!(trusting(&[vec![1, 2, 3]]), Err(FarError::Refused(_))));
    }
}

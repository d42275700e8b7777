//! Certificates for a server on this machine: a good one, and each kind that
//! nobody may take for it. They live in memory; a server writes what it shows.

use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair, date_time_ymd};

/// What is wrong with a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// Signed by somebody whom nobody trusts.
    Stranger,
    /// By nobody but itself.
    SelfSigned,
    Expired,
    /// For another machine.
    OtherName,
}

impl Flaw {
    pub const ALL: [Self; 4] = [Self::Stranger, Self::SelfSigned, Self::Expired, Self::OtherName];
}

/// What a server shows, and the key for it, both as PEM.
#[derive(Clone)]
pub struct Leaf {
    pub certificate: String,
    pub key: String,
}

/// Whoever trusts it trusts the leaves it signs.
pub struct Authority {
    /// Its certificate as PEM: what members are given.
    pub certificate: String,
    issuer: Issuer<'static, KeyPair>,
}

impl Authority {
    pub fn new() -> Self {
        let mut params = CertificateParams::new([]).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.distinguished_name.push(DnType::CommonName, "a team of tests");
        let key = KeyPair::generate().unwrap();
        let certificate = params.self_signed(&key).unwrap().pem();
        Self { certificate, issuer: Issuer::new(params, key) }
    }

    /// For `localhost` and 127.0.0.1.
    pub fn good(&self) -> Leaf {
        self.sign(&here())
    }

    pub fn flawed(&self, flaw: Flaw) -> Leaf {
        match flaw {
            Flaw::Stranger => Self::new().good(),
            Flaw::SelfSigned => {
                let key = KeyPair::generate().unwrap();
                let certificate = here().self_signed(&key).unwrap().pem();
                Leaf { certificate, key: key.serialize_pem() }
            }
            Flaw::Expired => {
                let mut params = here();
                (params.not_before, params.not_after) =
                    (date_time_ymd(2020, 1, 1), date_time_ymd(2021, 1, 1));
                self.sign(&params)
            }
            Flaw::OtherName => self.sign(&CertificateParams::new(["elsewhere.example".to_owned()]).unwrap()),
        }
    }

    fn sign(&self, params: &CertificateParams) -> Leaf {
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.issuer).unwrap().pem();
        Leaf { certificate, key: key.serialize_pem() }
    }
}

fn here() -> CertificateParams {
    CertificateParams::new(["localhost".to_owned(), "127.0.0.1".to_owned()]).unwrap()
}

//! An embedder somewhere else: any server that speaks OpenAI's form of
//! embeddings, or Ollama's.
//!
//! It knows addresses and answers, not models: how long the vectors are it
//! learns from the first answer, unless it was told.

use crate::scale::Scale;
use crate::web::{Web, WebError};
use engram_core::port::{EmbedError, Embedder, Pending, Purpose};
use engram_core::unit::Similarity;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::sync::{Arc, OnceLock};

/// Texts of one request; servers have different limits, none below this.
const TOGETHER: usize = 64;
/// Characters of a text that are sent. Some servers refuse a text that is too
/// long for their model, and with it all others of the request.
const LONGEST_TEXT: usize = 8_000;
/// An answer larger than this is not vectors.
const LARGEST_ANSWER: u64 = 64 << 20;
/// How much of a refusal is repeated.
const LONGEST_REASON: usize = 200;

/// What the server speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// `POST {base}/embeddings`
    OpenAi,
    /// `POST {base}/api/embed`
    Ollama,
}

/// What has to be known of an endpoint.
#[derive(Clone)]
pub struct EndpointSpec {
    pub dialect: Dialect,
    /// Such as `https://api.openai.com/v1` or `http://localhost:11434`.
    pub base: String,
    pub model: String,
    pub key: Option<String>,
    /// None: as many as the first answer has.
    pub dimensions: Option<usize>,
    /// What the model wants before a query and before a document.
    pub query_prefix: String,
    pub document_prefix: String,
    pub scale: Scale,
}

/// The ways to an endpoint: somebody waits for the answer to a question, and
/// nobody for the vectors of what is kept.
#[derive(Clone)]
pub struct Ways {
    pub questions: Web,
    pub documents: Web,
}

/// Why a server cannot be asked, before anybody tries.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadEndpoint {
    #[error("it has no address")]
    NoAddress,
    #[error("\"{0}\" does not begin with http:// or https://")]
    Address(String),
    #[error("its address has a name or a password in it; a key has a place of its own")]
    Credentials,
    #[error("it has no model")]
    NoModel,
}

impl EndpointSpec {
    pub fn check(&self) -> Result<(), BadEndpoint> {
        check_address(&self.base)?;
        if self.model.is_empty() { Err(BadEndpoint::NoModel) } else { Ok(()) }
    }

    /// Whatever makes other vectors of the same text is another embedder.
    fn id(&self) -> String {
        let dialect = match self.dialect {
            Dialect::OpenAi => "openai",
            Dialect::Ollama => "ollama",
        };
        let id = format!("{dialect}:{}@{}", self.model, place_of(&self.base).unwrap_or(&self.base));
        if self.document_prefix.is_empty() {
            return id;
        }
        let mark = Sha256::digest(&self.document_prefix);
        mark.iter().take(4).fold(id + "#", |id, byte| format!("{id}{byte:02x}"))
    }
}

pub(crate) fn check_address(base: &str) -> Result<(), BadEndpoint> {
    if base.is_empty() {
        return Err(BadEndpoint::NoAddress);
    }
    let place = place_of(base).ok_or_else(|| BadEndpoint::Address(base.to_owned()))?;
    if place.split('/').next().is_none_or(|host| host.contains('@')) {
        return Err(BadEndpoint::Credentials);
    }
    Ok(())
}

/// Where it is: the address without how to get there.
pub(crate) fn place_of(base: &str) -> Option<&str> {
    let base = base.trim_end_matches('/');
    let place = base.strip_prefix("https://").or_else(|| base.strip_prefix("http://"));
    place.filter(|place| !place.is_empty())
}

#[derive(Clone)]
pub struct Endpoint {
    inner: Arc<Inner>,
}

struct Inner {
    id: String,
    address: String,
    spec: EndpointSpec,
    ways: Ways,
    learned: OnceLock<usize>,
}

#[derive(Debug, thiserror::Error)]
enum EndpointError {
    #[error(transparent)]
    Web(#[from] WebError),
    #[error("{address} does not accept the key ({status})")]
    Key { address: String, status: u16 },
    #[error("{address} answered {status}: {reason}")]
    Refused { address: String, status: u16, reason: String },
    #[error("{address} answered something that is not {count} vectors: {problem}")]
    Shape { address: String, count: usize, problem: &'static str },
    #[error("{address} answered vectors of {found} numbers, not {expected}")]
    Dimensions { address: String, found: usize, expected: usize },
}

impl Endpoint {
    pub fn new(spec: EndpointSpec, ways: Ways) -> Self {
        let path = match spec.dialect {
            Dialect::OpenAi => "/embeddings",
            Dialect::Ollama => "/api/embed",
        };
        let address = format!("{}{path}", spec.base.trim_end_matches('/'));
        Endpoint { inner: Arc::new(Inner { id: spec.id(), address, spec, ways, learned: OnceLock::new() }) }
    }

    /// As the port's `embed`, on this thread.
    pub fn embed_here(&self, purpose: Purpose, texts: &[String]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let mut vectors = Vec::with_capacity(texts.len());
        for texts in texts.chunks(TOGETHER) {
            let answer = self.inner.ask(purpose, texts);
            vectors.extend(answer.map_err(|problem| self.failed(problem.to_string()))?);
        }
        Ok(vectors)
    }

    fn failed(&self, problem: String) -> EmbedError {
        EmbedError { embedder: self.inner.id.clone(), problem }
    }
}

impl Inner {
    fn ask(&self, purpose: Purpose, texts: &[String]) -> Result<Vec<Vec<f32>>, EndpointError> {
        let (prefix, web) = match purpose {
            Purpose::Query => (&self.spec.query_prefix, &self.ways.questions),
            Purpose::Document => (&self.spec.document_prefix, &self.ways.documents),
        };
        let cut = |text: &String| text.chars().take(LONGEST_TEXT).collect::<String>();
        let input: Vec<String> = texts.iter().map(|text| format!("{prefix}{}", cut(text))).collect();
        let question = json!({"model": self.spec.model, "input": input}).to_string();
        let mut response = web.post(&self.address, self.spec.key.as_deref(), &question)?;
        let address = || self.address.clone();
        let status = response.status().as_u16();
        let body = response.body_mut().with_config().limit(LARGEST_ANSWER).read_to_string();
        let body = body.map_err(|error| crate::web::why(&self.address, error))?;
        match status {
            200 => {}
            401 | 403 => return Err(EndpointError::Key { address: address(), status }),
            _ => return Err(EndpointError::Refused { address: address(), status, reason: reason(&body) }),
        }
        let misshapen = |problem| EndpointError::Shape { address: address(), count: texts.len(), problem };
        let mut vectors = self.vectors(&body, texts.len()).map_err(misshapen)?;
        for vector in &mut vectors {
            let expected = *self.learned.get_or_init(|| self.spec.dimensions.unwrap_or(vector.len()));
            if vector.len() != expected {
                let found = vector.len();
                return Err(EndpointError::Dimensions { address: address(), found, expected });
            }
            let length = vector.iter().map(|number| number * number).sum::<f32>().sqrt();
            if !length.is_normal() {
                return Err(misshapen("a vector has no length"));
            }
            vector.iter_mut().for_each(|number| *number /= length);
        }
        Ok(vectors)
    }

    /// The vectors of an answer in the order of their texts.
    fn vectors(&self, body: &str, count: usize) -> Result<Vec<Vec<f32>>, &'static str> {
        let answer: Value = serde_json::from_str(body).map_err(|_| "it is no JSON")?;
        let mut vectors = vec![Vec::new(); count];
        let key = if self.spec.dialect == Dialect::OpenAi { "data" } else { "embeddings" };
        let rows = answer[key].as_array().ok_or("there is no list of vectors")?;
        for (at, row) in rows.iter().enumerate() {
            let (place, numbers) = match self.spec.dialect {
                Dialect::Ollama => (Some(at), row),
                Dialect::OpenAi => {
                    let index = row["index"].as_u64().map_or(Some(at), |index| usize::try_from(index).ok());
                    (index, &row["embedding"])
                }
            };
            let place = place.and_then(|place| vectors.get_mut(place)).ok_or("there are too many vectors")?;
            let numbers = numbers.as_array().ok_or("a vector is no list of numbers")?;
            let numbers = numbers.iter().map(|number| number.as_f64().map(|number| number as f32));
            *place = numbers.collect::<Option<_>>().ok_or("a vector is no list of numbers")?;
        }
        if vectors.iter().any(Vec::is_empty) {
            return Err("a vector is missing");
        }
        Ok(vectors)
    }
}

/// What a server says went wrong, in one short line.
pub(crate) fn reason(body: &str) -> String {
    let said: Option<Value> = serde_json::from_str(body).ok();
    let said = said.as_ref().and_then(|said| {
        said["error"]["message"].as_str().or(said["error"].as_str()).or(said["message"].as_str())
    });
    let line = said.unwrap_or(body).split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(LONGEST_REASON).collect()
}

impl Embedder for Endpoint {
    fn id(&self) -> &str {
        &self.inner.id
    }

    fn dimensions(&self) -> usize {
        self.inner.spec.dimensions.or(self.inner.learned.get().copied()).unwrap_or(0)
    }

    fn embed(&self, purpose: Purpose, texts: Vec<String>) -> Pending<'_, Result<Vec<Vec<f32>>, EmbedError>> {
        let this = self.clone();
        Box::pin(async move {
            let work = tokio::task::spawn_blocking(move || this.embed_here(purpose, &texts));
            work.await.unwrap_or_else(|stopped| Err(self.failed(stopped.to_string())))
        })
    }

    fn similarity(&self, cosine: f32) -> Similarity {
        self.inner.spec.scale.similarity(cosine)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::testing::{Answer, serve};
    use std::time::Duration;

    fn spec(dialect: Dialect, base: &str, dimensions: Option<usize>) -> EndpointSpec {
        EndpointSpec {
            dialect,
            base: base.to_owned(),
            model: "small".to_owned(),
            key: Some("secret".to_owned()),
            dimensions,
            query_prefix: "query: ".to_owned(),
            document_prefix: String::new(),
            scale: Scale::UNKNOWN,
        }
    }

    fn endpoint(dialect: Dialect, base: &str, dimensions: Option<usize>) -> Endpoint {
        let web = Web::new(Duration::from_millis(500), None).unwrap();
        Endpoint::new(spec(dialect, base, dimensions), Ways { questions: web.clone(), documents: web })
    }

    #[test]
    fn what_makes_other_vectors_has_another_name() {
        let spec = spec(Dialect::OpenAi, "https://api.example.com/v1/", None);
        assert_eq!(spec.id(), "openai:small@api.example.com/v1");
        let asked = EndpointSpec { query_prefix: "q: ".to_owned(), ..spec.clone() };
        assert_eq!(asked.id(), spec.id());
        let kept = EndpointSpec { document_prefix: "passage: ".to_owned(), ..spec.clone() };
        assert!(kept.id().starts_with("openai:small@api.example.com/v1#"), "{}", kept.id());
        let other = EndpointSpec { dialect: Dialect::Ollama, model: "large".to_owned(), ..spec };
        assert_eq!(other.id(), "ollama:large@api.example.com/v1");
    }

    #[test]
    fn what_cannot_be_asked_is_known_before() {
        let check = |base: &str| spec(Dialect::OpenAi, base, None).check();
        assert_eq!(check("http://localhost:11434"), Ok(()));
        assert_eq!(check(""), Err(BadEndpoint::NoAddress));
        assert!(matches!(check("localhost:11434"), Err(BadEndpoint::Address(_))));
        assert!(matches!(check("https://"), Err(BadEndpoint::Address(_))));
        assert_eq!(check("https://me:secret@example.com"), Err(BadEndpoint::Credentials));
        let nameless = EndpointSpec { model: String::new(), ..spec(Dialect::OpenAi, "http://x", None) };
        assert_eq!(nameless.check(), Err(BadEndpoint::NoModel));
    }

    fn ask(endpoint: &Endpoint) -> Result<Vec<Vec<f32>>, String> {
        let texts = ["one".to_owned(), "two".to_owned()];
        endpoint.embed_here(Purpose::Query, &texts).map_err(|error| error.to_string())
    }

    #[test]
    fn openai_answers_are_put_in_the_order_of_their_texts() {
        let body = r#"{"data": [{"index": 1, "embedding": [0, 2]}, {"index": 0, "embedding": [3, 4]}]}"#;
        let server = serve(vec![Answer::json(200, body)]);
        let endpoint = endpoint(Dialect::OpenAi, &format!("{}/v1/", server.base), None);
        assert_eq!(endpoint.dimensions(), 0);
        assert_eq!(ask(&endpoint).unwrap(), [[0.6, 0.8], [0.0, 1.0]]);
        assert_eq!(endpoint.dimensions(), 2);
        let heard = server.requests().remove(0);
        assert!(heard.starts_with("POST /v1/embeddings "), "{heard}");
        assert!(heard.to_lowercase().contains("authorization: bearer secret"), "{heard}");
        assert!(heard.ends_with(r#"{"model":"small","input":["query: one","query: two"]}"#), "{heard}");
    }

    #[test]
    fn ollama_answers_come_in_order() {
        let server = serve(vec![Answer::json(200, r#"{"embeddings": [[1, 0], [0, 5]]}"#)]);
        let endpoint = endpoint(Dialect::Ollama, &server.base, Some(2));
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let texts = vec!["one".to_owned(), "two".to_owned()];
        let vectors = runtime.block_on(endpoint.embed(Purpose::Document, texts)).unwrap();
        assert_eq!(vectors, [[1.0, 0.0], [0.0, 1.0]]);
        let heard = server.requests().remove(0);
        assert!(heard.starts_with("POST /api/embed "), "{heard}");
        assert!(heard.ends_with(r#"{"model":"small","input":["one","two"]}"#), "{heard}");
    }

    #[test]
    fn many_texts_are_several_requests() {
        let answer = |count: usize| {
            Answer::json(200, &format!(r#"{{"embeddings": [{}]}}"#, vec!["[1, 0]"; count].join(", ")))
        };
        let server = serve(vec![answer(64), answer(6)]);
        let endpoint = endpoint(Dialect::Ollama, &server.base, None);
        let texts: Vec<String> = (0..70).map(|number| number.to_string()).collect();
        assert_eq!(endpoint.embed_here(Purpose::Query, &texts).unwrap().len(), 70);
        assert!(server.requests().remove(1).contains("\"query: 64\",\"query: 65\""));
    }

    #[test]
    fn a_long_text_is_cut() {
        let server = serve(vec![Answer::json(200, r#"{"embeddings": [[1, 0]]}"#)]);
        let endpoint = endpoint(Dialect::Ollama, &server.base, None);
        endpoint.embed_here(Purpose::Document, &["ğ".repeat(LONGEST_TEXT + 1)]).unwrap();
        assert_eq!(server.requests().remove(0).matches('ğ').count(), LONGEST_TEXT);
    }

    #[test]
    fn no_texts_ask_nobody() {
        let nobody = endpoint(Dialect::Ollama, "http://127.0.0.1:1", None);
        assert!(nobody.embed_here(Purpose::Query, &[]).unwrap().is_empty());
    }

    #[test]
    fn what_went_wrong_is_said() {
        let check = |answer: Answer, expected: &str| {
            let server = serve(vec![answer]);
            let problem = ask(&endpoint(Dialect::OpenAi, &server.base, Some(2))).unwrap_err();
            assert!(problem.contains(expected), "{problem}");
        };
        check(Answer::json(401, "{}"), "does not accept the key (401)");
        check(
            Answer::json(404, r#"{"error": {"message": "no model small"}}"#),
            "answered 404: no model small",
        );
        check(Answer::json(500, "oh\nno"), "answered 500: oh no");
        check(Answer::json(200, "<html>"), "it is no JSON");
        check(Answer::json(200, r#"{"data": 1}"#), "no list of vectors");
        check(Answer::json(200, r#"{"data": [{"embedding": [1, 2]}]}"#), "a vector is missing");
        let too_many = r#"{"data": [{"embedding": [1]}, {"embedding": [1]}, {"embedding": [1]}]}"#;
        check(Answer::json(200, too_many), "too many vectors");
        let long = r#"{"data": [{"embedding": [1, 2, 3]}, {"embedding": [1, 2, 3]}]}"#;
        check(Answer::json(200, long), "vectors of 3 numbers, not 2");
        check(Answer::json(200, r#"{"data": [{"embedding": [0, 0]}, {"embedding": [1, 2]}]}"#), "no length");
        check(Answer::Silence, "did not answer in time");
    }

    #[test]
    fn a_server_that_is_not_there_cannot_be_reached() {
        let problem = ask(&endpoint(Dialect::OpenAi, "http://127.0.0.1:1", None)).unwrap_err();
        assert!(problem.contains("cannot be reached"), "{problem}");
        let problem = ask(&endpoint(Dialect::OpenAi, "not an address", None)).unwrap_err();
        assert!(problem.contains("is not an address"), "{problem}");
    }
}

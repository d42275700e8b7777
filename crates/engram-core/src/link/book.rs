//! The known things, found by whatever name they are called.
//!
//! A book is made from what is kept and changed with it. Looking up a name
//! takes the same time in a book of ten and of ten thousand; looking for names
//! that are like one compares a bounded number of them. What becomes of a
//! thing that was found is decided elsewhere.

use super::entity::{ALIKE, KnownEntity, base_of, family_of, key_of, may_be_alike};
use super::name::{name_likeness, runs_of};
use crate::Similarity;
use crate::id::EntityId;
use crate::observe::{Entity, EntityKind};
use std::collections::{BTreeSet, HashMap};
use std::hash::Hash;

/// Names that are compared with one at most, those first that share the most
/// runs of letters with it.
const MOST_COMPARED: usize = 24;

/// Letters in a run. Three are rare enough that few names share one by chance.
const RUN: usize = 3;

/// A shorter word is too often another.
const SHORTEST_NAME: usize = 3;

/// Kinds whose names are said in running text; a path or a symbol is seen by its
/// shape wherever it stands.
const OWN_NAMES: &[EntityKind] = &[
    EntityKind::Tool,
    EntityKind::Service,
    EntityKind::Package,
    EntityKind::Person,
    EntityKind::Organisation,
];

/// Every known thing, by name, by other spelling and by the end of its path.
#[derive(Debug, Clone, Default)]
pub struct EntityBook {
    entities: HashMap<EntityId, KnownEntity>,
    /// Other spellings, each under the identifier that it would have if it
    /// were the name of a thing of its own.
    spellings: HashMap<EntityId, BTreeSet<EntityId>>,
    /// Paths, by the name of the file at their end.
    bases: HashMap<String, BTreeSet<EntityId>>,
    /// Names, by each run of their letters and by their first letter.
    runs: HashMap<(EntityKind, String), BTreeSet<EntityId>>,
}

impl EntityBook {
    pub fn new(entities: impl IntoIterator<Item = KnownEntity>) -> Self {
        let mut book = Self::default();
        entities.into_iter().for_each(|entity| book.put(entity));
        book
    }

    /// Takes the thing in, in the place of what was known of it.
    pub fn put(&mut self, entity: KnownEntity) {
        self.remove(entity.id);
        for spelling in entity.spellings() {
            self.spellings.entry(spelling).or_default().insert(entity.id);
        }
        if let Some(base) = base_of(entity.kind, &entity.name) {
            self.bases.entry(base.to_owned()).or_default().insert(entity.id);
        }
        for run in runs_under(&entity) {
            self.runs.entry(run).or_default().insert(entity.id);
        }
        self.entities.insert(entity.id, entity);
    }

    pub fn remove(&mut self, id: EntityId) -> Option<KnownEntity> {
        let entity = self.entities.remove(&id)?;
        for spelling in entity.spellings() {
            strike(&mut self.spellings, &spelling, id);
        }
        if let Some(base) = base_of(entity.kind, &entity.name) {
            strike(&mut self.bases, base, id);
        }
        for run in runs_under(&entity) {
            strike(&mut self.runs, &run, id);
        }
        Some(entity)
    }

    /// Every thing, in no particular order.
    pub fn all(&self) -> impl Iterator<Item = &KnownEntity> {
        self.entities.values()
    }

    pub fn get(&self, id: EntityId) -> Option<&KnownEntity> {
        self.entities.get(&id)
    }

    /// The thing of this kind that is called so. Its own name comes first,
    /// then a path's last name and another spelling, if only one thing has it.
    pub fn named(&self, kind: EntityKind, name: &str) -> Option<&KnownEntity> {
        let id = EntityId::of(kind, name);
        self.get(id)
            .or_else(|| self.get(only(self.ending_in(kind, name))?))
            .or_else(|| self.get(only(self.spelt(id))?))
    }

    /// The things with a name of their own that a text calls by one word of it,
    /// each with that word.
    pub fn called_in<'t>(&self, text: &'t str) -> Vec<(&KnownEntity, &'t str)> {
        let mut called: Vec<(&KnownEntity, &str)> = Vec::new();
        let in_name = |mark: char| mark.is_alphanumeric() || matches!(mark, '-' | '_' | '.');
        for word in text.split(|mark| !in_name(mark)) {
            let word = word.trim_matches(|mark: char| !mark.is_alphanumeric());
            if word.chars().count() < SHORTEST_NAME {
                continue;
            }
            for kind in OWN_NAMES {
                if let Some(entity) = self.named(*kind, word)
                    && !called.iter().any(|(known, _)| known.id == entity.id)
                {
                    called.push((entity, word));
                }
            }
        }
        called
    }

    /// What a text names by the very spelling it is known by, where that is no
    /// ordinary word: Redis, and not make.
    pub fn spelt_in(&self, text: &str) -> Vec<Entity> {
        let distinct = |word: &str| word.chars().any(|mark| !mark.is_lowercase());
        let known =
            |entity: &KnownEntity, word: &str| entity.written == word || entity.aliases.contains(word);
        let called = self.called_in(text).into_iter();
        let spelt = called.filter(|(entity, word)| distinct(word) && known(entity, word));
        spelt
            .map(|(entity, word)| Entity {
                kind: entity.kind,
                name: entity.name.clone(),
                written: word.to_owned(),
                version: None,
            })
            .collect()
    }

    /// The things of this kind whose names are like this one without being it,
    /// the likest first. Files, symbols, packages and hosts have none: there a
    /// letter makes another thing.
    pub fn near(&self, kind: EntityKind, name: &str) -> Vec<(EntityId, Similarity)> {
        if !may_be_alike(kind) {
            return Vec::new();
        }
        let (family, key) = (family_of(kind), key_of(kind, name));
        let mut shared: HashMap<EntityId, usize> = HashMap::new();
        for run in runs_of(&key, RUN) {
            for id in self.runs.get(&(family, run)).into_iter().flatten() {
                *shared.entry(*id).or_default() += 1;
            }
        }
        let mut candidates: Vec<(EntityId, usize)> = shared.into_iter().collect();
        candidates.sort_by_key(|(id, shared)| (std::cmp::Reverse(*shared), *id));
        let mut near: Vec<(EntityId, Similarity)> = candidates
            .into_iter()
            .take(MOST_COMPARED)
            .filter_map(|(id, _)| {
                let other = self.get(id).filter(|other| other.name != key)?;
                let likeness = name_likeness(&key, &other.name);
                (likeness.get() >= ALIKE).then_some((id, likeness))
            })
            .collect();
        near.sort_by_key(|(id, likeness)| (std::cmp::Reverse(*likeness), *id));
        near
    }

    /// The known paths that end in this name, if it is the bare name of a file.
    pub(super) fn ending_in(&self, kind: EntityKind, name: &str) -> impl Iterator<Item = EntityId> {
        let paths = (kind == EntityKind::File).then(|| self.bases.get(&key_of(kind, name))).flatten();
        paths.into_iter().flatten().copied()
    }

    /// The things that have the name with this identifier as another spelling.
    pub(super) fn spelt(&self, name: EntityId) -> impl Iterator<Item = EntityId> {
        self.spellings.get(&name).into_iter().flatten().copied()
    }
}

/// The one of them, if there are not several.
pub(super) fn only(mut ids: impl Iterator<Item = EntityId>) -> Option<EntityId> {
    let first = ids.next()?;
    ids.all(|id| id == first).then_some(first)
}

fn runs_under(entity: &KnownEntity) -> Vec<(EntityKind, String)> {
    if !may_be_alike(entity.kind) {
        return Vec::new();
    }
    runs_of(&entity.name, RUN).into_iter().map(|run| (family_of(entity.kind), run)).collect()
}

/// Takes an identifier out of a list, and the list out of the book with its
/// last one.
fn strike<K, Q>(lists: &mut HashMap<K, BTreeSet<EntityId>>, key: &Q, id: EntityId)
where
    K: Hash + Eq + std::borrow::Borrow<Q>,
    Q: Hash + Eq + ?Sized,
{
    if let Some(list) = lists.get_mut(key) {
        list.remove(&id);
        if list.is_empty() {
            lists.remove(key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::entity::tests::known;
    use EntityKind::*;

    fn called<'b>(book: &'b EntityBook, kind: EntityKind, name: &str) -> &'b str {
        book.named(kind, name).map_or("-", |entity| &entity.name)
    }

    #[test]
    fn a_thing_is_found_by_its_name_and_by_its_other_spellings() {
        let mut cluster = known(Tool, "Kubernetes");
        cluster.aliases.insert("K8s".to_owned());
        let book = EntityBook::new([cluster, known(Package, "serde_json"), known(Person, "Ayşe")]);
        for (kind, name, expected) in [
            (Tool, "kubernetes", "kubernetes"),
            (Service, "KUBERNETES", "kubernetes"),
            (Tool, "k8s", "kubernetes"),
            (Package, "Serde-JSON", "serde-json"),
            (Person, "ayse", "ayse"),
            (Person, "kubernetes", "-"),
            (Organisation, "ayse", "-"),
        ] {
            assert_eq!(called(&book, kind, name), expected, "{kind} {name}");
        }
    }

    #[test]
    fn what_is_known_is_seen_where_a_text_spells_it_so() {
        let redis = KnownEntity { written: "Redis".to_owned(), ..known(Tool, "Redis") };
        let make = KnownEntity { written: "make".to_owned(), ..known(Tool, "make") };
        let book = EntityBook::new([redis, make]);
        let spelt = |text: &str| -> Vec<String> {
            book.spelt_in(text).into_iter().map(|entity| entity.written).collect()
        };
        assert_eq!(spelt("Redis, we make sure, is backed up."), ["Redis"]);
        assert_eq!(spelt("Make sure that redis is up."), Vec::<String>::new(), "other spellings say less");
        let called: Vec<&str> = book.called_in("what about redis?").iter().map(|(_, word)| *word).collect();
        assert_eq!(called, ["redis"], "whoever asks may spell it as he likes");
    }

    #[test]
    fn a_bare_file_name_finds_a_path_while_only_one_ends_in_it() {
        let mut book = EntityBook::new([known(File, "src/a/b.rs")]);
        assert_eq!(called(&book, File, "b.rs"), "src/a/b.rs");
        assert_eq!(called(&book, File, "a/b.rs"), "-");
        assert_eq!(called(&book, File, "B.rs"), "-");
        book.put(known(File, "src/c/b.rs"));
        assert_eq!(called(&book, File, "b.rs"), "-");
        book.put(known(File, "b.rs"));
        assert_eq!(called(&book, File, "b.rs"), "b.rs");
        book.remove(EntityId::of(File, "b.rs"));
        book.remove(EntityId::of(File, "src/a/b.rs"));
        assert_eq!(called(&book, File, "b.rs"), "src/c/b.rs");
    }

    #[test]
    fn what_two_things_are_called_finds_neither() {
        let (mut one, mut other) = (known(Person, "Ada"), known(Person, "Adam"));
        one.aliases.insert("ad".to_owned());
        other.aliases.insert("ad".to_owned());
        let mut book = EntityBook::new([one, other.clone()]);
        assert_eq!(called(&book, Person, "ad"), "-");
        book.remove(other.id);
        assert_eq!(called(&book, Person, "ad"), "ada");
    }

    #[test]
    fn what_is_taken_out_leaves_nothing_behind() {
        let mut path = known(File, "src/a/b.rs");
        path.aliases.insert("old.rs".to_owned());
        let all = [path, known(Tool, "postgres"), known(Service, "grafana")];
        let mut book = EntityBook::new(all.clone());
        for entity in all {
            assert_eq!(book.remove(entity.id), Some(entity));
        }
        assert!(book.entities.is_empty() && book.spellings.is_empty());
        assert!(book.bases.is_empty() && book.runs.is_empty());
    }

    #[test]
    fn near_names_are_of_one_kind_and_not_the_name_itself() {
        let book = EntityBook::new([
            known(Tool, "postgres"),
            known(Tool, "redis"),
            known(Person, "postgresql"),
            known(Package, "postgresq"),
        ]);
        let near = |kind, name: &str| {
            let found = book.near(kind, name).into_iter().filter_map(|(id, _)| book.get(id));
            found.map(|entity| entity.name.as_str()).collect::<Vec<_>>()
        };
        assert_eq!(near(Service, "postgresql"), ["postgres"]);
        assert_eq!(near(Tool, "postgres"), [""; 0]);
        assert_eq!(near(Tool, "redux"), [""; 0]);
        assert_eq!(near(Package, "postgres"), [""; 0]);
    }

    #[test]
    fn among_thousands_the_near_one_is_still_among_those_compared() {
        let many = (0..5_000).map(|number| {
            let letters: String = format!("{number:04}").bytes().map(|digit| (digit + 49) as char).collect();
            known(Tool, &format!("post{letters}"))
        });
        let book = EntityBook::new(many.chain([known(Tool, "postgres")]));
        assert_eq!(book.near(Tool, "postgresql")[0].0, EntityId::of(Tool, "postgres"));
    }
}

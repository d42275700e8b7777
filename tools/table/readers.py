"""From the bytes of one file to blocks of running text, one reader for each format.

A reader returns a list of strings; passages.py cleans them and cuts them. A
block that begins with WHOLE is one passage already and is not cut into
sentences. This module knows formats only: it opens no file and no package.
"""
import html
import json
import re
import struct
import zlib
from html.parser import HTMLParser

WHOLE = "\x01"


def decoded(data):
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def paragraphs(text):
    return re.split(r"\n[ \t]*\n", text)


class Prose(HTMLParser):
    """Keeps the text between tags, without code, tables and navigation. It reads HTML, DocBook and Mallard."""

    SKIPPED = {
        "script", "style", "pre", "table", "nav", "head", "header", "footer", "svg", "math", "screen",
        "programlisting", "synopsis", "code-block", "title", "select", "button", "form", "info",
    }  # fmt: skip
    BREAKING = {
        "p", "div", "li", "dd", "dt", "h1", "h2", "h3", "h4", "h5", "h6", "br", "section", "item", "blockquote",
        "td", "tr", "ul", "ol", "dl", "page", "steps", "note", "body", "hr", "article", "main", "para", "desc",
    }  # fmt: skip

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.parts = []
        self.inside = []

    def handle_starttag(self, tag, attrs):
        if tag in self.SKIPPED:
            self.inside.append(tag)
        elif tag in self.BREAKING:
            self.parts.append("\n\n")

    def handle_startendtag(self, tag, attrs):
        if tag in self.BREAKING:
            self.parts.append("\n\n")

    def handle_endtag(self, tag):
        if tag in self.SKIPPED:
            if tag in self.inside:
                while self.inside.pop() != tag:
                    pass
        elif tag in self.BREAKING:
            self.parts.append("\n\n")

    def handle_data(self, data):
        if not self.inside:
            self.parts.append(data)


def read_html(data):
    parser = Prose()
    try:
        parser.feed(decoded(data))
    except Exception:  # A page the parser cannot finish is used as far as it got.
        pass
    return paragraphs("".join(parser.parts))


def read_text(data):
    """Plain text, Markdown, reStructuredText or POD: paragraphs without code, tables and markup."""
    text = decoded(data).replace("\r", "")
    text = re.sub(r"(?ms)^[ \t]*(```|~~~).*?^[ \t]*\1[^\n]*$", "\n\n", text)
    text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
    text = re.sub(r"!\[[^\]]*\](\([^)]*\)|\[[^\]]*\])", "", text)
    text = re.sub(r"\[([^\]\n]*)\](\([^)\n]*\)|\[[^\]\n]*\])", r"\1", text)
    text = re.sub(r"(?m)^\[[^\]]+\]:.*$", "", text)
    text = re.sub(r":[a-z:-]+:`~?([^`<]*?)(?: *<[^`]*>)?`", r"\1", text)
    text = re.sub(r"`+([^`\n]*)`+_*", r"\1", text)
    text = re.sub(r"\*\*([^*\n]+)\*\*|__([^_\n]+)__", lambda m: m.group(1) or m.group(2), text)
    text = re.sub(r"(?<![\w*])\*([^*\n]+)\*(?![\w*])", r"\1", text)
    text = re.sub(r"</?[a-zA-Z][^>\n]*>", " ", text)
    text = re.sub(r"(?m)^\.\. .*$", "", text)
    text = re.sub(r"(?m)^[ \t]*[-=*~^#+_]{3,}[ \t]*$", "\n", text)
    text = re.sub(r"(?m)^[ \t]*#+[ \t]*(.*)$", r"\n\1\n", text)
    text = re.sub(r"(?m)^[ \t]*([-*+•]|\d+[.)])[ \t]+", "\n\n", text)
    text = re.sub(r"(?m)^[ \t]*>[ \t]?", "", text)
    return [block for block in paragraphs(text) if "|" not in block]


def read_lines(data):
    return decoded(data).splitlines()


def read_fortune(data):
    return re.split(r"(?m)^%+\s*$", decoded(data))


def strings_in(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from strings_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings_in(inner)


def read_json(data):
    try:
        return list(strings_in(json.loads(decoded(data))))
    except ValueError:
        return read_literals(data)


def read_json_translated(data):
    """JSON whose transliterations are left out."""
    return read_json(re.sub(r'"transliteration": ?"[^"]*"', '"x": ""', decoded(data)).encode())


LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"|\'((?:[^\'\\\n]|\\.)*)\'|`((?:[^`\\]|\\.)*)`')


def read_literals(data):
    """The string literals of a source file."""
    blocks = []
    for match in LITERAL.finditer(decoded(data)):
        text = match.group(1) or match.group(2) or match.group(3) or ""
        text = re.sub(r"\\u([0-9a-fA-F]{4})", lambda m: chr(int(m.group(1), 16)), text)
        blocks.append(re.sub(r"\\(['\"`/])", r"\1", text.replace("\\n", " ").replace("\\t", " ")))
    return blocks


def read_yaml(data):
    """Lists of sentences, one string an item."""
    return [re.sub(r"^[\s-]+|^[a-z_]+:\s*", "", line).strip().strip("'\"") for line in decoded(data).splitlines()]


def read_aiml(data):
    """The answers of a chat robot that do not point to other answers."""
    blocks = []
    for template in re.findall(r"(?s)<template>(.*?)</template>", decoded(data)):
        for answer in re.findall(r"(?s)<li>(.*?)</li>", template) or [template]:
            if "<srai" in answer or "<think" in answer:
                continue
            blocks.append(re.sub(r"<[^>]*>", " ", re.sub(r"<br\s*/?>", " ", answer)))
    return [html.unescape(block) for block in blocks]


MAN_VERBATIM_BEGINS = ("nf", "EX", "TS", "EQ", "Bd", "SY")
MAN_VERBATIM_ENDS = ("fi", "EE", "TE", "EN", "Ed", "YS")
MAN_FONTS = ("B", "I", "BR", "RB", "IR", "RI", "BI", "IB", "SM", "SB")
MDOC_INLINE = (
    "Nm", "Fl", "Ar", "Pa", "Xr", "Dv", "Fn", "Va", "Em", "Li", "Ql", "Dq", "Sq", "Vt", "Er", "Ev", "Cm", "Ic", "Sy",
)  # fmt: skip


def read_man(data):
    """The source of a manual page, in either of its two macro languages, without its verbatim parts."""
    blocks, current, verbatim = [], [], False

    def flush():
        if current:
            blocks.append(" ".join(current))
        current.clear()

    for line in decoded(data).split("\n"):
        if line.startswith(('.\\"', "'\\\"", "'\"")):
            continue
        request = re.match(r"^[.']\s*(\w*)\s*(.*)$", line)
        if request:
            name, rest = request.group(1), request.group(2)
            if name in MAN_VERBATIM_BEGINS:
                flush()
                verbatim = True
            elif name in MAN_VERBATIM_ENDS:
                verbatim = False
            elif name in MAN_FONTS:
                if not verbatim:
                    words = [word.strip('"') for word in re.findall(r'"[^"]*"|\S+', rest)]
                    current.append((" " if len(name) == 1 else "").join(words))
            elif name in MDOC_INLINE:
                if not verbatim:
                    current.append(re.sub(r" (?=[.,;:)]( |$))", "", rest))
            else:
                flush()
        elif not verbatim:
            if not line.strip():
                flush()
            elif line[0] in " \t":
                flush()
                current.append(line)
                flush()
            else:
                current.append(line)
    flush()
    return [text for text in map(without_man_escapes, blocks) if "\\" not in text]


def without_man_escapes(text):
    text = re.sub(r"\\f(\[[^\]]*\]|\(..|.)", "", text)
    text = re.sub(r"\\s[-+]?\d", "", text)
    text = re.sub(r"\\\(aq|\\\(cq|\\\[aq\]|\\\[cq\]", "'", text)
    text = re.sub(r"\\\((lq|rq|dq)|\\\[(lq|rq|dq)\]", '"', text)
    text = re.sub(r"\\\(em|\\\[em\]", " - ", text)
    text = re.sub(r"\\\(bu|\\\[bu\]", "", text)
    text = re.sub(r"\\(-|e(?!\w))", lambda m: "-" if m.group(1) == "-" else "\\", text)
    text = re.sub(r"\\[&|^%:/,c]", "", text)
    text = re.sub(r"\\[ ~0]", " ", text)
    return re.sub(r"\\'", "'", text)


def read_catalogue(data, translations=True):
    """A compiled gettext catalogue: originals and translations, without those that have places to fill in."""
    if data[:4] == b"\xde\x12\x04\x95":
        order = "<"
    elif data[:4] == b"\x95\x04\x12\xde":
        order = ">"
    else:
        return []
    count, originals_at, translations_at = struct.unpack(order + "3I", data[8:20])
    blocks = []
    for i in range(count):
        for table in (originals_at, translations_at) if translations else (originals_at,):
            length, start = struct.unpack(order + "2I", data[table + 8 * i : table + 8 * i + 8])
            text = data[start : start + length].decode("utf-8", "replace").split("\x04")[-1].split("\0")[0]
            if "Project-Id-Version" in text or len(text) < 25 or re.search(r"%\w|\{|\$\w", text):
                continue
            text = re.sub(r"<[^>]*>", "", text).replace("_", "").replace("\\n", " ")
            blocks += text.split("\n\n")
    return blocks


def read_catalogue_originals(data):
    """A compiled gettext catalogue: the English originals only."""
    return read_catalogue(data, translations=False)


def read_glosses(data):
    """A WordNet data file: the words, the definition and the examples of each entry."""
    blocks = []
    for line in decoded(data).splitlines():
        if line.startswith("  ") or " | " not in line:
            continue
        head, gloss = line.split(" | ", 1)
        fields = head.split()
        try:
            count = int(fields[3], 16)
        except (IndexError, ValueError):
            continue
        words = [re.sub(r"\(.*?\)", "", fields[4 + 2 * i]).replace("_", " ") for i in range(count)]
        definition = re.sub(r'[;:\s]*"[^"]*"', "", gloss).strip(" ;")
        blocks.append(WHOLE + "%s: %s" % (", ".join(words[:3]), definition))
        blocks += [WHOLE + example for example in re.findall(r'"([^"]+)"', gloss) if len(example.split()) >= 4]
    return blocks


def read_dictionary(data):
    """The body of a dictd database: the paragraphs of its entries."""
    text = decoded(data)
    text = re.sub(
        r"\[(?:1913 Webster|PJC|WordNet[^\]]*|Webster 1913[^\]]*|GG|[A-Z][\w. ]{0,20})(?: ?\+ ?[^\]]*)?\]", "\n\n", text
    )
    text = re.sub(r"[{}]", "", text)
    text = re.sub(r"\\[^\\\n]{1,60}\\", "", text)
    text = re.sub(r"(?m)^[ \t]*\(?\d+[.)]\)?[ \t]+", "\n\n", text)
    return paragraphs(text)


ZLIB_BEGINS = (b"x\x9c", b"x\xda", b"x\x01", b"x\x5e")


def read_r_data(data):
    """A lazy-load database of R: compressed serialised objects, of which all character strings are joined."""
    blocks, position = [], 0
    while True:
        found = (at for at in range(position, len(data) - 6) if data[at + 4 : at + 6] in ZLIB_BEGINS)
        start = next(found, None)
        if start is None:
            return blocks
        try:
            unpacker = zlib.decompressobj()
            raw = unpacker.decompress(data[start + 4 :])
            position = len(data) - len(unpacker.unused_data)
        except zlib.error:
            position = start + 1
            continue
        blocks += paragraphs("\n".join(r_strings(raw)))


def r_strings(raw):
    """A string of R is two bytes of flags (0 and 9), its length in four bytes, and itself."""
    strings, at = [], 0
    while True:
        at = raw.find(b"\x00\x09", at)
        if at < 0 or at + 6 > len(raw):
            return strings
        length = struct.unpack(">i", raw[at + 2 : at + 6])[0]
        if 0 <= length <= 20000 and at + 6 + length <= len(raw):
            strings.append(raw[at + 6 : at + 6 + length].decode("utf-8", "replace"))
            at += 6 + length
        else:
            at += 2


def read_grammar(data):
    """The rules of LanguageTool: example sentences with their errors corrected, and the advice."""
    text, blocks = decoded(data), []
    for attributes, example in re.findall(r"(?s)<example([^>]*)>(.*?)</example>", text):
        correction = re.search(r'correction="([^"|]*)', attributes)
        right = correction.group(1) if correction else ""
        example = re.sub(r"(?s)<marker>(.*?)</marker>", lambda m: right or m.group(1), example)
        blocks.append(WHOLE + html.unescape(re.sub(r"<[^>]+>", "", example)))
    for advice in re.findall(r"(?s)<message>(.*?)</message>", text):
        if "<match" not in advice and "\\" not in advice:
            blocks.append(html.unescape(re.sub(r"<[^>]+>", "", advice)))
    return blocks


def read_rust(data):
    """The documentation comments of a Rust source."""
    lines = re.finditer(r"(?m)^[ \t]*//[/!] ?(.*)$|^(?![ \t]*//[/!])()", decoded(data))
    return read_text("\n".join(m.group(1) for m in lines if m.group(1) is not None).encode())


def read_components(data):
    """AppStream metadata: English and Turkish summaries and descriptions."""
    entries, language, current = [], None, []
    wanted = ("C", "tr", "en")

    def flush():
        if current:
            entries.append(" ".join(current))
        current.clear()

    for line in decoded(data).splitlines():
        key = re.match(r"^\s{2,4}([A-Za-z_@-]{1,9}): ?(.*)$", line)
        if key:
            flush()
            language = key.group(1)
            if language in wanted:
                current.append(key.group(2))
        elif re.match(r"^\S", line):
            flush()
            language = None
        elif language in wanted:
            current.append(line.strip())
    blocks = []
    for entry in entries:
        entry = entry.strip().strip("'\">-").replace("''", "'")
        entry = re.sub(r"</?(p|li|ul|ol)>", "\n\n", entry)
        blocks += paragraphs(re.sub(r"<[^>]+>", "", entry))
    return blocks


def read_descriptions(data):
    """The package descriptions of a Debian index: the short line and the paragraphs under it."""
    blocks = []
    for description in re.findall(r"(?m)^Description-\w+: (.*\n(?: .*\n)*)", decoded(data)):
        lines = description.split("\n")
        body = []
        for line in lines[1:]:
            if line.strip() == ".":
                body.append("")
            elif re.match(r"^\s*[-*+o]\s", line) and line.startswith("  "):
                body += ["", re.sub(r"^\s*[-*+o]\s+", "", line)]
            else:
                body.append(line)
        blocks.append(lines[0])
        blocks += paragraphs("\n".join(body))
    return blocks


# The column `kind` of sources.tsv.
READERS = {
    "html": read_html,
    "txt": read_text,
    "lines": read_lines,
    "fortune": read_fortune,
    "json": read_json,
    "jsont": read_json_translated,
    "js": read_literals,
    "yaml": read_yaml,
    "aiml": read_aiml,
    "man": read_man,
    "mo": read_catalogue,
    "moid": read_catalogue_originals,
    "gloss": read_glosses,
    "dict": read_dictionary,
    "r": read_r_data,
    "grammar": read_grammar,
    "rs": read_rust,
    "dep11": read_components,
    "desc": read_descriptions,
}


def kind_of(name):
    """The kind of a file in a source whose kind is `auto`; None where it is not read."""
    for ending, kind in ((".md", "txt"), (".txt", "txt"), (".json", "json"), (".js", "js"), (".rs", "rs")):
        if name.lower().endswith(ending):
            return kind
    return None

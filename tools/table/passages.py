"""From blocks of text to clean passages of 4 to 80 words, English or Turkish.

Pure: the random numbers come in as an argument, so the same blocks always give
the same passages.
"""
import re

from readers import WHOLE

ADDRESS = re.compile(r"\b(?:https?|ftp|file)://\S+|\bwww\.\S+|<[^<>\s]+@[^<>\s]+>|\S+@\S+\.\w+")
NOTICE = re.compile(
    r"(?i)copyright|\(c\) ?\d{4}|all rights reserved|without warranty|warranties|redistribut|permission is hereby|"
    r"licen[cs]ed? under|general public license|this (?:package|file|program) (?:is part of|is free)|"
    r"this package (?:contains|provides|includes) (?:the )?(?:development|debug|static|shared|header)|"
    r"lorem ipsum|javascript is disabled|table of contents|project gutenberg"
)
SENTENCE_END = re.compile(r'(?<=[.!?])["\')\]”’]*\s+(?=["\'(\[“‘]?[A-Z0-9ÇĞİÖŞÜ])')
ABBREVIATION = re.compile(r"(?:\b(?:Mr|Mrs|Ms|Dr|St|e\.g|i\.e|etc|vs|cf|No|Prof|Jr|Sr|Fig|Sec|pp|[A-Z]))\.$")

ENGLISH = set(
    "the a an of to and in is are was were be for on with that this it as at by from or not you i he she they we his "
    "her my your what who how when where why do does did can will would if no there which has have had".split()
)
TURKISH = set(
    "ve bir bu için ile da de olarak olan daha gibi çok var ne değil kadar sonra her ya veya tüm en o ama".split()
)
OTHERS = set(
    "der und die das nicht ist ein eine mit auf für wird werden von zu den dem les des est une dans pour que qui sur "
    "pas avec sont el los las por para con una como del se es su che non il della di przez się nie jest na że".split()
)


def passages_of(blocks, random):
    """Yields (language, passage), each of one to four sentences that stood together."""
    for block in blocks:
        if not block or len(block) < 12:
            continue
        whole = block[0] == WHOLE
        block = cleaned(block.lstrip(WHOLE))
        if not block:
            continue
        rest = [block] if whole else sentences_of(block)
        i = 0
        while i < len(rest):
            wanted = random.choice((1, 1, 1, 2, 2, 3, 4))
            passage = rest[i]
            words = len(passage.split())
            i += 1
            while wanted > 1 and i < len(rest) and words + len(rest[i].split()) <= 80 and words < 60:
                passage += " " + rest[i]
                words += len(rest[i].split())
                i += 1
                wanted -= 1
            if is_prose(passage):
                language = language_of(passage)
                if language:
                    yield language, passage


def same_text_key(passage):
    """Equal for passages that differ in case, spaces and punctuation only."""
    return re.sub(r"\W+", "", passage.lower())


def cleaned(text):
    text = ADDRESS.sub("", text)
    text = text.replace("\u00ad", "").replace("\ufeff", "").replace("\u00a0", " ")
    text = text.replace("“", '"').replace("”", '"').replace("’", "'").replace("‘", "'")
    text = re.sub(r"``|''", '"', text)
    text = re.sub(r"\S\x08", "", text)
    text = re.sub(r"[\x00\x02-\x08\x0b-\x1f\x7f]", " ", text)
    text = re.sub(r"(\w)-\n\s*(?=[a-z])", r"\1-", text)
    text = re.sub(r"\(\s*\)|<\s*>", "", text)
    text = re.sub(r"\s+", " ", text).strip()
    text = re.sub(r" ([.,;:!?])(?= |$)", r"\1", text)
    return text.strip(" -*•>·|")


def sentences_of(text):
    sentences = []
    for part in SENTENCE_END.split(text):
        if sentences and ABBREVIATION.search(sentences[-1]):
            sentences[-1] += " " + part
        else:
            sentences.append(part)
    return sentences


def is_prose(text):
    """False for code, tables, headings, notices, lists of names and text in other alphabets."""
    words = text.split()
    if not 4 <= len(words) <= 80 or len(text) > 700 or max(map(len, words)) > 30:
        return False
    letters = sum(c.isalpha() for c in text)
    if letters < 0.78 * (len(text) - text.count(" ")):
        return False
    if len({word.lower() for word in words}) < 0.5 * len(words):
        return False
    if sum(word.isalpha() or (len(word) > 1 and word[:-1].isalpha()) for word in words) < 0.6 * len(words):
        return False
    if sum(c in "{}[]<>|\\=_@#$%^~*/+" for c in text) > 1 + len(text) // 60:
        return False
    if letters > 30 and sum(c.isupper() for c in text) > 0.5 * letters:
        return False
    if sum(c < "\u0250" for c in text if c.isalpha()) < 0.97 * letters:
        return False
    return not NOTICE.search(text)


def language_of(text):
    """"en", "tr", or None where it is likely neither."""
    words = words_of(text)
    english = sum(word in ENGLISH for word in words)
    turkish = sum(word in TURKISH for word in words) + 0.7 * len(re.findall("[ığşİ]", text))
    if turkish > english and turkish >= 1:
        return "tr"
    if re.search("[ßñãõøåæœłżčřžěąęđ]", text.lower()):
        return None
    if len(re.findall("[àáâäèéêëìíîïòóôùúûöüç]", text.lower())) > 3:
        return None
    if english == 0 and len(words) > 8:
        return None
    return "en"


def is_another_language(text):
    """True where small words of German, French, Spanish, Italian or Polish outweigh the English ones."""
    words = words_of(text)
    others = sum(word in OTHERS for word in words)
    return others >= 2 and others > sum(word in ENGLISH for word in words) and not re.search("[ığş]", text)


def words_of(text):
    return re.findall(r"[^\W\d_]+", text.lower())

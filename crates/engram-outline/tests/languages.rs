//! What is read from a small source of each language.

use engram_outline::outline_of;
use expect_test::{Expect, expect};

fn check(path: &str, text: &str, expected: Expect) {
    let outline = outline_of(path, text).expect("an outline");
    let mut told = outline.about.map(|about| format!("about: {about}\n")).unwrap_or_default();
    for one in &outline.signatures {
        let owner = one.owner.as_ref().map(|owner| format!("{owner} > ")).unwrap_or_default();
        let about = one.about.as_ref().map(|about| format!(" // {about}")).unwrap_or_default();
        told.push_str(&format!("{:<9}{owner}{} = {}{about}\n", one.kind.as_str(), one.name, one.text));
    }
    expected.assert_eq(&told);
}

#[test]
fn rust_offers_what_says_pub() {
    check(
        "src/lib.rs",
        r#"//! Weighs things. And more.

use std::fmt;

/// How much. More words.
#[derive(Debug, Clone)]
pub struct Weight<T: Copy>(pub T);

pub(crate) struct Hidden;

#[derive(Debug)]
pub enum Side { Left, Right }

impl<T: Copy> Weight<T> {
    pub const ZERO: u32 = 0;
    /// What it weighs.
    #[must_use]
    pub const fn get(
        &self,
        scale: u32,
    ) -> T where T: Copy {
        self.0
    }
    fn inner(&self) {}
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result { Ok(()) }
}

/// Anything on a scale.
pub trait Weighed: Send {
    const NAME: &'static str;
    fn weight(&self) -> u32;
    fn twice(&self) -> u32 { self.weight() * 2 }
}

pub const KEY: &str = "a secret";
pub static ALL: [u8; 2] = [1, 2];
pub type Pair = (u32, u32);
pub async fn weigh(of: &dyn Weighed) -> Option<u32> { None }
fn private() {}
pub mod inner {
    pub fn deep() {}
}
#[macro_export]
macro_rules! weigh { () => {} }
macro_rules! quiet { () => {} }
#[cfg(test)]
mod tests { pub fn not_told() {} }
"#,
        expect![[r#"
            about: Weighs things.
            type     Weight = struct Weight<T: Copy> // How much.
            type     Side = enum Side
            constant Weight > ZERO = const ZERO: u32
            method   Weight > get = const fn get(&self, scale: u32) -> T where T: Copy // What it weighs.
            trait    Weighed = trait Weighed: Send // Anything on a scale.
            constant Weighed > NAME = const NAME: &'static str
            method   Weighed > weight = fn weight(&self) -> u32
            method   Weighed > twice = fn twice(&self) -> u32
            constant KEY = const KEY: &str
            constant ALL = static ALL: [u8; 2]
            type     Pair = type Pair = (u32, u32)
            function weigh = async fn weigh(of: &dyn Weighed) -> Option<u32>
            module   inner = mod inner
            function inner > deep = fn deep()
            function weigh = macro_rules! weigh
        "#]],
    );
}

#[test]
fn python_offers_what_has_no_underscore() {
    check(
        "weigh.py",
        r#""""Weighs things.

More."""
import os

LIMIT: int = 3
NAMES = ["a", "b"]
lower = 1

def weigh(of: "Thing", *, scale: int = 1) -> int:
    """What it weighs."""
    def inner(): pass
    return 1

def _private(): pass

@dataclass(frozen=True)
class Thing(Base):
    """A thing."""
    # a comment
    def __init__(self, name: str):
        pass

    @property
    def name(self) -> str: return ""

    async def load(
        self,
        path,
    ):
        pass

    def _hidden(self): pass
    def __repr__(self): return ""

class _Quiet:
    def told(self): pass

try:
    import x
    def guarded(): pass
except ImportError:
    pass
"#,
        expect![[r#"
            about: Weighs things.
            constant LIMIT = LIMIT: int
            constant NAMES = NAMES
            function weigh = def weigh(of: "Thing", *, scale: int = 1) -> int // What it weighs.
            class    Thing = class Thing(Base) // A thing.
            method   Thing > __init__ = def __init__(self, name: str)
            method   Thing > name = def name(self) -> str
            method   Thing > load = async def load(self, path)
            function guarded = def guarded()
        "#]],
    );
}

#[test]
fn javascript_offers_what_it_exports() {
    check(
        "weigh.js",
        r#"import x from "y";
/** Weighs a thing. */
export function weigh(thing, scale = 1) { return 1; }
export const LIMIT = 3, twice = async (x) => x * 2;
export default class Scale extends Base {
  constructor(of) { super(); }
  /** Reads it. */
  static read() {}
  #hidden() {}
  _quiet() {}
}
function later(a) {}
function never() {}
export { later, LIMIT as limit };
export * from "./other";
"#,
        expect![[r#"
            function weigh = function weigh(thing, scale = 1) // Weighs a thing.
            constant LIMIT = const LIMIT
            function twice = const twice = async (x) =>
            class    Scale = class Scale extends Base
            method   Scale > constructor = constructor(of)
            method   Scale > read = static read() // Reads it.
            function later = function later(a)
        "#]],
    );
}

#[test]
fn javascript_offers_what_it_gives_to_node() {
    check(
        "weigh.cjs",
        r#"const fs = require("fs");
function weigh(thing) {}
function hidden() {}
const twice = x => x * 2;
module.exports = { weigh, double: twice, read(path) {}, write: function (path) {}, limit: 3 };
exports.more = (a, b) => a + b;
module.exports.Scale = class { read() {} };
"#,
        expect![[r#"
            function weigh = function weigh(thing)
            function twice = const twice = x =>
            function read = read(path)
            function write = write = function (path)
            constant limit = limit
            function more = more = (a, b) =>
            class    Scale = Scale = class
            method   Scale > read = read()
        "#]],
    );
}

#[test]
fn typescript_offers_types_too() {
    check(
        "weigh.ts",
        r#"/** Anything on a scale. */
export interface Weighed<T> extends Base {
  weight: number;
  /** Its weight. */
  measure(scale: T): number;
}
export type Pair<T> = [T, T];
export enum Side { Left, Right }
export abstract class Scale implements Weighed<number> {
  private hidden(): void {}
  public read(of: string): Promise<number> { return null as any; }
  abstract stop(): void;
}
export const limit: number = 3;
export const weigh = <T,>(of: T): number => 1;
export declare function native(x: number): string;
export namespace inner { export function deep(): void {} }
export default function (x: number): void {}
function hidden() {}
"#,
        expect![[r#"
            trait    Weighed = interface Weighed<T> extends Base // Anything on a scale.
            method   Weighed > measure = measure(scale: T): number // Its weight.
            type     Pair = type Pair<T> = [T, T]
            type     Side = enum Side
            class    Scale = abstract class Scale implements Weighed<number>
            method   Scale > read = read(of: string): Promise<number>
            method   Scale > stop = abstract stop(): void
            constant limit = const limit: number
            function weigh = const weigh = <T,>(of: T): number =>
            function native = function native(x: number): string
            module   inner = namespace inner
            function inner > deep = function deep(): void
            function default = default = function (x: number): void
        "#]],
    );
    check(
        "view.tsx",
        "export const View = ({ name }: Props): JSX.Element => <b>{name}</b>;\nexport function Row() { return <tr/>; }\n",
        expect![[r#"
            function View = const View = ({ name }: Props): JSX.Element =>
            function Row = function Row()
        "#]],
    );
}

#[test]
fn go_offers_capitals() {
    check(
        "weigh/weigh.go",
        r#"// Package weigh weighs things.
package weigh

import "fmt"

// Limit is the most.
const Limit = 3

const (
	First int = iota
	second
)

var ErrFull, errEmpty error

// Scale weighs.
type Scale struct { of int }

type (
	Weighed interface {
		// Weight tells it.
		Weight(scale int) (int, error)
	}
	quiet struct{}
	ID string
)

// New makes one.
func New(of int) *Scale { return nil }

func (s *Scale) Read(p []byte) (n int, err error) { return 0, nil }
func (s *Scale) hidden() {}
func (q quiet) Read() {}
func hidden() {}
"#,
        expect![[r#"
            about: Package weigh weighs things.
            constant Limit = const Limit // Limit is the most.
            constant First = const First int
            constant ErrFull = var ErrFull error
            type     Scale = type Scale struct // Scale weighs.
            trait    Weighed = type Weighed interface
            method   Weighed > Weight = Weight(scale int) (int, error) // Weight tells it.
            type     ID = type ID string
            function New = func New(of int) *Scale // New makes one.
            method   Scale > Read = func (s *Scale) Read(p []byte) (n int, err error)
        "#]],
    );
}

#[test]
fn java_offers_what_is_public() {
    check(
        "src/Scale.java",
        r#"package weigh;

/** Weighs things. */
@Deprecated
public final class Scale<T> extends Base implements Weighed {
    public static final int LIMIT = 3;
    private int hidden;
    public Scale(T of) {}
    /**
     * Reads it.
     * @param path where
     */
    @Override
    public <R> List<R> read(String path, int... more) throws IOException { return null; }
    void quiet() {}
    private void hidden() {}
    public interface Inner { int told(int a); }
    public enum Side { LEFT; public int sign() { return 1; } }
    public record Pair(int a, int b) {}
}
class Quiet { public void told() {} }
"#,
        expect![[r#"
            class    Scale = final class Scale<T> extends Base implements Weighed // Weighs things.
            constant Scale > LIMIT = int LIMIT
            method   Scale > Scale = Scale(T of)
            method   Scale > read = <R> List<R> read(String path, int... more) throws IOException // Reads it.
            trait    Scale > Inner = interface Inner
            method   Inner > told = int told(int a)
            type     Scale > Side = enum Side
            method   Side > sign = int sign()
            type     Scale > Pair = record Pair(int a, int b)
        "#]],
    );
}

#[test]
fn c_offers_what_can_be_linked() {
    check(
        "weigh.c",
        r#"#include <stdio.h>
/* Weighs a thing. */
int weigh(const struct thing *of, int scale) { return 1; }
static int hidden(void) { return 0; }
char *name_of(void) { return 0; }
int repeated(void);
struct thing { int a; };
"#,
        expect![[r#"
            function weigh = int weigh(const struct thing *of, int scale) // Weighs a thing.
            function name_of = char *name_of(void)
            type     thing = struct thing
        "#]],
    );
    check(
        "weigh.h",
        r#"#ifndef WEIGH_H
#define WEIGH_H
#ifdef __cplusplus
extern "C" {
#endif
/** Weighs a thing. */
int weigh(const struct thing *of, int scale);
typedef struct { int a; } Pair;
typedef int (*reader)(void *, int);
enum side { LEFT, RIGHT };
extern int limit;
static inline int twice(int x) { return 2 * x; }
#ifdef __cplusplus
}
#endif
#endif
"#,
        expect![[r#"
            function weigh = int weigh(const struct thing *of, int scale) // Weighs a thing.
            type     Pair = typedef struct Pair
            type     reader = typedef int (*reader)(void *, int)
            type     side = enum side
            function twice = static inline int twice(int x)
        "#]],
    );
}

#[test]
fn cpp_is_read_by_its_braces() {
    check(
        "scale.hpp",
        r#"#pragma once
#include <vector>
namespace weigh {
/// Weighs things. More.
template <typename T>
class Scale : public Base {
  int hidden();
public:
  explicit Scale(T of) : of_{of} { run("}"); }
  ~Scale();
  /** Reads it. */
  virtual std::vector<T> read(const std::string& path = "a{b") const { return {}; }
private:
  void quiet();
  T of_;
};
struct Pair { int a; int sum() const; };
enum class Side { Left, Right };
int weigh(const Pair& of);
static int hidden() { return 1'000; }
}
int Scale::outside() { return 1; }
namespace { int unreachable_one() { return 1; } }
extern "C" {
int linked(void);
}
"#,
        expect![[r#"
            class    Scale = template <typename T> class Scale : public Base // Weighs things.
            method   Scale > Scale = explicit Scale(T of)
            method   Scale > ~Scale = ~Scale()
            method   Scale > read = virtual std::vector<T> read(const std::string& path = " ") const // Reads it.
            type     Pair = struct Pair
            method   Pair > sum = int sum() const
            type     Side = enum class Side
            function weigh = int weigh(const Pair& of)
            function linked = int linked(void)
        "#]],
    );
}

#[test]
fn csharp_and_php_are_read_by_their_braces() {
    check(
        "Scale.cs",
        r#"using System;
namespace Weigh
{
    /// <summary>
    /// Weighs things.
    /// </summary>
    [Serializable]
    public sealed class Scale<T> : Base where T : class
    {
        private int hidden;
        public Scale(T of) { }
        public async Task<int> Read(string path) { if (true) { } return 1; }
        internal void Quiet() { }
        public int Limit { get; set; }
    }
    public interface IWeighed { int Weight(int scale); }
    class Hidden { public void Told() { } }
}
"#,
        expect![[r#"
            class    Scale = sealed class Scale<T> : Base where T : class // Weighs things.
            method   Scale > Scale = Scale(T of)
            method   Scale > Read = async Task<int> Read(string path)
            trait    IWeighed = interface IWeighed
            method   IWeighed > Weight = int Weight(int scale)
        "#]],
    );
    check(
        "Scale.php",
        r#"<?php
namespace Weigh;
# a { comment
/** Weighs things. */
final class Scale extends Base {
    public function __construct(private int $of) {}
    public static function read(string $path): int { return strlen($path); }
    private function hidden() {}
}
function weigh(array $things): int { return 1; }
weigh([]);
"#,
        expect![[r#"
            class    Scale = final class Scale extends Base // Weighs things.
            method   Scale > __construct = function __construct(private int $of)
            method   Scale > read = static function read(string $path): int
            function weigh = function weigh(array $things): int
        "#]],
    );
}

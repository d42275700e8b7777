#!/usr/bin/env bash
# What the tests need besides the Rust toolchain: git, the toolchain's own
# formatter and linter and, where there is Node, a browser for the window.
set -euo pipefail
if ! command -v git >/dev/null; then
    if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
        apt-get update -qq && apt-get install -y -qq git
    else
        echo "the tests need git: please install it" >&2
        exit 1
    fi
fi
for tool in rustfmt clippy; do
    case "$tool" in
        rustfmt) cargo fmt --version >/dev/null 2>&1 ;;
        clippy) cargo clippy --version >/dev/null 2>&1 ;;
    esac || rustup component add "$tool"
done
# The browser tests are skipped by name where there is none; see tools/web-test.sh.
if [ "${ENGRAM_WEB:-}" != off ] && command -v node >/dev/null && [ ! -x "${CHROMIUM:-/usr/bin/chromium}" ]; then
    if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
        { apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium >/dev/null; } ||
            echo "chromium could not be installed: the browser tests will be skipped" >&2
    else
        echo "the browser tests of the window want chromium; without it they are skipped" >&2
    fi
fi

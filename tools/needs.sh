#!/usr/bin/env bash
# What the tests need besides the Rust toolchain: git, and the toolchain's own
# formatter and linter.
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

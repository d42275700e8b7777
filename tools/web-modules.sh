#!/usr/bin/env bash
# The npm packages of web/, as package-lock.json names them. They are kept under
# ~/.cache/engram/web by the digest of that file and linked from web/.
set -euo pipefail
cd "$(dirname "$0")/../web"

digest="$(sha256sum package-lock.json 2>/dev/null || shasum -a 256 package-lock.json)"
kept="${XDG_CACHE_HOME:-$HOME/.cache}/engram/web/${digest%% *}"
if [ ! -e "$kept/done" ]; then
    echo "web: fetching the packages of package-lock.json"
    rm -rf "$kept"
    mkdir -p "$kept"
    cp package.json package-lock.json "$kept/"
    # No script of a package is run: the ones used here need none.
    (cd "$kept" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error)
    touch "$kept/done"
fi
if [ "$(readlink node_modules 2>/dev/null || true)" != "$kept/node_modules" ]; then
    rm -rf node_modules
    ln -s "$kept/node_modules" node_modules
fi

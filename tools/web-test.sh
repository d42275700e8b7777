#!/usr/bin/env bash
# The tests of the window: its types, its unit tests, whether the committed
# bundle is what the sources give, and the browser tests.
#
#   tools/web-test.sh quick|whole PROGRAMS
#
# PROGRAMS is the folder of engram and engramd. Without Node, or without a
# browser, what cannot run is skipped by name. ENGRAM_WEB=off skips all of it,
# ENGRAM_WEB=all makes a skip a failure. CHROMIUM names another browser.
set -euo pipefail
cd "$(dirname "$0")/.."

part="${1:-}"
programs="${2:-}"
case "$part" in
    quick | whole) ;;
    *) echo "usage: tools/web-test.sh quick|whole PROGRAMS" >&2; exit 2 ;;
esac
[ -n "$programs" ] || { echo "usage: tools/web-test.sh $part PROGRAMS" >&2; exit 2; }

skip() {
    echo "web tests: skipped, $1"
    [ "${ENGRAM_WEB:-}" != all ] || { echo "web tests: ENGRAM_WEB=all wants all of them" >&2; exit 1; }
    exit 0
}

[ "${ENGRAM_WEB:-}" != off ] || { echo "web tests: skipped, ENGRAM_WEB=off"; exit 0; }
node_is_new_enough() {
    command -v node >/dev/null && command -v npm >/dev/null &&
        node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)'
}
node_is_new_enough || skip "no Node"

# The packages, once for each lock file; the folder is linked to, so that an
# unchanged lock file costs nothing.
bash tools/web-modules.sh

cd web
echo "web tests: types, unit tests, bundle"
node build/types.mjs --compare
node_modules/.bin/tsc --noEmit
node build/unit.mjs
node build/bundle.mjs --compare

browser="${CHROMIUM:-/usr/bin/chromium}"
[ -x "$browser" ] || skip "no browser: the browser tests want Debian's chromium (or CHROMIUM=/path/to/one)"
for program in engram engramd; do
    [ -x "$programs/$program" ] || { echo "web tests: $programs has no $program: build it first" >&2; exit 1; }
done
echo "web tests: $part, in $browser"
# Times are measured in `whole`: there nothing else may run beside.
at_a_time=2
[ "$part" = quick ] || at_a_time=1
CHROMIUM="$browser" ENGRAM_PROGRAMS="$programs" node --test --test-concurrency="$at_a_time" --test-reporter=spec tests/"$part"/*.test.mjs

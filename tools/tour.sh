#!/usr/bin/env bash
# A walk through engram in a temporary home. Takes the folder of the two
# programs. Leaves no process and no file behind, however it ends.
set -euo pipefail
programs=$(cd "$1" && pwd)
PATH="$programs:$PATH"
ground=$(mktemp -d)
# Nothing of your own settings reaches the tour, and nothing of it reaches you.
for name in $(compgen -v ENGRAM_ || true); do unset "$name"; done
export HOME="$ground/home" ENGRAM_HOME="$ground/home/.claude/engram"
mkdir -p "$HOME" "$ground/shop"
leave() {
    engram stop >/dev/null 2>&1 || true
    rm -rf "$ground"
}
trap leave EXIT
cd "$ground/shop"

say() { printf '\n\033[1m%s\033[0m\n' "$*"; }
run() {
    printf '\033[2m$ engram'
    for word in "$@"; do
        case "$word" in *[!A-Za-z0-9_-]*) printf ' "%s"' "$word" ;; *) printf ' %s' "$word" ;; esac
    done
    printf '\033[0m\n'
    engram "$@"
}
# The last memory that was remembered, by the end of its name.
last() { engram list --limit 1 --json | sed -n 's/^ *"id": "\([0-9A-Z]*\)",*$/\1/p' | head -1; }

say "You tell it something, in a project."
run remember "the staging key is in vault, under shop/staging" --tag deploy
key=$(last)
run remember "run the tests with make test; the database must be up" --kind procedure
run remember "I prefer small pull requests" --kind preference --scope user

say "Another day, in another terminal, you ask. It says why."
run recall "where is the staging key" --explain

say "Things change. The new value takes the place of the old one."
run correct "$key" "the staging key is in 1password, item shop-staging"
run recall "staging key"

say "What was known before is still there, for whoever asks about before."
run history "$key"

say "It forgets when you say so, and takes it back when you change your mind."
tests=$(engram list --kind procedure --limit 1 --json | sed -n 's/^ *"id": "\([0-9A-Z]*\)",*$/\1/p' | head -1)
run forget "$tests"
run recall "how do I run the tests"
run undo
run recall "how do I run the tests"

say "It reads along. Of a conversation it keeps what lasts, and says why not the rest."
told() { printf '{"type":"%s","text":"%s","session":"monday"}\n' "$1" "$2"; }
{
    told user_message "ok thanks! can you look at the flaky test again?"
    told user_message "The orders service listens on port 8080."
    told assistant_message "Let me run the tests and see what happens."
    told user_message "We moved the orders service to port 9090."
    told user_message "My key is AKIAIOSFODNN7EXAMPLQ. We deploy from the main branch only."
} | run observe
run recall "which port does the orders service use"
run why "$(last)"

say "The daemon is killed the hard way. Nothing is lost."
kill -9 "$(engram status --json | sed -n 's/^ *"process": \([0-9]*\),*$/\1/p' | head -1)"
run recall "pull requests"

say "What there is."
run stats
run status
run stop
say "That was all. The temporary home and the daemon are gone."

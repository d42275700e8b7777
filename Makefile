# Everything a person needs: make try, make test, make install.

export CARGO_TARGET_DIR ?= $(HOME)/.cache/engram/target
PREFIX ?= $(HOME)/.local
CARGO ?= cargo
RELEASE = $(CARGO_TARGET_DIR)/release

.PHONY: try test install uninstall release crash team-test team-eval dreams simulate bench eval evolve-eval advice load e2e lint

# Builds the two programs and walks through them in a temporary home.
try: release
	@bash tools/tour.sh $(RELEASE)

release:
	$(CARGO) build --release --locked -p engram-cli -p engram-daemon

# Installs what the tests need, and runs them all.
test: tools-for-tests lint
	$(CARGO) test --workspace --locked -- --skip nothing_acknowledged_is_lost
	@$(MAKE) --no-print-directory web-test
	@$(MAKE) --no-print-directory crash ROUNDS=4

.PHONY: tools-for-tests
tools-for-tests:
	@bash tools/needs.sh

lint:
	$(CARGO) fmt --all --check
	$(CARGO) fmt --manifest-path tools/team-server/Cargo.toml --check
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings

.PHONY: web web-test web-whole

# Builds the window from web/ into crates/engram-web/bundle, which is committed, so
# that a machine without Node builds the same program; see docs/window.md.
web:
	@bash tools/web-modules.sh
	cd web && node build/types.mjs && node_modules/.bin/tsc --noEmit && node build/bundle.mjs --sizes

# Types, unit tests and bundle of the window, and its browser tests with the
# programs that `cargo test` built. ENGRAM_WEB=off skips them, ENGRAM_WEB=all
# makes a skip a failure.
web-test:
	@bash tools/web-test.sh quick $(CARGO_TARGET_DIR)/debug

# The rest of the browser tests: 10,000 memories, speed, the graph, pictures into
# docs/images/window. Takes minutes.
web-whole: release
	@bash tools/web-test.sh whole $(RELEASE)

# Writers against a daemon that is killed again and again. Of the whole workspace,
# so that nothing is compiled a second time with other features.
crash:
	ENGRAM_CRASH_ROUNDS=$${ROUNDS:-40} $(CARGO) test --workspace --locked --test crash -- --nocapture

# A real server of the team's database on this machine, with TLS, behind a network
# that fails as it is told: make team-test [ONLY=rewritten]. Builds the server the
# first time, in a target folder of its own; that takes 20 minutes of processor
# time. The test of the client makes sure that its program is built, with the
# same features as all else.
TEAM_TARGET ?= $(HOME)/.cache/engram/team-target
TEAM_SERVER = $(TEAM_TARGET)/release/engram-team-server

team-test: $(TEAM_SERVER)
	$(CARGO) test --workspace --locked --no-run --test team --test members --test program
	ENGRAM_TEAM=all ENGRAM_TEAM_SERVER=$(TEAM_SERVER) \
		$(CARGO) test --workspace --locked --test team --test members -- --nocapture $(ONLY)

$(TEAM_SERVER): $(wildcard tools/team-server/Cargo.* tools/team-server/src/*)
	$(CARGO) build --release --locked --manifest-path tools/team-server/Cargo.toml --target-dir $(TEAM_TARGET)
	@touch $@

# Joining a team of 10,000 and of 100,000 memories, and recall with everything here
# and with the server's own indexes: docs/scale.md. Takes half an hour. make
# team-eval [WITH="--memories 10000"].
team-eval: $(TEAM_SERVER)
	$(CARGO) build --release --locked -p engram-cli -p engram-daemon -p engram-eval
	$(RELEASE)/engram-eval team --programs $(RELEASE) --server $(TEAM_SERVER) $(WITH)

# A dream over 10,000 memories: a dry run, an undo, and a daemon that is killed
# at twenty moments. Takes long: each killed dream is dreamt to its end.
dreams:
	ENGRAM_DREAM_MEMORIES=$${MEMORIES:-10000} ENGRAM_DREAM_KILLS=$${KILLS:-20} \
		$(CARGO) test --release --locked -p engram-cli -p engram-daemon -p engram-eval --test dreams -- --nocapture

# A year of made-up work with each way of forgetting; see docs/forgetting.md.
simulate:
	$(CARGO) build --release --locked -p engram-cli -p engram-daemon -p engram-eval
	$(RELEASE)/engram-eval simulate --svg docs/images/forgetting.svg

# Timings as ratios in one run: make bench [WITH="--largest 1000000"]; see
# docs/benchmarks.md. Built together with the programs: another set of packages
# would build the database again.
bench:
	$(CARGO) build --release --locked -p engram-cli -p engram-daemon -p engram-eval
	$(RELEASE)/engram-eval bench --programs $(RELEASE) $(WITH)

# Retrieval on public sets: make eval DATA=<folder> [WITH=--ablate]; see
# docs/evaluation.md.
eval:
	$(CARGO) build --release --locked -p engram-cli -p engram-daemon -p engram-eval
	$(RELEASE)/engram-eval $(DATA) $(WITH)

# Whether weights that learn from use recall better on questions that they did not
# learn from: make evolve-eval DATA=<folder of sets> [WITH="--json FILE"]. Fails
# where a claim of docs/decisions/0019 does not hold.
evolve-eval:
	$(CARGO) build --release --locked -p engram-cli -p engram-daemon -p engram-eval
	$(RELEASE)/engram-eval evolve $(DATA) $(WITH)

# A made-up project with good advice, bad advice and bystanders, and how many
# sessions it takes until nobody is shown the bad one: make advice. Fails where
# one of them never goes, or a good one does.
advice:
	$(CARGO) build --release --locked -p engram-cli -p engram-daemon -p engram-eval
	$(RELEASE)/engram-eval advice $(WITH)

# Fifty agents on one daemon for ten minutes, three times: with something new in every
# round, coming back to what they work on, and with budgets so small that each is met.
# Fails where something is lost, somebody waits too long, or the daemon grows by more
# than it is told to keep; see docs/decisions/0024 and docs/scale.md.
# make load [WITH="--agents 10 --minutes 2"].
load:
	$(CARGO) build --release --locked -p engram-cli -p engram-daemon -p engram-eval
	$(RELEASE)/engram-eval load --programs $(RELEASE) $(WITH)
	$(RELEASE)/engram-eval load --programs $(RELEASE) --services 20 $(WITH)
	$(RELEASE)/engram-eval load --programs $(RELEASE) --tight $(WITH)

# The real Claude Code client with the plugin, clients of the protocol, and what
# tries the API of the window; needs npm, Python 3 and, the first time, a network.
# Takes minutes. ONLY="resume clear" runs a part; tools/e2e/run.py --list shows the
# names.
e2e: release
	python3 tools/e2e/run.py --programs $(RELEASE) $(ONLY)

install: release
	install -d $(PREFIX)/bin
	install -m 755 $(RELEASE)/engram $(RELEASE)/engramd $(PREFIX)/bin/
	@echo "engram and engramd are in $(PREFIX)/bin"

uninstall:
	-$(PREFIX)/bin/engram stop
	rm -f $(PREFIX)/bin/engram $(PREFIX)/bin/engramd
	@echo "the programs are gone; your memories are still in ~/.claude/engram and in your projects' .claude/engram"

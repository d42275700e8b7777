// Made by build/types.mjs from docs/reference/openapi.json; `make web` writes it anew.

export type Action = "create" | "update" | "reinforce" | "supersede" | "challenge" | "skip";
/** How often each was done, and stands. */
export type ActionsTaken = { deprecated: number; refined: number; merged: number; archived: number; induced_skills: number };
/** What went on lately, the oldest first. */
export type Activities = { activities: Activity[]; latest: number };
/** Something that went on. */
export type Activity = { number: number; at: string; scope?: Scope; project?: ProjectKey; session?: SessionId; agent?: string } & ({ what: "heard"; event: EventType; turns: number; masked: number } | { what: "decided"; action: Action; memory?: MemoryId; text?: string; reason: string } | { what: "recalled"; recall: RecallId; via: Surface; query: string; hits: number; confidence: Confidence; ms: number } | { what: "told"; via: Surface; memories: MemoryId[]; chars: number } | { what: "hooked"; event: HookEvent; ms?: number; problem?: string } | { what: "changed"; operation: OperationId; cause: Cause; actor: Actor; memories: MemoryId[]; text?: string } | { what: "session_began" } | { what: "session_ended"; promoted: number } | { what: "dreaming"; dream: OperationId; store: string; step?: Step; done: number; total?: number; dry_run: boolean } | { what: "dreamt"; dream: OperationId; store: string; changes: number; seconds: number; dry_run: boolean } | { what: "working"; doing: string; done: number; total?: number } | { what: "failed"; doing: string; problem: string } | { what: "missed"; from: number; to: number });
export type Actor = "human" | "assistant" | "ingest" | "engram";
/** The key that a ticket is good for. */
export type Admitted = { token: string; read_only: boolean };
export type Arousal = number;
/** Memories that somebody could sum up better than it was done so far. */
export type Awaiting = { summary: MemoryId; sources: MemoryId[]; topic: string; reason: string; queued_at: string; done_at?: string };
export type BackedUp = { file: string; stores: string[]; bytes: number; sealed_for?: string[] };
export type BackupLine = { file: string; bytes: number; made_at: string; stores: string[]; sealed: boolean };
/** Something that takes long has begun; how far it is comes as activity. */
export type Begun = { operation: OperationId };
export type Behaviour = "shed" | "spool" | "refuse";
export type BondKind = "uses" | "depends_on" | "is_a" | "part_of" | "causes" | "fixes" | "contradicts" | "replaces" | "related_to" | "tested_by" | "configured_by" | "imports";
/** A bond, with what its ends are called. */
export type BondLine = { from: EntityId; kind: BondKind; to: EntityId; weight: Weight; confidence: Confidence; evidence: MemoryId[]; valid_from: string; invalid_at?: string; from_name: string; to_name: string };
/** What something may cost, and what it did cost. */
export type BudgetLine = { what: string; used: number; limit: number; unit: string; behaviour?: Behaviour; over: boolean };
/** Memories about which something could be done. */
export type CandidateLine = { scope: Scope; priority: Priority; criteria: Criteria; nodes: MemoryId[]; suggested: Evolving; utility: Utility; uses: number; idle_days: number; similarity?: Similarity; missing?: string[]; why: string; texts: string[] };
export type Candidates = { evaluated: number; candidates: CandidateLine[] };
/** Events since the daemon started. */
export type CaptureHealth = { heard: number; known: number; decided: { challenge?: number; create?: number; reinforce?: number; skip?: number; supersede?: number; update?: number }; unread: number; refused: number; problem?: string };
export type Cause = "remember" | "correct" | "confirm" | "mark" | "forget" | "unforget" | "purge" | "pin" | "unpin" | "import" | "undo" | "hear" | "capture" | "review" | "outline" | "promote" | "outcome" | "feedback" | "remind" | "dream" | "tier" | "edit" | "consolidate" | "entity" | "evolve" | "learn" | "share" | "withdraw" | "sync" | "erase" | "use";
/** Something was changed, durably. */
export type Changed = { operation: OperationId; memories: Memory[]; already: boolean; decision?: Decision; files?: SkillFile[]; missed?: string[]; team?: TeamFate };
export type Check = { what: string; verdict: Verdict; detail: string };
export type Closed = { ruling: Ruling; actor: Actor; at: string };
export type Confidence = number;
/** What was made of what. */
export type ConsolidationLogged = { operation: OperationId; number: number; method: ConsolidationMethod; sources: MemoryId[]; results: MemoryId[]; at: string };
export type ConsolidationMethod = "merge_similar" | "summarize_cluster" | "decay_archive";
/** What waits to be summed up next. */
export type ConsolidationOffered = { next?: Offered; waiting: number };
/** There are so many memories that somebody should sum them up. */
export type ConsolidationRequest = { requested_at: string; status: RequestStatus; reason: string; completed_at?: string };
export type Criteria = "low_q" | "stale" | "unlinked_processes" | "similar_pairs" | "noise";
/** How a memory fades. */
export type CurveOf = { memory: Memory; model: Model; at: string; retention: Retention; storage: number; uses: string[]; points: CurvePoint[]; thresholds: CurveThreshold[]; fades_at?: string };
export type CurvePoint = { at: string; retention: Retention };
export type CurveThreshold = { what: string; retention: Retention; reached_at?: string };
export type DataSource = "user_message" | "assistant_message" | "system" | "file" | "federation";
export type Day = { day: string; sessions: DaySession[] };
export type DayCount = { day: string; learned: number; gone: number };
export type DayLine = { operation: OperationId; at: string; scope: Scope; happened: Happened; cause: Cause; actor: Actor; memory: MemoryId; kind: Kind; text: string; undoable: boolean; undone: boolean };
/** So many more memories did one operation the same to. */
export type DayRest = { operation: OperationId; happened: Happened; memories: number };
export type DaySession = { session?: SessionId; agent?: string; summary?: string; lines: DayLine[]; rest?: DayRest[] };
/** What happened to the memories, the latest day first. */
export type Days = { days: Day[]; next?: OperationId };
export type DecidedBy = "model" | "heuristic";
/** What became of one fact of a turn. */
export type Decision = { turn: TurnId; number: number; action: Action; memory?: MemoryId; other?: MemoryId; fact?: string; reason: string; similarity?: Similarity; by: DecidedBy; at: string };
/** One thing that a step does. */
export type Deed = { memory?: MemoryId; what: string; why: string; made?: MemoryId };
export type Depth = "light" | "full" | "reflective";
export type Detail = { node_id: MemoryId; action: Evolving; new_id?: MemoryId; reason: string; undone?: boolean };
export type Difficulty = number;
/** A dream, with what its steps do. */
export type Dream = { id: OperationId; trigger: DreamTrigger; depth?: Depth; at: string; steps: StepReport[]; finished_at?: string };
/** The last dreams, and what waits. */
export type DreamReports = { stores: StoreReport[]; schedule: string };
export type DreamTrigger = "manual" | "session_end" | "schedule" | "updates" | "procedures";
/** What a dream did in each store, or would do. */
export type Dreamt = { dry_run: boolean; stores: StoreDream[] };
/** The mood of a text. */
export type Emotion = { valence: Valence; arousal: Arousal; feeling?: Feeling };
export type Entities = { entities: EntityLine[]; total: number };
export type EntityChanged = { operation: OperationId; entity: KnownEntity };
export type EntityId = string;
export type EntityKind = "file" | "symbol" | "package" | "tool" | "service" | "person" | "organisation" | "host";
export type EntityLine = { scope: Scope; entity: KnownEntity; memories: number; bonds: number };
export type EntityShown = { scope: Scope; entity: KnownEntity; description?: string; card?: Memory; memories: Memory[]; bonds: BondLine[] };
export type EventType = "user_message" | "assistant_message" | "tool_call" | "subagent_result" | "remember" | "file";
/** What speaks for one memory, or for several together, being an answer. */
export type Evidence = { likeness: Similarity | null; covered: number; missing: number };
export type EvidenceSource = "told" | "feedback" | "reuse" | "check" | "edit" | "correction";
/** How far an open store is in learning from use. */
export type EvolutionHealth = { store: string; last_at?: string; next?: NextRun; weights: LearningState; insights_open: number; gaps_open: number };
export type EvolutionReports = { stores: StoreEvolution[] };
/** Something evolved. */
export type Evolved = { operation: OperationId; action: Evolving; nodes: MemoryId[]; new?: MemoryId; memories: Memory[]; reason: string; files?: SkillFile[]; already: boolean };
export type Evolving = "deprecated" | "refined" | "merged" | "archived" | "induced";
export type Examined = { checks: Check[]; sound: boolean };
/** One reason of a score: `adds` is `value x weight`. */
export type Factor = { signal: Signal; value: number; weight: number; adds: number };
export type Feedback = "helpful" | "not_helpful" | "partially_helpful";
export type Feeling = "joy" | "anger" | "fear" | "sadness" | "surprise" | "disgust";
export type FileDone = "written" | "removed" | "left";
export type Form = "full" | "short";
/** A memory with its place and its reasons: `score` is what the factors add, times the weight of the scope. */
export type Found = { memory: Memory; id: MemoryId; scope: Scope; score: number; factors: Factor[]; text: TextReason; scope_weight: number; also_in?: Scope[]; confidence: Confidence; evidence: Evidence; retention: Retention; supersedes?: MemoryId[]; status: Status; by_server?: boolean };
export type Gap = { gap: "no_vectors" } | { gap: "no_model"; problem: string } | { gap: "scope_unavailable"; scope: Scope; problem: string } | { gap: "server_not_asked"; problem: string };
export type GraphNode = { entity: EntityId; name: string; kind: EntityKind; memories: number; hops: number; from?: number; bond?: BondKind; backwards: boolean; weight?: number };
/** What a thing is bound to, each thing once, nearest first. */
export type GraphShown = { scope: Scope; nodes: GraphNode[]; dot: string };
/** The things with a name and how they are bound, the most named first. */
export type GraphWhole = { nodes: WholeNode[]; edges: [number, number, BondKind, number][]; total: number };
export type Happened = "changed" | "forgotten" | "learned" | "corrected";
export type Health = { version: string; protocol: number; process: number; home: string; socket: string; started_at: string; requests: number; open_stores: string[]; open_sessions: number; resident_bytes: number | null; idle_exit_at: string; spooled: number; capture: CaptureHealth; llm?: LlmHealth; masked: number; personal: number; rejected: number; embedder: string; without_model?: string; vectors: StoreVectors[]; evolution: EvolutionHealth[]; team?: TeamHealth; team_problem?: string; window?: WindowHealth; budgets: BudgetLine[]; next_dream: NextDream[] };
export type HistoryOf = { memory_id: MemoryId; status_history: StatusStep[]; operations_on: OperationLine[] };
export type HookEvent = "SessionStart" | "UserPromptSubmit" | "PreToolUse" | "PostToolUse" | "PostToolUseFailure" | "PreCompact" | "SubagentStop" | "Stop" | "SessionEnd";
/** What an agent's hooks did. */
export type HookStats = { last_at: string | null; last_saved_at: string | null; last_prompt_at: string | null; start_chars: number; prompt_chars: number; shown: number; used: number; problem?: string; events: { PostToolUse?: Times; PostToolUseFailure?: Times; PreCompact?: Times; PreToolUse?: Times; SessionEnd?: Times; SessionStart?: Times; Stop?: Times; SubagentStop?: Times; UserPromptSubmit?: Times } };
export type Importance = number;
/** One thing that the memory has to tell of itself. Seen again it is the same. */
export type Insight = { id: string; insight: InsightType; subject: string; description: string; evidence: string[]; action_taken?: string; proposal?: Proposal; created_at: string; last_seen_at: string; closed_at?: string };
export type InsightType = "retrieval_pattern" | "memory_gap" | "consolidation_signal" | "decay_anomaly" | "graph_insight";
export type Inspected = { memory: Memory; retention: Retention; strength: Strength; importance?: Importance; importance_terms?: string[]; storage?: number; sub_tier?: SubTier; status_history: StatusStep[]; relations: Relation[] };
export type Intent = "factual" | "temporal" | "causal" | "entity_profile" | "preference" | "general";
export type Kind = "observation" | "decision" | "pattern" | "convention" | "fact" | "preference" | "correction" | "error_fix" | "architecture" | "procedure" | "plan" | "entity" | "narrative" | "summary" | "scratchpad" | "tool_outcome";
/** A thing with a name that some memory speaks of. */
export type KnownEntity = { id: EntityId; kind: EntityKind; name: string; written: string; aliases?: string[]; version?: string; confidence?: Confidence; mentions: number; first_seen_at: string; last_seen_at: string };
/** What is learned for itself. */
export type LearnedKey = { subject: Subject; query_type?: QueryType; with_model: boolean };
export type LearningState = "too_few" | "learning" | "rolled_back" | "converged" | "off";
export type Listed = { memories: Memory[]; total: number; next?: string };
/** What a language model may cost in a day, and what it did so far. */
export type LlmHealth = { model: string; day: string; calls: number; calls_per_day: number; tokens: number; tokens_per_day: number; problem?: string };
export type MemberId = string;
/** Something worth remembering, with where it came from and how it fares. */
export type Memory = { id: MemoryId; scope: Scope; tier: Tier; kind: Kind; status: Status; status_change: StatusChange; content: string; summary?: string; tags?: string[]; domain?: string; structured?: Record<string, unknown>; importance: Importance; confidence: Confidence; utility: Utility; surprise?: Surprise; emotion?: Emotion; pinned: boolean; immutable: boolean; access_count: number; last_used_at: string; stability: Stability; difficulty?: Difficulty; fades_at?: string; valid_from: string; valid_until?: string; recorded_at: string; source_session?: SessionId; source_project?: ProjectKey; write_source: WriteSource; data_source: DataSource; speaker?: string; author?: MemberId; trust: Trust; evidence?: TurnId[]; promotion_chain?: PromotionStep[]; created_at: string; updated_at: string; revision: number };
export type MemoryId = string;
export type Mode = "facts_only" | "facts_plus_rules" | "full_context";
export type Model = "fsrs6" | "power" | "exponential" | "l2" | "huber" | "elastic";
/** When a store is looked after next. */
export type NextDream = { store: string; after_sessions?: number; depth: Depth; due: boolean };
/** When a store evolves next: with the first evidence from this moment on, or before that after so much more. */
export type NextRun = { at?: string; updates_left: number; procedures_left: number; due?: boolean };
export type Offered = { scope: Scope; summary: MemoryId; topic: string; text: string; sources: Memory[] };
export type OperationId = string;
/** An operation without what would take it back. */
export type OperationLine = { id: OperationId; scope: Scope; cause: Cause; actor: Actor; at: string; memories: MemoryId[]; undoes?: OperationId; undone_by?: OperationId; undoable: boolean };
export type Operations = { operations: OperationLine[]; next?: OperationId };
export type Outcome = "success" | "partial" | "ignored" | "failure";
/** What became of using a memory. */
export type OutcomeRecorded = { operation: OperationId; memory: MemoryId; outcome: Outcome; utility_before: Utility; utility: Utility; replaced?: Outcome; already: boolean };
/** What each arm said of one candidate, before any weight: enough to rank it again. */
export type Pooled = { memory: MemoryId; words: number; table: number; model: number; graph: number; rest: number; scale: number };
/** A place in the feed: so many lines were written before and with it. */
export type Position = number;
/** What an agent gets to read. */
export type Presented = { text: string; tokens: number; budget: number; chars: number; told: Told[]; left_out: number };
export type Priority = "critical" | "high" | "medium" | "low";
/** The same as it is told. */
export type Problem = { type: string; title: string; status: number; detail: string; kind: string; hints: string[] };
/** A project that somebody ever worked in. */
export type ProjectFound = { key: ProjectKey; name: string; path: string; there: boolean; open: boolean; memories?: number; bytes: number };
export type ProjectKey = string;
export type ProjectLine = { key: ProjectKey; path: string; name: string };
export type Projects = { projects: ProjectFound[] };
/** A memory went up to a wider scope. */
export type Promotion = { memory: MemoryId; session?: SessionId; from: Scope; to: Scope; kind: Kind; reason: PromotionReason; score: number; merged_into?: MemoryId; at: string };
export type PromotionReason = "score" | "at_once" | "explicit";
/** One rung of the way up from session to project to user or team. */
export type PromotionStep = { scope: Scope; memory_id: MemoryId; promoted_at: string; by?: MemberId; place?: string };
/** A setting that somebody could change. */
export type Proposal = { setting: string; value: string; why: string };
export type QueryType = "code_search" | "error_debug" | "convention" | "architecture" | "how_to" | "recall_fact" | "find_pattern" | "general";
/** How often an arm, or a reason to keep, was right. */
export type RateLine = { subject: Subject; query_type?: QueryType; with_model: boolean; word: string; rate: Share; votes: number; sure: boolean };
export type RecallId = string;
/** A recall, and the store whose log it is in. */
export type RecallLine = { scope: Scope; id: RecallId; via: Surface; query: string; query_type: QueryType; intent: Intent; strategy: Strategy; results_returned: number; results_used: number; user_feedback?: Feedback; latency_ms: number; scopes: Scope[]; with_model: boolean; shown: MemoryId[]; pool?: Pooled[]; used?: MemoryId[]; settled_at?: string; confidence: Confidence; session?: SessionId; at: string };
export type Recalled = { query: string; hits: Found[]; confidence: Confidence; together: Evidence; intent: Intent; query_type: QueryType; strategy: Strategy; trivial?: Trivial; gaps: Gap[]; searched: Searched[]; profile: string; weights: ScopeWeights; learned: boolean; context?: Presented; oldest_at?: string };
export type Recalls = { recalls: RecallLine[]; next?: RecallId };
/** One reflection and what came of it (S0 7.1). What was merged, pruned and put away is counted since the one before. */
export type ReflectionLogged = { dream: OperationId; triggered_by: DreamTrigger; session_count_at: number; insights_generated: number; entities_merged: number; edges_pruned: number; memories_archived: number; duration_ms: number; at: string };
export type Reflections = { stores: StoreReflection[] };
/** An edge between two memories of one store. */
export type Relation = { from: MemoryId; kind: RelationKind; to: MemoryId; created_at: string; confidence: Confidence };
export type RelationKind = "similar_to" | "contradicts" | "supersedes" | "derived_from" | "supports" | "part_of" | "caused_by" | "causes" | "elaborates" | "same_entity" | "related_to" | "merged_into" | "instance_of";
/** Something to be reminded of. */
export type ReminderLine = { id: MemoryId; scope: Scope; text: string; when?: string; due_at?: string; told: boolean };
export type RemindersListed = { reminders: ReminderLine[] };
export type RequestStatus = "pending" | "in_progress" | "completed" | "failed";
export type Retention = number;
/** A pair that waits for somebody to decide, or that was decided. */
export type Review = { id: ReviewId; reason: string; similarity?: Similarity; opened_at: string; closed?: Closed } & ({ pair: "memories"; newer: MemoryId; older: MemoryId } | { pair: "entities"; newer: EntityId; older: EntityId });
export type ReviewId = string;
/** A pair, side by side. */
export type ReviewLine = { scope: Scope; review: Review; newer: Side; older: Side };
export type Reviews = { reviews: ReviewLine[] };
export type Role = "reader" | "member" | "maintainer";
export type Role2 = "user" | "assistant" | "tool" | "subagent";
export type Ruling = "both" | "newer" | "older" | "merge";
export type Scope = "session" | "project" | "user" | "team";
export type ScopeStats = { scope: Scope; memories: number; sheets: number; by_status: { active?: number; archived?: number; challenged?: number; consolidated?: number; created?: number; deprecated?: number; forgotten?: number; invalidated?: number; merged?: number; promoted?: number; superseded?: number }; by_kind: { architecture?: number; convention?: number; correction?: number; decision?: number; entity?: number; error_fix?: number; fact?: number; narrative?: number; observation?: number; pattern?: number; plan?: number; preference?: number; procedure?: number; scratchpad?: number; summary?: number; tool_outcome?: number }; pinned: number; faded: number; uses: number; bytes_on_disk: number; vectors?: Vectors };
/** How much each scope counts. */
export type ScopeWeights = { session: number; project: number; user: number };
export type Searched = { scope: Scope; memories: number; server?: SearchedThere };
/** What the team's server had to say to a question. */
export type SearchedThere = { found: number; new: number; ms: number };
export type SessionId = string;
export type SessionLine = { session: SessionId; status: string; started_at?: string; ended_at?: string; memories: number; promoted: number; summary?: string };
/** A memory of an open session, and what it is worth to the project. */
export type SessionMemory = { memory: Memory; score: number };
/** What is known of a session, its memories among it as long as it is open. */
export type SessionShown = { session: SessionId; status: string; started_at?: string; ended_at?: string; memories: number; promoted: number; summary?: string; agent?: string; memories_here: SessionMemory[]; promotions: Promotion[] };
export type Sessions = { sessions: SessionLine[] };
export type SettingLine = { key: string; value: SettingValue; source: Source; default: SettingValue; about: string; personal: boolean };
/** One value: text and numbers are all there is. */
export type SettingValue = number | string;
/** Every setting, with where its value comes from. */
export type SettingsListed = { settings: SettingLine[]; files: string[] };
export type Share = number;
/** What each word of a subject has of the whole; they add up to one. */
export type Shares = Record<string, Share>;
/** One of the two. */
export type Side = { side: "memory"; memory: Memory; evidence: Turn[] } | { side: "entity"; entity: KnownEntity } | { side: "gone" };
export type Signal = "words" | "table" | "model" | "speaker" | "of_self" | "previous" | "answers" | "next" | "time" | "recency" | "order" | "part" | "linked" | "places" | "likeness" | "activation" | "importance" | "utility" | "freshness" | "kind" | "entity" | "episode" | "sub_tier" | "mood" | "hot" | "doubt" | "archived" | "graph" | "together";
export type Similarity = number;
export type SkillFile = { file: string; done: FileDone; why?: string };
export type SkillLine = { name: string; description: string; scope?: Scope; memory?: MemoryId; protected: boolean; utility?: Utility; tried: number; failed: number; file?: string; state?: SkillState; text: string };
export type SkillState = "as_written" | "edited" | "missing" | "removed_by_hand" | "foreign";
export type SkillsFound = { skills: SkillLine[]; left?: SkillFile[] };
export type Source = "default" | "user" | "project" | "environment" | "flag";
export type Stability = number;
export type Stats = { scopes: ScopeStats[]; project: ProjectLine | null; gaps: Gap[]; projects: string[]; hooks: Record<string, HookStats> };
export type Status = "created" | "active" | "challenged" | "consolidated" | "superseded" | "merged" | "deprecated" | "invalidated" | "promoted" | "archived" | "forgotten";
/** Why a memory has the status it has. The schema refuses a status without it. */
export type StatusChange = { at: string; reason: string; cause: Cause };
/** One line of a memory's history; the database writes it by itself. */
export type StatusStep = { from: Status | null; to: Status; at: string; reason: string; cause: Cause };
export type Step = "retain" | "expire" | "fade" | "settle" | "rehearse" | "emotional" | "replay" | "forget" | "consolidate" | "summarise" | "redundancy" | "abstract" | "tiers" | "promote" | "entities" | "contradictions" | "cards" | "bridges" | "probe" | "drift" | "adapt" | "evolve" | "reflect" | "compress" | "tidy";
/** What one step did, or would do. */
export type StepReport = { step: Step; looked_at: number; done: number; deeds?: Deed[]; left: number; skipped?: string; overtaken?: MemoryId[]; risen?: MemoryId[]; operations?: OperationId[] };
export type StoreDream = { scope: Scope; store: string; dream: Dream; memories: number; seconds: number; resumed: boolean };
/** The seed's report of one store, field for field (S1), and which store it is. */
export type StoreEvolution = { scope: Scope; store: string; candidates_evaluated: number; actions_taken: ActionsTaken; details: Detail[]; summary: string; next?: NextRun };
export type StoreLine = { scope: Scope; store: string; project?: ProjectLine; memories: number; capacity?: number; bytes: number; sheets: number; by_status: { active?: number; archived?: number; challenged?: number; consolidated?: number; created?: number; deprecated?: number; forgotten?: number; invalidated?: number; merged?: number; promoted?: number; superseded?: number }; by_kind: { architecture?: number; convention?: number; correction?: number; decision?: number; entity?: number; error_fix?: number; fact?: number; narrative?: number; observation?: number; pattern?: number; plan?: number; preference?: number; procedure?: number; scratchpad?: number; summary?: number; tool_outcome?: number }; tiers: TierLine[]; growth: DayCount[]; oldest_at?: string; vectors?: Vectors };
export type StoreReflection = { scope: Scope; store: string; insights: Insight[]; reflections: ReflectionLogged[] };
export type StoreReport = { scope: Scope; store: string; dreams: Dream[]; consolidations: ConsolidationLogged[]; awaiting: Awaiting[]; requests: ConsolidationRequest[]; sessions: number; next_full?: number; next?: NextRun };
/** How many texts of a store have the vector of the chosen embedder. */
export type StoreVectors = { store: string; embedder: string; made: number; total: number; serving?: string };
export type StoreWeights = { scope: Scope; store: string; learning: boolean; rows: WeightRow[]; rates: RateLine[]; noise: number; history: WeightChange[] };
/** The stores that can be seen, and what else there is on the disk. */
export type Stores = { stores: StoreLine[]; backups: BackupLine[]; sessions: number; free_bytes?: number };
export type Strategy = "vector" | "keyword" | "hybrid" | "graph" | "graph_vector";
export type Strength = number;
export type SubTier = "personal" | "observed" | "vicarious" | "schematic" | "procedural" | "factual";
export type Subject = "arms" | "eviction";
export type Surface = "search" | "prompt" | "session_start" | "command" | "tool";
export type Surprise = number;
/** What the team makes of a change of what it shares. */
export type TeamFate = "replaces" | "challenges" | "proposed" | "withdrawn" | "decided";
/** How this machine stands with its team. */
export type TeamHealth = { name: TeamName; url: string; member: MemberId; handle: string; role: Role; reachable: boolean; problem?: string; level_at?: string; position: Position; behind: number; queued: number; refused: number; memories: number; most?: number; searched: boolean };
/** What a team is called: letters, digits and underscores, at most 32 of them. */
export type TeamName = string;
/** What the words of the query contributed, before it is set beside the other signals. */
export type TextReason = { score: number; terms: [string, number][] };
export type Tier = "working" | "episodic" | "semantic" | "procedural" | "codebase";
export type TierLine = { tier: Tier; memories: number; held: number[] };
/** A memory was put into another tier. */
export type TierSet = { operation: OperationId; memory: Memory; before: Tier };
/** How long something took, counted in steps of about a half. */
export type Times = { count: number; up_to_ms: Record<string, number> };
export type Told = { id: MemoryId; form: Form };
/** What is kept of a tool call. */
export type ToolCall = { tool_name: string; arguments: Record<string, unknown>; result_summary?: string; success: boolean; duration_ms?: number };
export type Trivial = "greeting" | "confirmation" | "thanks" | "command" | "machine_text" | "nothing";
export type Trust = number;
/** An event that was kept. */
export type Turn = { id: TurnId; event: EventType; role: Role2; session?: SessionId; turn_number: number; speaker?: string; content: string; tool?: ToolCall; token_count: number; source?: string; kind?: Kind; agent?: string; instructions: number; said_at: string; recorded_at: string };
export type TurnId = string;
export type Undone = { operation: OperationId; undone: OperationId; cause: Cause; memories: Memory[]; files?: SkillFile[] };
/** A memory was used, and this is how it went. A memory has one of each source at a moment. */
export type Usage = { memory: MemoryId; outcome: Outcome; source: EvidenceSource; recall?: RecallId; note?: string; session?: SessionId; at: string };
/** How using a memory went. */
export type UsageHistory = { memory: Memory; utility: Utility; tried: number; succeeded: number; failed: number; shown: number; ignored: number; usages: Usage[] };
export type Utility = number;
export type Valence = number;
/** How many texts of a store have the vector of the chosen embedder. */
export type Vectors = { embedder: string; made: number; total: number; serving?: string };
export type Verdict = "sound" | "repaired" | "repairable" | "broken";
export type Weight = number;
/** One line of the history of what was learned. */
export type WeightChange = { key: LearnedKey; before?: Shares; after?: Shares; reason: string; at: string };
/** What was learned under one key. */
export type WeightRow = { subject: Subject; query_type?: QueryType; with_model: boolean; default: Shares; now: Shares; votes: number; state: LearningState; reason: string; updated_at?: string };
export type WeightsShown = { stores: StoreWeights[] };
export type WholeNode = { entity: EntityId; scope: Scope; name: string; kind: EntityKind; memories: number; bonds: number };
/** Where a memory comes from. */
export type WhyReply = { memory: Memory; evidence: Turn[]; decisions: Decision[]; others: Turn[]; entities: KnownEntity[]; relations: Relation[]; kept_until?: string };
/** The window, where somebody has opened it. */
export type WindowHealth = { url: string; watchers: number };
/** What a window is, told to whoever looks through it. */
export type WindowShown = { version: string; protocol: number; read_only: boolean; home: string; started_at: string };
export type WriteSource = "manual" | "observer" | "formation" | "dream" | "import";

// The shapes of the replies as the pages read them: what they need of the types
// in types.d.ts, which are made from the document that engramd serves.

export type Instant = string;
export type Id = string;
export type Scope = "session" | "project" | "user" | "team";
export type Tier = "working" | "episodic" | "semantic" | "procedural" | "codebase";
export type Kind =
  | "observation" | "decision" | "pattern" | "convention" | "fact" | "preference" | "correction" | "error_fix"
  | "architecture" | "procedure" | "plan" | "entity" | "narrative" | "summary" | "scratchpad" | "tool_outcome";
export type Status =
  | "created" | "active" | "challenged" | "consolidated" | "superseded" | "merged" | "deprecated" | "invalidated"
  | "promoted" | "archived" | "forgotten";
export type Actor = "human" | "assistant" | "ingest" | "engram";
export type Cause = string;
export type Outcome = "success" | "partial" | "failure" | "ignored";

export interface StatusChange { at: Instant; reason: string; cause: Cause }
export interface StatusStep extends StatusChange { from: Status | null; to: Status }
export interface PromotionStep { scope: Scope; memory_id: Id; promoted_at: Instant }

export interface Memory {
  id: Id; scope: Scope; tier: Tier; kind: Kind; status: Status; status_change: StatusChange;
  content: string; summary?: string; tags?: string[]; domain?: string; structured?: Record<string, unknown>;
  importance: number; confidence: number; utility: number; surprise?: number;
  emotion?: { valence: number; arousal: number; feeling?: string };
  pinned: boolean; immutable: boolean;
  access_count: number; last_used_at: Instant; stability: number; difficulty?: number; fades_at?: Instant;
  valid_from: Instant; valid_until?: Instant; recorded_at: Instant;
  source_session?: Id; source_project?: string; write_source: string; data_source: string; speaker?: string; trust: number;
  evidence?: Id[]; promotion_chain?: PromotionStep[];
  created_at: Instant; updated_at: Instant; revision: number;
}

export interface Relation { from: Id; kind: string; to: Id; created_at: Instant; confidence: number }
export interface Entity {
  id: Id; kind: string; name: string; written: string; aliases?: string[]; version?: string; confidence?: number;
  mentions: number; first_seen_at: Instant; last_seen_at: Instant;
}
export interface ToolCall { tool_name: string; arguments: Record<string, unknown>; result_summary?: string; success: boolean; duration_ms?: number }
export interface Turn {
  id: Id; event: string; role: string; session?: Id; turn_number: number; speaker?: string; content: string; tool?: ToolCall;
  token_count: number; source?: string; kind?: Kind; instructions: number; said_at: Instant; recorded_at: Instant;
}
export interface Decision {
  turn: Id; number: number; action: string; memory?: Id; other?: Id; fact?: string; reason: string; similarity?: number;
  by: string; at: Instant;
}

export interface Factor { signal: string; value: number; weight: number; adds: number }
export interface Evidence { likeness: number | null; covered: number; missing: number }
/** Why a memory has the score it has. */
export interface Why {
  score: number; factors: Factor[]; text: { score: number; terms: [string, number][] }; scope_weight: number; scope: Scope; also_in?: Scope[];
  /** The index of the team's server found it, too. */
  by_server?: boolean;
}
export interface Found extends Why {
  memory: Memory; id: Id; confidence: number; evidence: Evidence; retention: number; supersedes?: Id[]; status: Status;
}
export type Gap = { gap: "no_vectors" } | { gap: "no_model"; problem: string } | { gap: "scope_unavailable"; scope: Scope; problem: string } | { gap: "server_not_asked"; problem: string };
export interface Recalled {
  query: string; hits: Found[]; confidence: number; together: Evidence; intent: string; query_type: string; strategy: string;
  trivial?: string; gaps: Gap[]; searched: { scope: Scope; memories: number }[]; profile: string; weights: Record<"session" | "project" | "user", number>;
  oldest_at?: Instant;
}
export interface Listed { memories: Memory[]; total: number; next?: string }
export interface Inspected {
  memory: Memory; retention: number; strength: number; importance?: number; importance_terms?: string[]; storage?: number;
  sub_tier?: string; status_history: StatusStep[]; relations: Relation[];
}
export interface WhyReply {
  memory: Memory; evidence: Turn[]; decisions: Decision[]; others: Turn[]; entities: Entity[]; relations: Relation[]; kept_until?: Instant;
}
export interface OperationLine {
  id: Id; scope: Scope; cause: Cause; actor: Actor; at: Instant; memories: Id[]; undoes?: Id; undone_by?: Id; undoable: boolean;
}
export interface HistoryOf { memory_id: Id; status_history: StatusStep[]; operations_on: OperationLine[] }
export interface CurveOf {
  memory: Memory; model: string; at: Instant; retention: number; storage: number; uses: Instant[];
  points: { at: Instant; retention: number }[]; thresholds: { what: string; retention: number; reached_at?: Instant }[]; fades_at?: Instant;
}
export interface Usage { memory: Id; outcome: Outcome; source: string; recall?: Id; note?: string; session?: Id; at: Instant }
export interface UsageHistory {
  memory: Memory; utility: number; tried: number; succeeded: number; failed: number; shown: number; ignored: number; usages: Usage[];
}
export interface Changed { operation: Id; memories: Memory[]; already: boolean; decision?: Decision }
export interface Undone { operation: Id; undone: Id; cause: Cause; memories: Memory[] }

export interface Vectors { embedder: string; made: number; total: number; serving?: string }
export interface Times { count: number; up_to_ms: Record<string, number> }
export interface HookStats {
  last_at: Instant | null; last_saved_at: Instant | null; last_prompt_at: Instant | null; start_chars: number; prompt_chars: number;
  shown: number; used: number; problem?: string; events: Record<string, Times>;
}
export interface ScopeStats {
  scope: Scope; memories: number; sheets: number; by_status: Partial<Record<Status, number>>; by_kind: Partial<Record<Kind, number>>;
  pinned: number; faded: number; uses: number; bytes_on_disk: number; vectors?: Vectors;
}
export interface ProjectLine { key: string; path: string; name: string }
export interface Stats {
  scopes: ScopeStats[]; project: ProjectLine | null; gaps: Gap[]; projects: string[]; hooks: Record<string, HookStats>;
}
export interface BudgetLine { what: string; used: number; limit: number; unit: string; behaviour?: "shed" | "spool" | "refuse"; over: boolean }
export interface NextDream { store: string; after_sessions?: number; depth: string; due: boolean }
export interface Health {
  version: string; protocol: number; process: number; home: string; socket: string; started_at: Instant; requests: number;
  open_stores: string[]; open_sessions: number; resident_bytes: number | null; idle_exit_at: Instant; spooled: number;
  capture: { heard: number; known: number; decided: Record<string, number>; unread: number; refused: number; problem?: string };
  llm?: { model: string; day: string; calls: number; calls_per_day: number; tokens: number; tokens_per_day: number; problem?: string };
  masked: number; rejected: number; embedder: string; without_model?: string; vectors: (Vectors & { store: string })[];
  team_problem?: string; window?: { url: string; watchers: number }; budgets?: BudgetLine[]; next_dream?: NextDream[];
}
export interface ProjectFound {
  key: string; name: string; path: string; there: boolean; open: boolean; memories?: number; bytes: number;
}
export interface Projects { projects: ProjectFound[] }
export interface WindowReply { version: string; protocol: number; read_only: boolean; home: string; started_at: Instant }
export interface Admitted { token: string; read_only: boolean }

interface ActivityHead { number: number; at: Instant; scope?: Scope; project?: string; session?: Id; agent?: string }
export type What =
  | { what: "heard"; event: string; turns: number; masked: number }
  | { what: "decided"; action: string; memory?: Id; text?: string; reason: string }
  | { what: "recalled"; recall: Id; via: string; query: string; hits: number; confidence: number; ms: number }
  | { what: "told"; via: string; memories: Id[]; chars: number }
  | { what: "hooked"; event: string; ms?: number; problem?: string }
  | { what: "changed"; operation: Id; cause: Cause; actor: Actor; memories: Id[]; text?: string }
  | { what: "session_began" }
  | { what: "session_ended"; promoted: number }
  | { what: "dreaming"; dream: Id; store: string; step?: string; done: number; total?: number; dry_run: boolean }
  | { what: "dreamt"; dream: Id; store: string; changes: number; seconds: number; dry_run?: boolean }
  | { what: "working"; doing: string; done: number; total?: number }
  | { what: "failed"; doing: string; problem: string }
  | { what: "missed"; from: number; to: number };
export type Activity = ActivityHead & What;
export interface Activities { activities: Activity[]; latest: number }

/** A day of the calendar: 2026-11-16. */
export type Day = string;

// Graph
export interface WholeNode { entity: Id; scope: Scope; name: string; kind: string; memories: number; bonds: number }
export interface GraphWhole { nodes: WholeNode[]; edges: [number, number, string, number][]; total: number }
export interface BondLine {
  from: Id; kind: string; to: Id; weight: number; confidence: number; evidence: Id[]; valid_from: Instant; invalid_at?: Instant;
  from_name: string; to_name: string;
}
export interface EntityShown { scope: Scope; entity: Entity; description?: string; card?: Memory; memories: Memory[]; bonds: BondLine[] }
export interface EntityChanged { operation: Id; entity: Entity }

// Timeline
export type Happened = "learned" | "corrected" | "forgotten" | "changed";
export interface DayLine {
  operation: Id; at: Instant; scope: Scope; happened: Happened; cause: Cause; actor: Actor; memory: Id; kind: Kind; text: string;
  undoable: boolean; undone: boolean;
}
export interface DaySession { session?: Id | null; agent?: string | null; summary?: string | null; lines: DayLine[]; rest?: DayRest[] }
export interface DayRest { operation: Id; happened: Happened; memories: number }
export interface DayOf { day: Day; sessions: DaySession[] }
export interface Days { days: DayOf[]; next?: Id | null }

// Stores
export interface TierLine { tier: Tier; memories: number; held: number[] }
export interface DayCount { day: Day; learned: number; gone: number }
export interface StoreLine {
  scope: Scope; store: string; project?: ProjectLine | null; memories: number; capacity?: number | null; bytes: number; sheets: number;
  by_status: Partial<Record<Status, number>>; by_kind: Partial<Record<Kind, number>>; tiers: TierLine[]; growth: DayCount[];
  oldest_at?: Instant | null; vectors?: Vectors | null;
}
export interface BackupLine { file: string; bytes: number; made_at: Instant; stores: string[]; sealed?: boolean }
export interface Stores { stores: StoreLine[]; backups: BackupLine[]; sessions: number; free_bytes?: number | null }
export interface SessionLine {
  session: Id; status: string; started_at?: Instant; ended_at?: Instant; memories: number; promoted: number; summary?: string;
}
export interface Sessions { sessions: SessionLine[] }
export interface BackedUp { file: string; stores: string[]; bytes: number }
/** Begun, and not done yet: progress comes as events. */
export interface Begun { operation: Id }

// Dream
export interface Deed { memory?: Id; what: string; why: string; made?: Id }
export interface StepReport {
  step: string; looked_at: number; done: number; deeds?: Deed[]; left: number; skipped?: string; overtaken?: Id[]; risen?: Id[];
  operations?: Id[];
}
export interface Dream { id: Id; trigger: string; depth?: string; at: Instant; steps: StepReport[]; finished_at?: Instant }
export interface Awaiting { summary: Id; sources: Id[]; topic: string; reason: string; queued_at: Instant; done_at?: Instant }
export interface ConsolidationLogged { operation: Id; number: number; method: string; sources: Id[]; results: Id[]; at: Instant }
export interface ConsolidationRequest { requested_at: Instant; status: string; reason: string; completed_at?: Instant }
export interface StoreReport {
  scope: Scope; store: string; dreams: Dream[]; consolidations: ConsolidationLogged[]; awaiting: Awaiting[];
  requests: ConsolidationRequest[]; sessions: number; next_full?: number;
}
export interface DreamReports { stores: StoreReport[]; schedule: string }
export interface StoreDream { scope: Scope; store: string; dream: Dream; memories: number; seconds: number; resumed: boolean }
export interface Dreamt { dry_run: boolean; stores: StoreDream[] }
export interface ConsolidationOffered {
  next?: { scope: Scope; summary: Id; topic: string; text: string; sources: Memory[] }; waiting: number;
}

// Review
export type Ruling = "both" | "newer" | "older" | "merge";
export type Side = { side: "memory"; memory: Memory; evidence: Turn[] } | { side: "entity"; entity: Entity } | { side: "gone" };
export interface ReviewLine {
  scope: Scope;
  review: {
    id: Id; pair: "memories" | "entities"; newer: Id; older: Id; reason: string; similarity?: number; opened_at: Instant;
    closed?: { ruling: Ruling; actor: Actor; at: Instant };
  };
  newer: Side; older: Side;
}
export interface Reviews { reviews: ReviewLine[] }

// Evolution
export type Shares = Record<string, number>;
export interface LearnedKey { subject: string; query_type?: string; with_model: boolean }
export interface WeightRow extends LearnedKey {
  default: Shares; now: Shares; votes: number; state: "learning" | "converged" | "too_few" | "rolled_back" | "off"; reason: string;
  updated_at?: Instant;
}
export interface WeightChange { key: LearnedKey; before?: Shares; after?: Shares; reason: string; at: Instant }
export interface RateLine extends LearnedKey { word: string; rate: number; votes: number; sure: boolean }
export interface StoreWeights {
  scope: Scope; store: string; learning: boolean; rows: WeightRow[]; rates: RateLine[]; noise: number; history: WeightChange[];
}
export interface WeightsShown { stores: StoreWeights[] }
export interface CandidateLine {
  scope: Scope; priority: "critical" | "high" | "medium" | "low"; criteria: string; nodes: Id[]; suggested: string; utility: number;
  uses: number; idle_days: number; similarity?: number; missing?: string[]; why: string; texts: string[];
}
export interface Candidates { evaluated: number; candidates: CandidateLine[] }
export interface StoreEvolution {
  scope: Scope; store: string; candidates_evaluated: number;
  actions_taken: { deprecated: number; refined: number; merged: number; archived: number; induced_skills: number };
  details: { node_id: Id; action: string; new_id?: Id; reason: string; undone?: boolean }[]; summary: string;
  next?: { at?: Instant; updates_left: number; procedures_left: number };
}
export interface EvolutionReports { stores: StoreEvolution[] }
export interface Evolved {
  operation: Id; action: string; nodes: Id[]; new?: Id; memories: Memory[]; reason: string;
  files?: { file: string; done: string; why?: string }[]; already: boolean;
}
export type SkillState = "as_written" | "edited" | "missing" | "removed_by_hand" | "foreign";
export interface SkillLine {
  name: string; description: string; scope?: Scope; memory?: Id; protected: boolean; utility?: number; tried: number; failed: number;
  file?: string; state?: SkillState; text: string;
}
export interface SkillsFound { skills: SkillLine[] }
export interface Insight {
  id: string; insight: string; subject: string; description: string; evidence: string[]; action_taken?: string;
  proposal?: { setting: string; value: string; why: string }; created_at: Instant; last_seen_at: Instant; closed_at?: Instant;
}
export interface ReflectionLogged {
  dream: Id; triggered_by: string; session_count_at: number; insights_generated: number; entities_merged: number; edges_pruned: number;
  memories_archived: number; duration_ms: number; at: Instant;
}
export interface Reflections { stores: { scope: Scope; store: string; insights: Insight[]; reflections: ReflectionLogged[] }[] }

// Settings
export interface SettingLine {
  key: string; value: string | number | boolean; source: string; default: string | number | boolean; about: string; personal: boolean;
}
export interface SettingsListed { settings: SettingLine[]; files: string[] }
export interface Examined { checks: { what: string; verdict: "sound" | "repaired" | "repairable" | "broken"; detail: string }[]; sound: boolean }

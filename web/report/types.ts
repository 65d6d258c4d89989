// SPDX-License-Identifier: Apache-2.0
// The JSON of `gpusight report --json`, schema 1, as far as the page shows it. Next: main.ts.

export type Num = number | null;
export interface Unknown { unknown?: Record<string, string> }

export interface Series extends Unknown {
  unit: string;
  mean: Num; least: Num; most: Num;
  most_at_seconds?: number;
  missing_seconds?: number; missing_why?: string;
  means?: Num[]; leasts?: Num[]; mosts?: Num[];
}

export interface Layer { kind: string; process: Num; at_peak_bytes: number; bytes: Num[] }

export interface Memory extends Unknown {
  peak_used_bytes: Num; peak_at_seconds?: number; peak_total_bytes?: number;
  unaccounted_peak_bytes: Num;
  incomplete_pieces: number; incomplete_why?: string; unbalanced_pieces: number;
  total_bytes: Num[];
  layers: Layer[];
}

export interface Device extends Unknown {
  uuid: string; index: number; name: string | null;
  gpu_instance: Num; compute_instance: Num;
  idle_ratio: Num; energy_joules: Num; energy_from: string;
  series: Record<string, Series>;
  clock_event_seconds: Record<string, Num> & Unknown;
  clock_event_reasons: Num[];
  memory: Memory;
  utilization_samples: {
    step_seconds: number; cut: boolean;
    stretches: { start_seconds: number; percent: Num[] }[];
  };
}

export interface Process extends Unknown {
  pid: number; role: string; user: string | null; command: string | null;
  command_line: string | null; container: string | null;
  rank: Num; world_size: Num; first_seen_seconds: Num; last_seen_seconds: Num;
  devices: number[];
  memory_peak_bytes: Num; allocated_peak_bytes: Num; reserved_peak_bytes: Num;
  allocation_retries: Num; out_of_memory: Num;
  cpu_mean_cores: Num; cpu_most_cores: Num; resident_most_bytes: Num;
  read_bytes: Num; written_bytes: Num;
  framework: Unknown & {
    name: string | null; version: string | null; python: string | null; script: string | null;
    dtype: string | null; settings: string | null; mixed_precision: boolean; compiled: boolean;
  };
}

export interface Steps {
  process: number; steps: number; merged_steps: number; seconds: number;
  data_wait_seconds: number; mean_seconds: number; least_seconds: number; p50_seconds: number;
  p95_seconds: number; p99_seconds: number; most_seconds: number;
  histogram: { from_seconds: number; to_seconds: number; steps: number }[];
  outlier_count: number;
  outliers: { number: number; end_seconds: number; seconds: number; data_wait_seconds: number }[];
  mean_seconds_series: Num[]; most_seconds_series: Num[]; data_wait_ratio_series: Num[];
}

export interface Idle {
  process: number; device: number; why: string;
  seconds: number; idle_seconds: number; explained_seconds: number; counted_seconds: number; unsteady_seconds: number;
  driver_clock_offset_seconds: [number, number]; program_clock_offset_seconds: [number, number];
  places: { place: string; idle_seconds: number; share: number }[];
  flame: [number, string, number, number][];
}

export interface Finding {
  rule: string; begin_seconds: number; end_seconds: number; severity: number; confidence: number;
  device_uuid: string | null; pid: Num; text: string; text_zh: string; evidence: (Said & { key: string })[];
}

interface Said { en: string; zh: string }
export interface Failure {
  told: boolean; kind: string; title: Said; how: Said;
  before: { seconds: number[]; rows: { label: Said; unit: string; values: (number | null)[] }[] };
  places: { place: string; share: number }[];
  advice: Advice[];
}
export interface Advice { framework: string | null; what: Said; code: string | null }
interface Row { label: Said; number: string; total: boolean }

export interface PostMortem extends Unknown {
  process: Num; time_seconds: Num; observed: boolean; caught: boolean; class: string; confidence: number;
  title: Said; sentence: Said; remarks: Said[]; gaps: Said[];
  unit: string | null; account: Row[]; request: Row[];
  advice: Advice[];
  stack: string[];
}

export interface Report {
  schema: number;
  run: Unknown & {
    name: string; arguments: string[]; folder: string | null; pid: Num; watched: boolean;
    start_seconds: number; first_frame_seconds: number; last_frame_seconds: number;
    duration_seconds: number; covered_seconds: number; full_rate_seconds: number;
    frames: number; frames_lost: number; gpusight: string | null;
    hostname: string | null; kernel: string | null; driver_version: string | null;
    cuda_version: string | null; git_commit: string | null; git_changed: boolean | null;
    tags: Record<string, string>; versions: Record<string, string>;
    environment: Record<string, string>;
    end: Unknown & {
      kind: string | null; time_seconds: Num; code: Num; signal: Num; text: string | null; text_zh: string | null;
    };
  };
  totals: Record<string, Num> & Unknown;
  timeline: { start_seconds: number; step_seconds: number; pieces: number };
  devices: Device[];
  host: { series: Record<string, Series> };
  processes: Process[];
  processes_cut: boolean;
  steps: Steps[];
  idle: Idle[];
  phases: { process: number; begin_seconds: number; end_seconds: number; name: string }[];
  marks: { process: number; type: string; time_seconds: number; value: number; text: string | null }[];
  out_of_memory: {
    process: number; time_seconds: number; ordinal: number; requested_bytes: number;
    device_total_bytes: number; device_free_bytes: number; allocated_bytes: number;
    reserved_bytes: number; active_bytes: number; inactive_split_bytes: number; caught: boolean;
    stack: string | null;
  }[];
  metrics: { name: string; series: Series }[];
  failure: Failure;
  post_mortems: PostMortem[];
  events: { type: string; time_seconds: number; device_uuid: string | null; number: number }[];
  findings: Finding[];
  output: { time_seconds: number; stream: string; text: string }[];
  left_out: number;
}

export interface Texts {
  lang: "en" | "zh";
  en: Record<string, string>;
  zh: Record<string, string>;
  labels: Record<string, { en: string; zh: string }>;  // of series and of the words in the data
  reasons: Record<string, string>;                      // English reason -> Chinese
}

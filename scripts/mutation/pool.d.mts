import type { Edit } from './mutants.mjs';

export interface JudgeJob {
  readonly type: 'judge';
  readonly file: string;
  readonly edit: Edit;
  readonly runs: readonly { readonly test: string; readonly ids?: readonly string[] }[];
}
export interface Verdict {
  readonly state: 'killed' | 'timeout' | 'survived';
}
export function runJobs(
  jobs: readonly JudgeJob[],
  options: {
    readonly workers: number;
    readonly timeoutMs: (job: JudgeJob) => number;
    readonly onLost: (job: JudgeJob, why: 'timeout' | 'crash') => Verdict;
    readonly onAnswer: (answer: Verdict, job: JudgeJob) => void;
  },
): Promise<Verdict[]>;

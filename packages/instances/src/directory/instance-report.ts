/** What an instance says about its servers and calls, for operators. No instance acts on it. */

import * as z from 'zod';

/** Sent with each renewal of the entry in the directory. */
export interface InstanceReport {
  /** The name of its machine. */
  readonly host: string;
  readonly pid: number;
  /** Calls that ended in a second, on average since the last report. */
  readonly callsPerSecond: number;
  readonly inFlight: number;
  /** How many orders to reload it has carried out, of those that were ever given. Earlier versions do not say. */
  readonly reloads?: number | undefined;
  /** Why it cannot use its file as it is now. It goes on with what it read before. Missing: it uses the file. */
  readonly configProblem?: string | undefined;
  readonly servers: readonly ReportedServer[];
}

/** A server as one instance sees it. */
export interface ReportedServer {
  readonly key: string;
  /** `one`: it runs on the instance that holds its lease, and the others are connected to it there. */
  readonly placement: 'one' | 'each';
  readonly state: string;
  readonly reason?: string | undefined;
  /** When it entered this state, as ISO 8601. */
  readonly since?: string | undefined;
  readonly tools: number;
  readonly restarts: number;
}

const REPORT = z.lazy(() =>
  z.object({
    host: z.string(),
    pid: z.number(),
    callsPerSecond: z.number(),
    inFlight: z.number(),
    reloads: z.number().optional(),
    configProblem: z.string().optional(),
    servers: z.array(
      z.object({
        key: z.string(),
        placement: z.enum(['one', 'each']),
        state: z.string(),
        reason: z.string().optional(),
        since: z.iso.datetime().optional(),
        tools: z.number(),
        restarts: z.number(),
      }),
    ),
  }),
);

/** `undefined` if an instance of another version wrote it in another form. */
export function readReport(stored: unknown): InstanceReport | undefined {
  return REPORT.safeParse(stored).data;
}

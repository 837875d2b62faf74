export interface ClusterCall {
  readonly era: 'session' | 'stateless';
  readonly tool: string;
  readonly n: string;
  readonly is: 'ok' | 'refused' | 'failed' | 'broken' | 'wrong';
  readonly reason?: string;
  /** Milliseconds since 1970. */
  readonly start: number;
  readonly end: number;
}

export interface ClusterReport {
  readonly calls: readonly ClusterCall[];
  /** How often an instance was ended. */
  readonly ends: number;
  /** How long each of them took to end, in milliseconds. */
  readonly took: readonly number[];
  /** How many calls each instance answered, by its number. */
  readonly answered: readonly number[];
  /** Calls that ran on another instance than the one that the client had reached. */
  readonly forwarded: number;
  /** Violations; empty after a good run. */
  readonly flaws: readonly string[];
  /** What was done to instances besides ending them, and when, in milliseconds since 1970. */
  readonly troubles: readonly {
    readonly what: string;
    readonly from: number;
    readonly to: number;
  }[];
  readonly lostSessions: number;
  readonly decided: number;
}

export function runCluster(options: {
  /** The file that starts `callsign`. */
  readonly command: string;
  readonly seconds: number;
  readonly killEvery: number;
  /** How instances end: like in a power failure (default), or by SIGTERM. */
  readonly signal?: 'SIGKILL' | 'SIGTERM';
  /** Which instance ends: each in turn (default), or the one that runs the server `ledger`. */
  readonly target?: 'turns' | 'owner';
  /** The run ends after so many ends of instances. Default: after its time. */
  readonly ends?: number;
  /** Seconds without a database in the middle. Default: none. */
  readonly outage?: number;
  /** Seconds in the middle in which the database takes statements and answers none. Default: none. */
  readonly hang?: number;
  /** Seconds in which the instance that runs the server `ledger` is suspended. Default: none. */
  readonly freeze?: number;
  /** Seconds with a program in the directory that does not know the secrets, and takes a lease. Default: none. */
  readonly forge?: number;
  readonly mode?: 'best-effort' | 'strict';
  readonly balancer: 'haproxy' | 'nginx' | 'own';
  /** Clients of each era. */
  readonly clients?: number;
  readonly say?: (text: string) => void;
}): Promise<ClusterReport>;

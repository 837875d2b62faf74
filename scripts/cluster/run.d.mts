export interface ClusterCall {
  readonly era: 'session' | 'stateless';
  readonly tool: string;
  readonly n: string;
  readonly is: 'ok' | 'refused' | 'failed' | 'broken' | 'wrong';
  readonly reason?: string;
}

export interface ClusterReport {
  readonly calls: readonly ClusterCall[];
  /** When instances were killed. */
  readonly kills: readonly number[];
  /** What must not have happened. */
  readonly flaws: readonly string[];
  readonly lostSessions: number;
  readonly decided: number;
}

export function runCluster(options: {
  /** The file that starts `callsign`. */
  readonly command: string;
  readonly seconds: number;
  readonly killEvery: number;
  readonly balancer: 'haproxy' | 'nginx' | 'own';
  /** Clients of each era. */
  readonly clients?: number;
  readonly say?: (text: string) => void;
}): Promise<ClusterReport>;

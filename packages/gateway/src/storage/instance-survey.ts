/** All instances that share a storage, for operators: the directory, the leases, and what each instance reports. */

import { leaseName, SILENCE_MS } from '@callsign/instances';
import type {
  InstanceDirectory,
  KnownInstance,
  Lease,
  Leases,
  ReportedServer,
} from '@callsign/instances';

/** A server in the report of one instance. */
export interface SurveyedServer extends ReportedServer {
  /** False if another instance runs it, and this one is connected to it there. */
  readonly runsHere: boolean;
}

/** One instance. `state` goes by the time since its last announcement, not only by what it said. */
export interface SurveyedInstance extends Omit<KnownInstance, 'key' | 'report' | 'state'> {
  /** `silent`: it missed announcements. `gone`: it counts as ended. */
  readonly state: 'ready' | 'draining' | 'silent' | 'gone';
  /** Whether it runs the same configuration as this process. */
  readonly isCurrent: boolean;
  /** What runs on this instance only. */
  readonly leases: readonly string[];
  /** Missing, like all that follows, if it has not reported yet. */
  readonly host?: string;
  readonly pid?: number;
  readonly callsPerSecond?: number;
  readonly inFlight?: number;
  /** Why it cannot use its file as it is now. Missing if it can. */
  readonly configProblem?: string | undefined;
  readonly servers?: readonly SurveyedServer[];
}

export interface SurveyedStorage {
  readonly directory: Pick<InstanceDirectory, 'known'>;
  readonly leases: Pick<Leases, 'list'>;
}

/** Three announcements. */
const SILENT_MS = 6_000;

/** The oldest first. `configuration`: the hash of the own one. */
export async function surveyInstances(
  { directory, leases }: SurveyedStorage,
  configuration: string,
): Promise<SurveyedInstance[]> {
  const [known, taken] = await Promise.all([directory.known(), leases.list()]);
  return known.map((instance) => surveyed(instance, taken, configuration));
}

function surveyed(
  { key: _key, report, ...instance }: KnownInstance,
  taken: readonly Lease[],
  configuration: string,
): SurveyedInstance {
  const own = taken.filter(({ holder }) => holder === instance.id).map(({ name }) => name);
  const servers = report?.servers.map((server) => {
    const runsHere = server.placement === 'each' || own.includes(leaseName(server.key));
    return { ...server, runsHere };
  });
  return {
    ...instance,
    state: stateOf(instance),
    isCurrent: instance.configuration === configuration,
    leases: own,
    ...(report && servers ? { ...report, servers } : {}),
  };
}

function stateOf({
  silentMs,
  state,
}: Pick<KnownInstance, 'silentMs' | 'state'>): SurveyedInstance['state'] {
  if (silentMs >= SILENCE_MS) return 'gone';
  return silentMs >= SILENT_MS ? 'silent' : state;
}

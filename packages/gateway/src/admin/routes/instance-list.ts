/** All instances of a gateway as plain data, and the warnings about them. */

import type { Gateway } from '../../gateway/gateway.js';
import type { SurveyedInstance } from '../../storage/instance-survey.js';
import type { InstancesData, WarningData } from '../data/admin-data.js';
import { AdminError } from '../router/admin-error.js';

const NONE: InstancesData = { instances: [], warnings: [] };

/** Reads the database. Rejects if it is away. */
export async function listInstances({ shared: { joined } }: Gateway): Promise<InstancesData> {
  if (!joined) return NONE;
  const found = await joined.survey().catch((error: Error) => {
    throw new AdminError(503, `Other instances cannot be listed: ${error.message}.`);
  });
  const self = joined.membership.self.id;
  const instances = found.map(({ silentMs: _silentMs, ...instance }) => {
    return { ...instance, isSelf: instance.id === self };
  });
  return { instances, warnings: warningsAbout(found) };
}

/** The last known instances while the database is away. */
export function withoutDatabase(last: InstancesData | undefined, reason: string): InstancesData {
  const text = `${reason} They are shown as they were before.`;
  const warning: WarningData = { about: 'instance', isSevere: true, text, link: '/now' };
  return { instances: last?.instances ?? [], warnings: [warning] };
}

function warningsAbout(instances: readonly SurveyedInstance[]): WarningData[] {
  const running = instances.filter(({ state }) => state !== 'gone');
  const newest = Math.max(...running.map(({ startedAt }) => Date.parse(startedAt)));
  return instances.flatMap((instance) => {
    const text = warningText(instance, newest);
    return text === undefined ? [] : [{ about: 'instance', isSevere: false, text, link: '/now' }];
  });
}

function warningText(instance: SurveyedInstance, newest: number): string | undefined {
  const { state, isCurrent, seenAt, configProblem } = instance;
  const name = nameOf(instance);
  // An instance that started later has taken its place.
  if (state === 'gone') {
    return newest > Date.parse(seenAt) ? undefined : `${name} stopped unexpectedly`;
  }
  if (state === 'silent') return `${name} does not answer: it may have stopped`;
  if (configProblem !== undefined) return `${name} cannot use its file: ${configProblem}`;
  if (isCurrent) return undefined;
  return `${name} runs another configuration. To make all instances read their files: callsign reload --all`;
}

function nameOf({ id, host }: SurveyedInstance): string {
  return host === undefined ? `Instance ${id}` : `Instance ${id} on ${host}`;
}

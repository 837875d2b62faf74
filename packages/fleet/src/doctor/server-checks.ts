/** Checks that servers start, that clients accept their names, and that remote clocks agree. */

import type { RemoteServer } from '@callsign/gateway';
import { CLIENT_PRODUCTS } from '@callsign/naming';

import type { Fleet } from '../fleet/fleet.js';
import { howItFailed } from '../fleet/not-started.js';
import type { OfferedServer } from '../fleet/offered-server.js';
import { counted } from '@callsign/terminal';
import { fail, pass, warn, type Finding } from './finding.js';

/** A failure comes with the output of the server, if it printed any. */
export function checkStart({ key, failure, said = [], tools }: OfferedServer): Finding {
  const check = `${key}: start`;
  if (failure === undefined) {
    return pass(check, `answers, with ${counted(tools.length, 'tool')}`);
  }
  if (said.length === 0) {
    return fail(check, howItFailed(failure), `check its entry: callsign get ${key}`);
  }
  const fix = 'read its output above and correct its entry';
  // The line that explains it is left out if it is among the lines below.
  const reason = failure.replace(/; it said: (.*)$/, (words, line: string) =>
    said.some((each) => each.includes(line.replace(/…$/, '').trim())) ? '' : words,
  );
  return { ...fail(check, howItFailed(reason), fix), said };
}

/** Names that cause problems in clients. Changed names work, so they are not reported. */
export function checkNames(fleet: Fleet): Finding[] {
  return CLIENT_PRODUCTS.flatMap(({ id }) => {
    const { tools, problems } = fleet.view(id).table('tool');
    const changed = tools.filter(({ exact }) => !exact).length;
    const troubles = problems.filter(({ severity }) => severity !== 'info');
    if (troubles.length === 0) {
      const how = changed === 0 ? 'none changed' : `${changed} changed to fit`;
      return [pass(`names: ${id}`, `${tools.length} names, ${how}`)];
    }
    return troubles.map(({ severity, message, advice }) =>
      (severity === 'error' ? fail : warn)(`names: ${id}`, message, advice),
    );
  });
}

const PATIENCE_MS = 3_000;
/** With a difference of more than a minute, tokens count as expired. */
const MOST_SKEW_MS = 60_000;

/** Compares clocks by the `Date` header of any answer. Sends no credentials. */
export async function checkClock({ key, url }: RemoteServer): Promise<Finding[]> {
  const check = `${key}: clock`;
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const { headers } = await fetch(new URL(url).origin, {
      method: 'HEAD',
      redirect: 'manual',
      signal,
    });
    const theirs = Date.parse(headers.get('date') ?? '');
    if (Number.isNaN(theirs)) return [];
    const seconds = Math.round(Math.abs(Date.now() - theirs) / 1_000);
    if (seconds * 1_000 <= MOST_SKEW_MS) return [pass(check, `${seconds} s apart`)];
    const fix = 'set the clock of this machine; otherwise tokens count as expired';
    return [warn(check, `its clock and ours are ${seconds} s apart`, fix)];
  } catch {
    // An unreachable server is reported by its start.
    return [];
  }
}

/** Checks that servers start, that clients accept their names, and that remote clocks agree. */

import type { RemoteServer } from '@callsign/gateway/host';
import { CLIENT_PRODUCTS } from '@callsign/naming';
import { HttpClient } from '@callsign/outbound';

import type { Fleet } from '../fleet/fleet.js';
import { howItFailed, isSignInWanted } from '../fleet/not-started.js';
import type { OfferedServer } from '../fleet/offered-server.js';
import { counted } from '@callsign/terminal';
import { fail, pass, warn, type Finding } from './finding.js';

/** Callsign skips such lines. */
const STRAY_FIX =
  'other clients may refuse it: only messages belong on its output, and logs on its standard error';

/** A failure comes with the output of the server, if it printed any. */
export function checkStart({ key, failure, said = [], stray, tools }: OfferedServer): Finding {
  const check = `${key}: start`;
  if (failure === undefined) {
    const answers = `answers, with ${counted(tools.length, 'tool')}`;
    return stray === undefined
      ? pass(check, answers)
      : warn(check, `${answers}, but it printed: ${stray}`, STRAY_FIX);
  }
  if (said.length === 0) {
    const fix = isSignInWanted(failure)
      ? `sign in: callsign login ${key}, or put a token into its "headers"`
      : `check its entry: callsign get ${key}`;
    return fail(check, howItFailed(failure), fix);
  }
  const fix = 'read its output above and correct its entry';
  // The line that explains it is left out if it is among the lines below.
  const reason = failure.replace(/; it said: (.*)$/, (words, line: string) =>
    said.some((each) => each.includes(line.replace(/…$/, '').trim())) ? '' : words,
  );
  return { ...fail(check, howItFailed(reason), fix), said };
}

/**
 * Names that cause problems in clients. Changed names work, so they are only counted: in one line,
 * which names the clients that differ from most others.
 */
export function checkNames(fleet: Fleet): Finding[] {
  const fits = new Map<string, string[]>();
  const troubles = new Map<string, { clients: string[]; finding: Finding }>();
  for (const { id } of CLIENT_PRODUCTS) {
    const { tools, problems } = fleet.view(id).table('tool');
    const found = problems.filter(({ severity }) => severity !== 'info');
    for (const { severity, message, advice } of found) {
      const finding = (severity === 'error' ? fail : warn)('names', message, advice);
      const same = troubles.get(message) ?? { clients: [], finding };
      same.clients.push(id);
      troubles.set(message, same);
    }
    if (found.length > 0) continue;
    const changed = tools.filter(({ exact }) => !exact).length;
    const how = changed === 0 ? 'none changed' : `${changed} changed to fit`;
    const fit = `${counted(tools.length, 'name')}, ${how}`;
    fits.set(fit, [...(fits.get(fit) ?? []), id]);
  }
  const [usual, ...others] = [...fits].toSorted(([, a], [, b]) => b.length - a.length);
  const different = others.map(([fit, clients]) => `; in ${clients.join(', ')}: ${fit}`);
  return [
    ...(usual ? [pass('names', usual[0] + different.join(''))] : []),
    ...Array.from(troubles.values(), ({ clients, finding }) =>
      clients.length === CLIENT_PRODUCTS.length
        ? finding
        : { ...finding, check: `names: ${clients.join(', ')}` },
    ),
  ];
}

const PATIENCE_MS = 3_000;
/** With a difference of more than a minute, tokens count as expired. */
const MOST_SKEW_MS = 60_000;

/** Compares clocks by the `Date` header of any answer. Sends no credentials. */
export async function checkClock({ key, url }: RemoteServer): Promise<Finding[]> {
  const check = `${key}: clock`;
  const client = new HttpClient();
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const { headers } = await client.request(new URL(url).origin, { method: 'HEAD', signal });
    const theirs = Date.parse(headers.date ?? '');
    if (Number.isNaN(theirs)) return [];
    const seconds = Math.round(Math.abs(Date.now() - theirs) / 1_000);
    if (seconds * 1_000 <= MOST_SKEW_MS) return [pass(check, `${seconds} s apart`)];
    const fix = 'set the clock of this machine; otherwise tokens count as expired';
    return [warn(check, `its clock and ours are ${seconds} s apart`, fix)];
  } catch {
    // An unreachable server is reported by its start.
    return [];
  } finally {
    client.close();
  }
}

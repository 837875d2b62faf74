/**
 * Finds labels to review: contradicted claims, and accepted labels that have lapsed. Counts the
 * tools that are withheld, and those that roles hide.
 */

import type { Entry } from '@callsign/core';
import { reasonFor, RISKS } from '@callsign/effects';
import { counted } from '@callsign/terminal';

import type { Fleet } from '../fleet/fleet.js';
import { isHiddenByRoles } from '../fleet/withheld.js';
import { pass, warn, type Finding } from './finding.js';

/** One warning per label to review, or one line with the counts if there is none. */
export function checkLabels({ tools }: Fleet): Finding[] {
  const entries = [...tools.values()];
  const warnings = entries.flatMap(warningFor);
  if (warnings.length > 0) return warnings;
  const counts = RISKS.map((word) => {
    return `${entries.filter(({ risk }) => risk === word).length} ${word}`;
  });
  return [pass('labels', `${counted(entries.length, 'tool')}: ${counts.join(', ')}`)];
}

/** More are only counted. */
const MOST_NAMED = 5;

/** One warning for each server with withheld tools. */
export function checkWithheld({ config, servers, withheld, tools }: Fleet): Finding[] {
  return servers.flatMap(({ key }) => {
    const own = [...withheld].filter(([name]) => tools.get(name)?.ref.server === key);
    if (own.length === 0) return [];
    const named = own.slice(0, MOST_NAMED).map(([name, reason]) => `${name} (${reason})`);
    const rest = own.length > MOST_NAMED ? `, and ${own.length - MOST_NAMED} more` : '';
    const what = `${counted(own.length, 'tool')} withheld: ${named.join(', ')}${rest}`;
    const fix =
      config.settings.lock === 'enforce'
        ? `see what changed: callsign lock diff ${key}`
        : `read it: callsign tools show ${own[0]![0]}`;
    return [warn(`withheld: ${key}`, what, fix)];
  });
}

/** What callers without a key get, such as every client on stdio. Nothing to say without roles. */
export function checkRoles({ config, tools }: Fleet): Finding[] {
  const { roles, access, auth } = config.settings;
  if (roles === undefined || tools.size === 0) return [];
  const seen = [...tools.values()].filter((entry) => !isHiddenByRoles(config, entry)).length;
  const what = `callers without a key get ${seen} of ${counted(tools.size, 'tool')}`;
  if (seen > 0 || auth !== undefined) return [pass('roles', what)];
  const [name] = tools.keys();
  const fix =
    access.anonymous.length === 0
      ? 'give them a role: "access": { "anonymous": ["ROLE"] }'
      : `find out why: callsign policy test ${name}`;
  return [warn('roles', what, fix)];
}

function warningFor(entry: Entry): Finding[] {
  const { canonical, contradiction, hasLapsed, ref, risk } = entry;
  const check = `label: ${canonical}`;
  const fix = `review it: callsign labels review ${ref.server}`;
  if (hasLapsed) {
    return [warn(check, 'the accepted label has expired; the definition has changed', fix)];
  }
  return contradiction ? [warn(check, `counts as ${risk}: ${reasonFor(entry)}`, fix)] : [];
}

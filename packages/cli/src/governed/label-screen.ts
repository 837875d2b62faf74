/** Shows the labels of all tools, and asks once about the inferred ones. For `setup`. */

import { countLabels, type ServerLabels } from '@callsign/effects';
import type { GatewayConfig } from '@callsign/gateway/host';
import { withLabels } from '@callsign/gateway/admin';
import { askWhether, counted, onOneLine } from '@callsign/terminal';

import type { Context } from '../command/command.js';
import { editConfig } from '../config-file/config-text.js';
import { COUNT_COLUMNS, groundLines } from '../fleet/count-columns.js';
import { warnOfFleet } from '../fleet/fleet.js';
import { howItFailed } from '../fleet/not-started.js';
import { isSwitchedOff } from '../fleet/withheld.js';
import { isInferred, needsReview } from './label-review.js';
import { openPlainFleet } from './plain-fleet.js';

export interface ShownLabels {
  readonly servers: readonly ServerLabels[];
  /** Why servers did not start, by key. */
  readonly failed: ReadonlyMap<string, string>;
}

/**
 * Starts every server, because a remembered list does not show that a server still starts. Counts
 * the tools that clients will get.
 */
export async function showLabels(
  context: Context,
  config: GatewayConfig,
  isAsking: boolean,
): Promise<ShownLabels> {
  const { json, out, say } = context;
  const fleet = await openPlainFleet(context, config, { refresh: true });
  warnOfFleet(context, fleet);
  const failed = new Map(
    fleet.servers.flatMap(({ key, failure }) =>
      failure === undefined ? [] : [[key, `it ${howItFailed(onOneLine(failure))}`] as const],
    ),
  );
  const entries = [...fleet.tools.values()].filter(({ ref }) => !isSwitchedOff(config, ref));
  const servers = countLabels(entries);
  const shown = { servers, failed };
  if (json || servers.length === 0) return shown;
  out.table(servers, COUNT_COLUMNS);
  for (const line of groundLines(servers)) say(line);
  const inferred = entries.filter(isInferred);
  const question = `${counted(inferred.length, 'label')} come only from the words of the tools. Accept them?`;
  if (isAsking && inferred.length > 0 && (await askWhether(question, false))) {
    const labels = inferred.map((entry) => ({ entry, risk: entry.risk }));
    await editConfig(context, (text) => withLabels(text, labels));
    return shown;
  }
  const open = entries.filter(needsReview).length;
  if (open > 0) say(`${counted(open, 'label')} can be reviewed later: callsign labels review`);
  return shown;
}

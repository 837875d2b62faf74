/** Shows the labels of all tools, and asks once about the inferred ones. For `setup`. */

import { countLabels, type ServerLabels } from '@callsign/effects';
import type { GatewayConfig } from '@callsign/gateway/host';
import { withLabels } from '@callsign/gateway/admin';
import { askWhether, counted } from '@callsign/terminal';

import type { Context } from '../command/command.js';
import { editConfig } from '../config-file/config-text.js';
import { COUNT_COLUMNS } from '../fleet/count-columns.js';
import { warnOfFleet } from '../fleet/fleet.js';
import { isInferred, needsReview } from './label-review.js';
import { openPlainFleet } from './plain-fleet.js';

/** Starts the servers whose tools are not known yet. */
export async function showLabels(
  context: Context,
  config: GatewayConfig,
  isAsking: boolean,
): Promise<readonly ServerLabels[]> {
  const { json, out, say } = context;
  const fleet = await openPlainFleet(context, config, {});
  warnOfFleet(context, fleet);
  const entries = [...fleet.tools.values()];
  const servers = countLabels(entries);
  if (json || servers.length === 0) return servers;
  out.table(servers, COUNT_COLUMNS);
  const inferred = entries.filter(isInferred);
  const question = `${counted(inferred.length, 'label')} come only from the words of the tools. Accept them?`;
  if (isAsking && inferred.length > 0 && (await askWhether(question, false))) {
    const labels = inferred.map((entry) => ({ entry, risk: entry.risk }));
    await editConfig(context, (text) => withLabels(text, labels));
    return servers;
  }
  const open = entries.filter(needsReview).length;
  if (open > 0) say(`${counted(open, 'label')} can be reviewed later: callsign labels review`);
  return servers;
}

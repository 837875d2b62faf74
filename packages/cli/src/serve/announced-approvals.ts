/** Logs calls that wait for an approval, with the command that decides. */

import type { Log } from '@callsign/core';
import type { Gateway } from '@callsign/gateway/host';
import type { LiveLog } from '@callsign/gateway/telemetry/live-log';
import { onOneLine } from '@callsign/terminal';

export function announceApprovals(
  approvals: Gateway['approvals'],
  log: Log,
  live: LiveLog | undefined,
): void {
  approvals.subscribe((event) => {
    const { type, id } = event;
    const tool = onOneLine(event.tool);
    if (type === 'settled') {
      const sentence = `${tool} (${id}): ${event.outcome}`;
      if (live) live.approval(sentence);
      else log('info', sentence);
      return;
    }
    const client = approvals.pending.find((each) => each.id === id)?.caller.client ?? '';
    const from = client === '' ? '' : ` from ${onOneLine(client)}`;
    const commands = `To see it: callsign approvals show ${id}. To allow it: callsign approvals approve ${id}`;
    const sentence = `${tool}${from} waits for an approval. ${commands}`;
    if (live) live.approval(sentence);
    else log('warning', sentence);
  });
}

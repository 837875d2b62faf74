/** `callsign approvals list`: the calls that wait for the operator. */

import { notShown } from '@callsign/core';
import { listApprovals, type RemoteApproval } from '@callsign/gateway/admin';
import { onOneLine } from '@callsign/terminal';

import type { CommandModule } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { asked, requireGateways, type GatewayWords } from '../governed/running-gateways.js';

export const command: CommandModule<GatewayWords> = {
  describe(line) {
    line.description(
      'Lists the calls that wait for your approval at the running gateways, the oldest first. ' +
        'Arguments are shown without secrets.',
    );
  },

  async run(context, { options }) {
    const { json, out, say } = context;
    const waiting = await asked(listApprovals(await requireGateways(context, options)));
    if (json) {
      out.json({ approvals: waiting });
    } else if (waiting.length === 0) {
      say('No calls are waiting.');
    } else {
      out.table(waiting, [
        { title: 'ID', text: ({ id }) => id, tint: () => 'name', isWhole: true },
        { title: 'TOOL', text: ({ tool }) => tool, isWhole: true },
        { title: 'ARGUMENTS', text: (each) => each.arguments },
        { title: 'CALLER', text: callerText, isOptional: true },
        { title: 'LEFT', text: ({ remainingMs }) => `${Math.ceil(remainingMs / 1000)} s` },
        { title: 'BECAUSE', text: ({ rule }) => rule },
      ]);
      // Not in the table: its cells are cut in a terminal.
      for (const { id, hidden } of waiting) {
        const missing = notShown(hidden);
        if (missing !== undefined) out.lines(out.paint('warning', onOneLine(`${id} ${missing}`)));
      }
      say(
        'To see one in full: callsign approvals show ID. To decide: callsign approvals approve ID or callsign approvals deny ID',
      );
    }
    return EXIT.ok;
  },
};

function callerText({ caller: { name, client } }: RemoteApproval): string {
  return name === undefined ? client : `${name} (${client})`;
}

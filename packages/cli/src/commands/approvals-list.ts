/** `callsign approvals list`: the calls that wait for a word of the operator. */

import { listApprovals, type RemoteApproval } from '@callsign/gateway';

import type { CommandModule } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { asked, requireGateways, type GatewayWords } from '../governed/running-gateways.js';

export const command: CommandModule<GatewayWords> = {
  describe(line) {
    line.description(
      'Lists the calls that wait for your yes at any gateway that runs, the oldest first. ' +
        'Arguments are shown without secrets.',
    );
  },

  async run(context, { options }) {
    const { json, out, say } = context;
    const waiting = await asked(listApprovals(await requireGateways(context, options)));
    if (json) {
      out.json({ approvals: waiting });
    } else if (waiting.length === 0) {
      say('No call waits.');
    } else {
      out.table(waiting, [
        { title: 'ID', text: ({ id }) => id, tint: () => 'bold' },
        { title: 'TOOL', text: ({ tool }) => tool },
        { title: 'ARGUMENTS', text: argumentsText },
        { title: 'CALLER', text: callerText },
        { title: 'LEFT', text: ({ remainingMs }) => `${Math.ceil(remainingMs / 1000)} s` },
        { title: 'BECAUSE', text: ({ rule }) => rule },
      ]);
      say('To decide: callsign approvals approve ID, or callsign approvals deny ID');
    }
    return EXIT.ok;
  },
};

/** A person must know that something is not shown. */
function argumentsText({ arguments: text, hidden }: RemoteApproval): string {
  const count = hidden.reduce((sum, { characters }) => sum + characters, 0);
  return count === 0 ? text : `${text} (${count} characters not shown)`;
}

function callerText({ caller: { name, client } }: RemoteApproval): string {
  return name === undefined ? client : `${name} (${client})`;
}

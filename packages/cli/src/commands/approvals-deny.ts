/** `callsign approvals deny`: refuses a waiting call. */

import { decideApproval } from '@callsign/gateway/admin';
import { onOneLine } from '@callsign/terminal';

import type { CommandModule } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { asked, requireGateways, type GatewayWords } from '../governed/running-gateways.js';

interface DenyOptions extends GatewayWords {
  readonly reason?: string;
}

export const command: CommandModule<DenyOptions> = {
  describe(line) {
    line
      .description('Refuses a waiting call. To see all: callsign approvals list')
      .argument('<id>', 'its id')
      .option('--reason <text>', 'the reason that the caller gets');
  },

  async run(context, { words: [id = ''], options }) {
    const { json, out, say } = context;
    const { reason } = options;
    const gateways = await requireGateways(context, options);
    const decision = { approve: false, ...(reason === undefined ? {} : { reason }) } as const;
    const decided = await asked(decideApproval(gateways, id, decision));
    if (json) out.json({ denied: decided });
    else say(onOneLine(`Denied: ${decided.tool} ${decided.arguments}`));
    return EXIT.ok;
  },
};

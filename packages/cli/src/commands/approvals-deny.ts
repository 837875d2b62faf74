/** `callsign approvals deny`: refuses a call that waits. */

import { decideApproval } from '@callsign/gateway';

import type { CommandModule } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { asked, requireGateways, type GatewayWords } from '../governed/running-gateways.js';
import { onOneLine } from '@callsign/terminal';

interface DenyOptions extends GatewayWords {
  readonly reason?: string;
}

export const command: CommandModule<DenyOptions> = {
  describe(line) {
    line
      .description('Refuses a call that waits. To see which do: callsign approvals list')
      .argument('<id>', 'its id')
      .option('--reason <text>', 'why, for whoever called');
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

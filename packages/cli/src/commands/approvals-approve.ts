/** `callsign approvals approve`: allows a waiting call. */

import { decideApproval } from '@callsign/gateway/admin';
import { SCOPES } from '@callsign/governance';
import { onOneLine } from '@callsign/terminal';

import type { CommandModule } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { usageFailure } from '../command/failure.js';
import { asked, requireGateways, type GatewayWords } from '../governed/running-gateways.js';

interface ApproveOptions extends GatewayWords {
  readonly scope?: string;
}

type Scope = (typeof SCOPES)[number];

export const command: CommandModule<ApproveOptions> = {
  describe(line) {
    line
      .description('Allows a waiting call. To see all: callsign approvals list')
      .argument('<id>', 'its id')
      .option(
        '--scope <scope>',
        'once, call (the same arguments) or tool (any arguments); the last two for this session',
      );
  },

  async run(context, { words: [id = ''], options }) {
    const { json, out, say } = context;
    const scope = scopeOf(options.scope);
    const gateways = await requireGateways(context, options);
    const decided = await asked(decideApproval(gateways, id, { approve: true, scope }));
    if (json) out.json({ approved: decided, scope });
    else say(onOneLine(`Approved: ${decided.tool} ${decided.arguments}`));
    return EXIT.ok;
  },
};

function scopeOf(text = 'once'): Scope {
  const known = SCOPES.find((each) => each === text);
  if (known) return known;
  throw usageFailure(`--scope takes ${SCOPES.join(', ')}, not "${text}".`);
}

/** `callsign approvals approve`: allows a waiting call. */

import { decideApproval } from '@callsign/gateway/admin';
import { numbersIn, SCOPES } from '@callsign/governance';
import { onOneLine } from '@callsign/terminal';

import type { CommandModule } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { usageFailure } from '../command/failure.js';
import { asked, requireGateways, type GatewayWords } from '../governed/running-gateways.js';

interface ApproveOptions extends GatewayWords {
  readonly scope?: string;
  readonly only?: string;
}

type Scope = (typeof SCOPES)[number];

/** More calls than any script asks about. The gateway knows how many there are. */
const MAX_NUMBER = 1_000;

export const command: CommandModule<ApproveOptions> = {
  describe(line) {
    line
      .description('Allows a waiting call. To see all: callsign approvals list')
      .argument('<id>', 'its id')
      .option(
        '--scope <scope>',
        'once, call (the same arguments) or tool (any arguments); the last two for this session',
      )
      .option(
        '--only <numbers>',
        'some of the calls of a script, such as 1-3,7; it refuses the others',
      );
  },

  async run(context, { words: [id = ''], options }) {
    const { json, out, say } = context;
    const scope = scopeOf(options.scope);
    const gateways = await requireGateways(context, options);
    const only = options.only === undefined ? {} : { only: onlyOf(options.only) };
    const decided = await asked(decideApproval(gateways, id, { approve: true, scope, ...only }));
    const { tool, calls = [] } = decided;
    if (json) out.json({ approved: decided, scope, ...only });
    else if (only.only)
      say(onOneLine(`Approved: ${only.only.length} of ${calls.length} calls of ${decided.title}`));
    else say(onOneLine(`Approved: ${tool} ${decided.arguments}`));
    return EXIT.ok;
  },
};

function scopeOf(text = 'once'): Scope {
  const known = SCOPES.find((each) => each === text);
  if (known) return known;
  throw usageFailure(`--scope takes ${SCOPES.join(', ')}, not "${text}".`);
}

function onlyOf(text: string): number[] {
  const numbers = numbersIn(text, MAX_NUMBER);
  if (numbers) return [...numbers];
  throw usageFailure(`--only takes numbers of calls, such as 1-3,7, not "${text}".`);
}

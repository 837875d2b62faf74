/** `callsign approvals show`: a waiting call with everything that will be sent. */

import { notShown } from '@callsign/core';
import { type RemoteApproval, showApproval } from '@callsign/gateway/admin';
import { indented, onOneLine, printable, shownDuration } from '@callsign/terminal';

import type { CommandModule, Context } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { asked, requireGateways, type GatewayWords } from '../governed/running-gateways.js';

export const command: CommandModule<GatewayWords> = {
  describe(line) {
    line
      .description(
        'Shows a waiting call: the tool, what it does, who calls it, and its arguments in full ' +
          'length. Secrets are hidden.',
      )
      .argument('<id>', 'its id');
  },

  async run(context, { words: [id = ''], options }) {
    const { json, out, say } = context;
    const call = await asked(showApproval(await requireGateways(context, options), id));
    if (json) {
      out.json({ approval: call });
      return EXIT.ok;
    }
    const { name, client } = call.caller;
    out.lines(out.paint('name', onOneLine(call.tool)));
    out.field('title', call.title);
    out.field('effect', call.effect);
    out.field('caller', name === undefined ? client : `${name} (${client})`);
    out.field('because', call.rule);
    out.field('left', shownDuration(call.remainingMs));
    const { calls } = call;
    if (!calls) showArguments(context, call);
    for (const each of calls ?? []) {
      const { number, tool, risk, effect } = each;
      out.lines('', `${number}. ${out.paint('name', onOneLine(tool))} (${risk}) ${effect}`);
      showArguments(context, each);
    }
    say(
      `\nTo allow it: callsign approvals approve ${id}\nTo refuse:   callsign approvals deny ${id}`,
    );
    if (calls && calls.length > 1)
      say(`To allow some of its calls: callsign approvals approve ${id} --only 1,${calls.length}`);
    return EXIT.ok;
  },
};

type Shown = Pick<RemoteApproval, 'arguments' | 'hidden'>;

function showArguments({ out }: Context, { arguments: given, hidden }: Shown): void {
  out.lines('', printable(indented(given)));
  const missing = notShown(hidden);
  if (missing !== undefined) out.lines('', out.paint('warning', onOneLine(missing)));
}

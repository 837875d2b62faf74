/** `callsign sets show`: what is in a tool set, and why. */

import type { Entry } from '@callsign/core';
import { judgeSet, type SetVerdict } from '@callsign/governance';
import { counted, onOneLine } from '@callsign/terminal';

import type { CommandModule } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { offeredTools, requireSet, type SetsOptions } from '../governed/tool-sets.js';

interface ShowOptions extends SetsOptions {
  readonly all?: true;
}

interface Row extends SetVerdict {
  readonly entry: Entry;
}

export const command: CommandModule<ShowOptions> = {
  describe(line) {
    line
      .description('Shows which tools are in a set, and why.')
      .argument('<name>', 'the name of the set')
      .option('--all', 'show what is not in it too')
      .option('--refresh', 'start the servers instead of using remembered tools');
  },

  async run(context, { words: [name = ''], options }) {
    const { json, out, say } = context;
    const set = await requireSet(context, name);
    const { tools } = await offeredTools(context, options);
    const rows = tools.map((entry): Row => ({ entry, ...judgeSet(set, entry) }));
    const [inside, outside] = [rows.filter(({ isIn }) => isIn), rows.filter(({ isIn }) => !isIn)];
    if (json) {
      out.json({ name, set, tools: inside.map(asJson), outside: outside.map(asJson) });
      return EXIT.ok;
    }
    if (set.description !== undefined) say(onOneLine(set.description));
    say(`${counted(inside.length, 'tool')} of ${tools.length} in the set "${name}".`);
    const shown = options.all ? rows : inside;
    if (shown.length === 0) return EXIT.ok;
    out.table(shown, [
      {
        title: 'NAME',
        text: ({ entry }) => entry.canonical,
        tint: () => 'name',
        isWhole: true,
      },
      { title: 'RISK', text: ({ entry }) => entry.risk, tint: ({ entry }) => entry.risk },
      ...(options.all ? [{ title: 'IN', text: ({ isIn }: Row) => (isIn ? 'yes' : 'no') }] : []),
      { title: 'WHY', text: ({ because }) => because },
    ]);
    return EXIT.ok;
  },
};

function asJson({ entry: { canonical, ref, risk }, because }: Row): object {
  return { canonical, ...ref, risk, because };
}

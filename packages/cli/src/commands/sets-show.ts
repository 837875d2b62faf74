/** `callsign sets show`: what is in a tool set, why, and what it costs a model. */

import { type Entry, listTokens, toolTokens } from '@callsign/core';
import { judgeSet, type SetVerdict } from '@callsign/governance';
import { counted, onOneLine } from '@callsign/terminal';

import type { CommandModule } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { offeredTools, requireSet, savedShare, type SetsOptions } from '../governed/tool-sets.js';

interface ShowOptions extends SetsOptions {
  readonly all?: true;
}

interface Row extends SetVerdict {
  readonly entry: Entry;
}

export const command: CommandModule<ShowOptions> = {
  describe(line) {
    line
      .description('Shows which tools are in a set, why, and what they cost a model.')
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
    const [tokens, allTokens] = [tokensOf(inside), tokensOf(rows)];
    if (json) {
      const lists = { tools: inside.map(asJson), outside: outside.map(asJson) };
      out.json({ name, set, tokens, allTokens, ...lists });
      return EXIT.ok;
    }
    if (set.description !== undefined) say(onOneLine(set.description));
    say(`${counted(inside.length, 'tool')} of ${tools.length} in the set "${name}".`);
    say(
      `About ${tokens.toLocaleString('en')} tokens for a model in place of ${allTokens.toLocaleString('en')}: saves ${savedShare(tokens, allTokens)}.`,
    );
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
      { title: 'TOKENS', text: ({ entry }) => toolTokens(entry.item).toLocaleString('en') },
      ...(options.all ? [{ title: 'IN', text: ({ isIn }: Row) => (isIn ? 'yes' : 'no') }] : []),
      { title: 'WHY', text: ({ because }) => because },
    ]);
    return EXIT.ok;
  },
};

function tokensOf(rows: readonly Row[]): number {
  return listTokens(rows.map(({ entry }) => entry.item));
}

function asJson({ entry: { canonical, ref, risk, item }, because }: Row): object {
  return { canonical, ...ref, risk, because, tokens: toolTokens(item) };
}

/** `callsign sets list`: the tool sets of a configuration, and how many tools and tokens each has. */

import { listTokens } from '@callsign/core';
import { toolsIn } from '@callsign/governance';
import { onOneLine } from '@callsign/terminal';

import type { CommandModule } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { offeredTools, requireSets, savedShare, type SetsOptions } from '../governed/tool-sets.js';

export const command: CommandModule<SetsOptions> = {
  describe(line) {
    line
      .description('Lists the tool sets, with the tools of each and what they cost a model.')
      .option('--refresh', 'start the servers instead of using remembered tools');
  },

  async run(context, { options }) {
    const { json, out, say } = context;
    const sets = Object.entries(await requireSets(context));
    if (sets.length === 0) {
      if (json) out.json({ sets: [] });
      else say('There are no sets. To define one, add it to "sets" of the configuration.');
      return EXIT.ok;
    }
    const { tools } = await offeredTools(context, options);
    const rows = sets.map(([name, set]) => {
      const own = toolsIn(set, tools);
      const servers = [...new Set(own.map(({ ref }) => ref.server))];
      const tokens = listTokens(own.map(({ item }) => item));
      return { name, tools: own.length, tokens, servers, description: set.description };
    });
    const allTokens = listTokens(tools.map(({ item }) => item));
    if (json) {
      out.json({ sets: rows, allTools: tools.length, allTokens });
      return EXIT.ok;
    }
    out.table(rows, [
      { title: 'NAME', text: ({ name }) => name, tint: () => 'name', isWhole: true },
      { title: 'TOOLS', text: (row) => `${row.tools} of ${tools.length}` },
      { title: 'TOKENS', text: (row) => row.tokens.toLocaleString('en') },
      { title: 'SAVES', text: (row) => savedShare(row.tokens, allTokens) },
      { title: 'SERVERS', text: ({ servers }) => servers.map(onOneLine).join(', ') },
      {
        title: 'DESCRIPTION',
        text: ({ description = '' }) => onOneLine(description),
        isOptional: true,
      },
    ]);
    return EXIT.ok;
  },
};

/** `callsign search`: finds tools by words in names, titles, descriptions and parameters. */

import { definitionOfTool } from '@callsign/gateway/admin';

import type { CommandModule } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { requireFleet } from '../fleet/fleet.js';
import { describeLive, type LiveWords } from '../fleet/live-gateway.js';
import { searchTools } from '../fleet/search-tools.js';

interface SearchOptions extends LiveWords {
  readonly refresh?: true;
}

const SHOWN = 20;

export const command: CommandModule<SearchOptions> = {
  describe(line) {
    line
      .description('Finds tools by words, best first.')
      .argument('<words...>', 'what the tool should do')
      .option('--refresh', 'start the servers instead of using remembered tools');
    describeLive(line);
  },

  async run(context, { words, options }) {
    const { json, out, say } = context;
    const fleet = await requireFleet(context, options);
    const found = searchTools(fleet.tools.values(), words.join(' '));
    const rows = found.slice(0, SHOWN).map(({ entry, score }) => {
      const { title, description } = definitionOfTool(entry);
      return { canonical: entry.canonical, title, risk: entry.risk, description, score };
    });
    if (json) out.json({ tools: rows });
    else if (rows.length === 0) say('No tool has any of these words. To see all: callsign tools');
    else {
      out.table(rows, [
        { title: 'NAME', text: ({ canonical }) => canonical, tint: () => 'name', isWhole: true },
        { title: 'RISK', text: ({ risk }) => risk, tint: ({ risk }) => risk },
        {
          title: 'DESCRIPTION',
          text: ({ description, title }) => firstSentence(description) || title,
        },
      ]);
    }
    return EXIT.ok;
  },
};

function firstSentence(text: string): string {
  const end = text.search(/\.\s|\n\n/);
  return end === -1 ? text : text.slice(0, end + 1);
}

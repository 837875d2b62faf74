/** `callsign search`: finds tools by words in names, titles, descriptions and parameters; or servers of the registry. */

import type { Entry } from '@callsign/core';
import { createSearch } from '@callsign/core/search';
import { RISKS } from '@callsign/effects';
import { definitionOfTool } from '@callsign/gateway/admin';

import type { CommandModule } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { usageFailure } from '../command/failure.js';
import { requireFleet } from '../fleet/fleet.js';
import { describeLive, type LiveWords } from '../fleet/live-gateway.js';
import { searchRegistry } from '../registry/search-registry.js';

interface SearchOptions extends LiveWords {
  readonly risk?: string;
  readonly refresh?: true;
  readonly registry?: true;
}

const SHOWN = 20;

export const command: CommandModule<SearchOptions> = {
  describe(line) {
    line
      .description('Finds tools by words, best first. With --registry: servers that you could add.')
      .argument('<words...>', 'what the tool should do, or words in the name of a server')
      .option('--registry', 'search the registry for servers, by name')
      .option('--risk <risk>', 'only tools with this risk: read, write or destructive')
      .option('--refresh', 'start the servers instead of using remembered tools');
    describeLive(line);
  },

  async run(context, { words, options }) {
    const { json, out, say } = context;
    if (options.registry) return searchRegistry(context, words);
    const fleet = await requireFleet(context, options);
    const { risk } = options;
    if (risk !== undefined && !RISKS.some((each) => each === risk)) {
      throw usageFailure(`There is no risk "${risk}". Known: ${RISKS.join(', ')}.`);
    }
    const found = searchTools(fleet.tools.values(), words.join(' '));
    const wanted = found.filter(({ entry }) => risk === undefined || entry.risk === risk);
    const rows = wanted.slice(0, SHOWN).map(({ entry, score }) => {
      const { title, description } = definitionOfTool(entry);
      return { canonical: entry.canonical, title, risk: entry.risk, description, score };
    });
    if (json) out.json({ tools: rows });
    else if (rows.length === 0) say(adviceFor(found.length, risk));
    else {
      out.table(rows, [
        { title: 'NAME', text: ({ canonical }) => canonical, tint: () => 'name', isWhole: true },
        { title: 'RISK', text: (tool) => tool.risk, tint: (tool) => tool.risk },
        {
          title: 'DESCRIPTION',
          text: ({ description, title }) => firstSentence(description) || title,
        },
      ]);
    }
    return EXIT.ok;
  },
};

/** Best first, with the same ranking as the search view of the gateway. */
export function searchTools(
  entries: Iterable<Entry>,
  query: string,
): { readonly entry: Entry; readonly score: number }[] {
  const search = createSearch([...entries], (entry) => {
    const { ref, risk } = entry;
    return {
      name: ref.tool,
      server: ref.server,
      ...definitionOfTool(entry),
      reads: risk === 'read',
    };
  });
  return search(query).map(({ thing, score }) => ({ entry: thing, score }));
}

function adviceFor(found: number, risk: string | undefined): string {
  if (found > 0)
    return `No tool with the risk ${risk} has these words. Leave out --risk to see others.`;
  const advice = 'Try other words for the same thing, or only one: what it is about.';
  return `No tool has any of these words. ${advice} To see all: callsign tools`;
}

function firstSentence(text: string): string {
  const end = text.search(/\.\s|\n\n/);
  return end === -1 ? text : text.slice(0, end + 1);
}

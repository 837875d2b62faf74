/** `callsign tools`: every tool with its name, its label and its risk. */

import { globMatcher, type Entry } from '@callsign/core';

import type { CommandModule } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { requireFleet } from '../fleet/fleet.js';
import { hintReasons, hintWords, RISK_TINTS } from '../fleet/hint-words.js';
import { definitionOfTool } from '../fleet/tool-definition.js';

interface ToolsOptions {
  readonly profile?: string;
  readonly why?: true;
  readonly refresh?: true;
}

export const command: CommandModule<ToolsOptions> = {
  describe(line) {
    line
      .description('Lists tools: name, title, risk and hints. About one: callsign tools show NAME')
      .argument('[pattern]', 'part of a name, or a glob such as "github:*"')
      .option('--profile <name>', 'the client whose names to show')
      .option('--why', 'say where each hint comes from')
      .option('--refresh', 'start the servers, whatever is remembered of them');
  },

  async run(context, { words: [pattern], options: { profile, why, refresh } }) {
    const { json, out, say } = context;
    const fleet = await requireFleet(context, { refresh });
    const { tools } = fleet.view(profile).table('tool');
    const rows = tools.flatMap(({ canonical, name }) => {
      const entry = fleet.tools.get(canonical);
      return entry && matches(pattern, canonical, name) ? rowOf(entry, name) : [];
    });
    if (json) {
      out.json({
        tools: rows.map(({ entry, name, title, risk }) => {
          const { canonical, ref, hints } = entry;
          return { name, canonical, server: ref.server, tool: ref.tool, title, risk, hints };
        }),
      });
      return EXIT.ok;
    }
    if (rows.length === 0) {
      const what = pattern === undefined ? 'No server offers a tool.' : 'No tool matches.';
      say(`${what} To look again: callsign tools --refresh`);
      return EXIT.ok;
    }
    out.table(rows, [
      { title: 'NAME', text: ({ name }) => name, tint: () => 'bold' },
      { title: 'TITLE', text: ({ title }) => title },
      { title: 'RISK', text: ({ risk }) => risk, tint: ({ risk }) => RISK_TINTS[risk] },
      { title: why ? 'WHY' : 'HINTS', text: ({ entry }) => (why ? whyOf(entry) : wordsOf(entry)) },
    ]);
    return EXIT.ok;
  },
};

function rowOf(entry: Entry, name: string) {
  return [{ entry, name, title: definitionOfTool(entry).title, risk: entry.risk }];
}

function wordsOf({ hints, risk }: Entry): string {
  return hintWords(hints, risk);
}

function whyOf({ hints }: Entry): string {
  return hintReasons(hints)
    .map(({ word, value, who }) => `${value ? '' : 'not '}${word} (${who})`)
    .join(', ');
}

function matches(pattern: string | undefined, ...names: readonly string[]): boolean {
  if (pattern === undefined) return true;
  if (/[*?]/.test(pattern)) return names.some(globMatcher(pattern));
  return names.some((name) => name.toLowerCase().includes(pattern.toLowerCase()));
}

/** `callsign tools`: every tool with its name, its risk and its hints. */

import { countLabels, groundOf, reasonFor } from '@callsign/annotations';
import { globMatcher, type Entry } from '@callsign/core';
import { renderTable, type Tint } from '@callsign/terminal';

import type { CommandModule, Context } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { requireFleet } from '../fleet/fleet.js';
import { hintWords } from '../fleet/hint-words.js';
import { COUNT_COLUMNS } from '../fleet/count-columns.js';
import { markedRisk, markMeanings, RISK_TINTS } from '../fleet/risk-mark.js';
import { definitionOfTool } from '@callsign/gateway';

interface ToolsOptions {
  readonly profile?: string;
  readonly why?: true;
  readonly refresh?: true;
}

interface ToolRow {
  readonly entry: Entry;
  readonly name: string;
  readonly title: string;
}

/** From this number on a list is too long to see how many tools each server has. */
const MANY = 40;

export const command: CommandModule<ToolsOptions> = {
  describe(line) {
    line
      .description('Lists tools: name, title, risk and hints. About one: callsign tools show NAME')
      .argument('[pattern]', 'part of a name, or a glob such as "github:*"')
      .option('--profile <name>', 'the client whose names to show')
      .option('--why', 'say why each tool has its risk')
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
      out.json({ tools: rows.map(asJson) });
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
      {
        title: 'RISK',
        text: ({ entry }) => markedRisk(entry),
        tint: ({ entry }) => RISK_TINTS[entry.risk],
      },
      { title: why ? 'WHY' : 'HINTS', text: ({ entry }) => (why ? whyOf(entry) : wordsOf(entry)) },
    ]);
    sayMore(context, rows);
    return EXIT.ok;
  },
};

function rowOf(entry: Entry, name: string): ToolRow {
  return { entry, name, title: definitionOfTool(entry).title };
}

function asJson({ entry, name, title }: ToolRow): object {
  const { canonical, ref, risk, hints, contradiction } = entry;
  return {
    name,
    canonical,
    server: ref.server,
    tool: ref.tool,
    title,
    risk,
    evidence: { by: groundOf(entry), because: reasonFor(entry) },
    ...(contradiction ? { contradiction } : {}),
    hints,
  };
}

/** What the marks mean and, below a long list, what there is by server. */
function sayMore({ out, say }: Context, rows: readonly ToolRow[]): void {
  const entries = rows.map(({ entry }) => entry);
  const meanings = markMeanings(entries);
  if (meanings !== undefined) say(meanings);
  const servers = countLabels(entries);
  if (rows.length < MANY || servers.length < 2) return;
  say(`\n${renderTable(servers, COUNT_COLUMNS, { width: out.width, paint: unpainted })}`);
}

/** Standard error shows no colours. */
function unpainted(_: Tint, text: string): string {
  return text;
}

function wordsOf({ hints, risk }: Entry): string {
  return hintWords(hints, risk);
}

function whyOf(entry: Entry): string {
  return `${entry.risk}: ${reasonFor(entry)}`;
}

function matches(pattern: string | undefined, ...names: readonly string[]): boolean {
  if (pattern === undefined) return true;
  if (/[*?]/.test(pattern)) return names.some(globMatcher(pattern));
  return names.some((name) => name.toLowerCase().includes(pattern.toLowerCase()));
}

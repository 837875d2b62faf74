/** `callsign tools`: lists every tool with its name, risk and hints. */

import { MAX_INSTRUCTIONS, toolTokens, visibleText, type Entry } from '@callsign/core';
import { countLabels, groundOf, reasonFor } from '@callsign/effects';
import { definitionOfTool, viewTokens } from '@callsign/gateway/admin';
import { counted, renderTable, type Column, type Meaning } from '@callsign/terminal';

import type { CommandModule, Context } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { COUNT_COLUMNS } from '../fleet/count-columns.js';
import { type Fleet, requireFleet } from '../fleet/fleet.js';
import { hintWords } from '../fleet/hint-words.js';
import { describeLive, type LiveWords } from '../fleet/live-gateway.js';
import { markedRisk, markMeanings } from '../fleet/risk-mark.js';
import { isGlob, matches, noMatch } from '../fleet/tool-pattern.js';
import { isHiddenByRoles } from '../fleet/withheld.js';

interface ToolsOptions extends LiveWords {
  readonly profile?: string;
  readonly why?: true;
  readonly tokens?: true;
  readonly refresh?: true;
  readonly instructions?: true;
}

interface ToolRow {
  readonly entry: Entry;
  readonly name: string;
  readonly title: string;
  /** Why no client sees it, if the lock file or the quarantine withholds it. */
  readonly withheld: string | undefined;
}

/** Lists of at least this length get counts by server. */
const MANY = 40;

export const command: CommandModule<ToolsOptions> = {
  describe(line) {
    line
      .description(
        'Lists tools: name, title, risk and hints. More about one: callsign tools show NAME',
      )
      .argument('[pattern]', 'part of a name, or a glob such as "github:*"')
      .option('--profile <name>', 'the client whose names to show')
      .option('--why', 'show why each tool has its risk')
      .option('--tokens', 'show what each tool, server and view costs a model, estimated')
      .option('--instructions', 'show the instructions of servers, as clients get them')
      .option('--refresh', 'start the servers instead of using remembered tools');
    describeLive(line);
  },

  async run(context, { words: [pattern], options }) {
    const { profile, why, tokens, refresh, instructions } = options;
    const { json, out, say } = context;
    const fleet = await requireFleet(context, { ...options, about: pattern });
    if (instructions) return showInstructions(context, fleet, profile);
    const { tools: named } = fleet.view(profile).table('tool');
    const rows = named.flatMap(({ canonical, name }) => {
      const entry = fleet.tools.get(canonical);
      return entry && matches(pattern, canonical, name) ? rowOf(fleet, entry, name) : [];
    });
    // Only --refresh asks the servers now. Otherwise a failure is from an earlier start.
    const hasFailed = fleet.servers.some(({ failure }) => failure !== undefined);
    const exit = refresh && hasFailed ? EXIT.unreachable : EXIT.ok;
    const isNone = rows.length === 0 && hiddenCount(fleet, pattern) === 0;
    if (isNone && pattern !== undefined && !isGlob(pattern)) {
      throw noMatch('tools', pattern, fleet);
    }
    if (json) {
      out.json({
        tools: rows.map(asJson),
        ...(tokens ? { tokens: viewTokens(rows.map(({ entry }) => entry)) } : {}),
      });
      return exit;
    }
    const hidden = hiddenCount(fleet, pattern);
    if (rows.length === 0 && hidden === 0) {
      const what = pattern === undefined ? 'No server offers a tool.' : 'No tool matches.';
      say(`${what} To look again: callsign tools --refresh`);
    }
    if (hidden > 0) sayHidden(context, hidden);
    if (rows.length === 0) return exit;
    if (tokens) {
      showTokens(context, rows);
      return exit;
    }
    out.table(rows, [
      { title: 'NAME', text: ({ name }) => name, tint: () => 'name', isWhole: true },
      { title: 'TITLE', text: ({ title }) => title, isOptional: true },
      {
        title: 'RISK',
        text: ({ entry }) => markedRisk(entry),
        tint: ({ entry }) => entry.risk,
      },
      {
        title: why ? 'WHY' : 'HINTS',
        text: ({ entry }) => (why ? whyOf(entry) : wordsOf(entry)),
        isOptional: !why,
      },
      ...(rows.some(({ withheld }) => withheld !== undefined) ? [WITHHELD] : []),
    ]);
    sayMore(context, rows, why === true);
    return exit;
  },
};

const WITHHELD: Column<ToolRow> = {
  title: 'WITHHELD',
  text: ({ withheld = '' }) => withheld,
  tint: () => 'warning',
};

function withCommas(value: number): string {
  return value.toLocaleString('en');
}

function showTokens({ out, say }: Context, rows: readonly ToolRow[]): void {
  const sorted = rows.toSorted((a, b) => toolTokens(b.entry.item) - toolTokens(a.entry.item));
  out.table(sorted, [
    { title: 'NAME', text: ({ name }) => name, tint: () => 'name', isWhole: true },
    { title: 'TOKENS', text: ({ entry }) => withCommas(toolTokens(entry.item)) },
  ]);
  const { servers, total } = viewTokens(rows.map(({ entry }) => entry));
  const all = { server: 'all', tools: rows.length, ...total };
  out.lines('');
  out.table(
    [...servers, ...(servers.length > 1 ? [all] : [])],
    [
      { title: 'SERVER', text: ({ server }) => server, tint: () => 'name' },
      { title: 'TOOLS', text: ({ tools }) => withCommas(tools) },
      { title: 'TOKENS', text: ({ flat }) => withCommas(flat) },
      { title: 'AS FIVE TOOLS', text: ({ crude }) => withCommas(crude) },
      { title: 'AS TWO TOOLS', text: ({ search }) => withCommas(search) },
    ],
  );
  say(
    'Tokens are estimates for the whole list. Many clients load tools only when they are needed.',
  );
}

/** How many matching tools the roles hide from a caller without a key, as this command is. */
function hiddenCount({ config, tools }: Fleet, pattern: string | undefined): number {
  return [...tools.values()].filter((entry) => {
    return matches(pattern, entry.canonical) && isHiddenByRoles(config, entry);
  }).length;
}

function sayHidden({ say }: Context, count: number): void {
  const what = `callsign.roles hides ${counted(count, 'tool')} from callers without a key.`;
  say(`${what} To see what a role may call: callsign policy test NAME --as ROLE`);
}

/** Shows the merged instructions, and with `--json` those of each server. */
function showInstructions(
  { json, out, say }: Context,
  fleet: Fleet,
  profile: string | undefined,
): number {
  const text = fleet.view(profile).instructions;
  const given = fleet.servers.filter((server) => server.instructions !== undefined);
  if (json) {
    const servers = given.map(({ key, instructions }) => ({ server: key, instructions }));
    out.json({ instructions: text ?? null, servers });
    return EXIT.ok;
  }
  if (text === undefined) say('No server gives instructions that clients may read.');
  else out.lines(...visibleText(text, text.length).split('\n'));
  const total = given.reduce((sum, { instructions = '' }) => sum + instructions.length, 0);
  if (total > MAX_INSTRUCTIONS)
    say(`Servers gave ${total} characters. Clients get at most ${MAX_INSTRUCTIONS} bytes of them.`);
  return EXIT.ok;
}

function rowOf({ withheld }: Fleet, entry: Entry, name: string): ToolRow {
  const { title } = definitionOfTool(entry);
  return { entry, name, title, withheld: withheld.get(entry.canonical) };
}

function asJson({ entry, name, title, withheld }: ToolRow): object {
  const { canonical, ref, risk, hints, contradiction, item } = entry;
  return {
    name,
    canonical,
    server: ref.server,
    tool: ref.tool,
    title,
    risk,
    evidence: { by: groundOf(entry), because: reasonFor(entry) },
    ...(contradiction ? { contradiction } : {}),
    tokens: toolTokens(item),
    ...(withheld === undefined ? {} : { withheld }),
    hints,
  };
}

/** The meaning of the marks and, below a long list, the counts by server. */
function sayMore({ out, say }: Context, rows: readonly ToolRow[], isWhyShown: boolean): void {
  const entries = rows.map(({ entry }) => entry);
  const meanings = markMeanings(entries, isWhyShown);
  if (meanings !== undefined) say(meanings);
  const withheld = rows.filter((row) => row.withheld !== undefined).length;
  if (withheld > 0) {
    say(
      `${counted(withheld, 'tool')} withheld: no client sees or calls ${withheld === 1 ? 'it' : 'them'}.`,
    );
  }
  const servers = countLabels(entries);
  if (rows.length < MANY || servers.length < 2) return;
  say(`\n${renderTable(servers, COUNT_COLUMNS, { width: out.width, paint: unpainted })}`);
}

/** Standard error shows no colours. */
function unpainted(_: Meaning, text: string): string {
  return text;
}

function wordsOf({ hints, risk }: Entry): string {
  return hintWords(hints, risk);
}

function whyOf(entry: Entry): string {
  return `${entry.risk}: ${reasonFor(entry)}`;
}

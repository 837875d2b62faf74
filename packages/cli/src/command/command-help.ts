/** The help of all commands, of a group and of one command, in one layout. */

import { Command } from 'commander';

import type { CommandEntry, CommandModule } from './command.js';

const GLOBAL_FLAGS: readonly (readonly [flag: string, text: string])[] = [
  ['-c, --config <file>', 'the configuration (default: ./callsign.json, else yours)'],
  ['--json', 'print JSON; errors are one line of JSON'],
  ['-q, --quiet', 'print only errors'],
  ['-v, --verbose', 'print more'],
];

const MORE: readonly (readonly [flag: string, text: string])[] = [
  ['-h, --help', 'show help'],
  ['-V, --version', 'show the version'],
];

/** Columns. The library's default would not wrap the texts beside names on a narrow terminal. */
const LEAST_WIDTH = 20;

const USUAL_COLUMNS = 80;

function newLine(columns: number | undefined, name?: string): Command {
  const helpWidth = columns || USUAL_COLUMNS;
  return new Command(name).configureHelp({ minWidthToWrap: LEAST_WIDTH, helpWidth });
}

/** A command with its flags and those of every command. */
export function commandLine(
  name: string,
  module: Pick<CommandModule<never>, 'describe'>,
  entries: readonly CommandEntry[] = [],
  columns?: number,
): Command {
  const line = newLine(columns, `callsign ${name}`.trim());
  line.helpOption('-h, --help', 'show help');
  for (const [flag, text] of GLOBAL_FLAGS) line.option(flag, text);
  module.describe(line);
  const actions = actionsOf(name, entries);
  if (actions.length > 0) {
    line.addHelpText(
      'after',
      ({ command }) => `\n${section('Commands', rowsOf(actions), command)}`,
    );
  }
  return line;
}

/** The help of a group such as `audit`; `undefined` if no command has this first word. */
export function groupHelp(
  name: string,
  entries: readonly CommandEntry[],
  columns?: number,
): string | undefined {
  const actions = actionsOf(name, entries);
  if (actions.length === 0) return undefined;
  const line = newLine(columns);
  return [
    `Usage: callsign ${name} COMMAND [options]`,
    section('Commands', rowsOf(actions), line),
    section('Options', [...GLOBAL_FLAGS, ...MORE.slice(0, 1)], line),
    `Help for one command: callsign ${name} COMMAND --help`,
    '',
  ]
    .join('\n\n')
    .trimEnd();
}

/** The help that names every command. */
export function overview(entries: readonly CommandEntry[], columns?: number): string {
  const line = newLine(columns);
  return [
    'Usage: callsign COMMAND [options]',
    'One MCP endpoint for all your MCP servers.',
    ...sections(entries, line),
    section('Options of every command', [...GLOBAL_FLAGS, ...MORE], line),
    'Help for one command: callsign COMMAND --help',
  ].join('\n\n');
}

/** One section for each heading of the table. */
function sections(entries: readonly CommandEntry[], line: Command): string[] {
  const groups: { readonly title: string; readonly own: CommandEntry[] }[] = [];
  for (const entry of entries) {
    if (entry.heading !== undefined) groups.push({ title: entry.heading, own: [] });
    groups.at(-1)?.own.push(entry);
  }
  const width = Math.max(...entries.map(({ name }) => name.length));
  return groups.map(({ title, own }) => section(title, rowsOf(own), line, width));
}

function actionsOf(name: string, entries: readonly CommandEntry[]): CommandEntry[] {
  return name === '' ? [] : entries.filter((entry) => entry.name.startsWith(`${name} `));
}

type Row = readonly [term: string, text: string];

function rowsOf(entries: readonly CommandEntry[]): Row[] {
  return entries.flatMap(({ name, summary }) => (summary === undefined ? [] : [[name, summary]]));
}

/** In the layout that the library uses for its own sections. */
function section(
  title: string,
  rows: readonly Row[],
  command: Command,
  width: number = Math.max(...rows.map(([term]) => term.length)),
): string {
  const help = command.createHelp();
  const lines = rows.map(([term, text]) => help.formatItem(term, width, text, help));
  return [`${title}:`, ...lines].join('\n');
}

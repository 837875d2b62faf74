/** The help that names every command. */

import type { CommandEntry } from '../command/command.js';

const GLOBAL_FLAGS = `Flags of every command:
  -c, --config FILE    the configuration (default: ./callsign.json, else yours)
  --json               data as JSON on standard output, errors as one line of JSON
  -q, --quiet          say nothing but errors
  -v, --verbose        say more
  -h, --help           about one command
  -V, --version        the version`;

export function overview(entries: readonly CommandEntry[]): string {
  const shown = entries.filter(({ summary }) => summary !== undefined);
  const width = Math.max(...shown.map(({ name }) => name.length));
  const lines = shown.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return [
    'callsign: one MCP endpoint for all your MCP servers',
    '',
    'Usage: callsign COMMAND [FLAGS]',
    '',
    ...lines,
    '',
    GLOBAL_FLAGS,
    '',
    'More about one: callsign COMMAND --help',
  ].join('\n');
}

/** The flags of `callsign serve`, for its help. `serve-options.ts` reads them, to start fast. */

import type { Command } from 'commander';

export const command = {
  describe(line: Command): void {
    line
      .description(
        'Serves all servers of the configuration as one MCP server. On a terminal it shows what ' +
          'happens; elsewhere it writes only warnings and errors to standard error.',
      )
      .option('--stdio', 'serve on standard input and output (default)')
      .option('--http [address]', 'serve on http://127.0.0.1:PORT/mcp; [HOST:]PORT, 0 for any port')
      .option('--background', 'serve all clients of this user on a socket: callsign connect')
      .option('--keep', 'with --background: run without clients too')
      .option('--profile <name>', 'use the names of this profile for every client')
      .option('--set <name>', 'serve only what is in this set')
      .option('--strict', 'exit if a server fails to start')
      .option('--read-only', 'offer only tools that are labelled read')
      .option('--allow-unauthenticated', 'let other machines connect without authentication');
  },
};

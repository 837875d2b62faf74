/** The command line: which command was meant, and what to say if none was. */

import { EXIT } from './exit-code.js';
import { serve, SERVE_HELP } from './serve.js';
import { createStderr } from './stderr.js';
import { VERSION } from './version.js';

const HELP = `callsign: one MCP endpoint for all your MCP servers

${SERVE_HELP}`;

/** Runs a command; gives the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  // Who stops listening to us there has not asked us to stop.
  process.stderr.on('error', () => undefined);
  const [command, ...rest] = args;
  switch (command) {
    case 'serve':
      return serve(rest);
    case undefined:
    case 'help':
    case '--help':
    case '-h':
      process.stdout.write(HELP);
      return EXIT.ok;
    case '--version':
    case '-V':
      process.stdout.write(`${VERSION}\n`);
      return EXIT.ok;
    default: {
      const stderr = createStderr({ json: rest.includes('--json'), verbose: false });
      const message = `There is no command "${command}". See: callsign --help`;
      return stderr.complain({ exit: EXIT.usage, code: 'usage', message });
    }
  }
}

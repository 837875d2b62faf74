/** The command `callsign-lightdash-sandbox`: runs a sandbox for manual tests. */

import { parseArgs } from 'node:util';

import { FAULTS, type FaultName } from './fault.js';
import { Sandbox } from './sandbox.js';

const HELP = `callsign-lightdash-sandbox: a Lightdash with made-up data on this machine

  --port PORT    the port to listen on; default: any free port
  --fault NAME   makes every request fail: ${Object.keys(FAULTS).join(', ')}
  --help
`;

/** Runs until it is asked to end. Returns the exit code. */
export async function runSandbox(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  if ('wrong' in options) {
    process.stderr.write(`${options.wrong} See: callsign-lightdash-sandbox --help\n`);
    return 1;
  }
  if (options.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const sandbox = await Sandbox.start({ port: options.port });
  if (options.fault) sandbox.fail({ fault: options.fault });
  const { LIGHTDASH_URL, LIGHTDASH_API_KEY } = sandbox.environment;
  process.stdout.write(
    `export LIGHTDASH_URL=${LIGHTDASH_URL}\nexport LIGHTDASH_API_KEY=${LIGHTDASH_API_KEY}\n`,
  );
  await new Promise<void>((resolve) => {
    process.once('SIGINT', resolve).once('SIGTERM', resolve);
  });
  await sandbox.close();
  return 0;
}

type SandboxCommand = { port: number; fault: FaultName | undefined; help: boolean };

function readOptions(args: readonly string[]): SandboxCommand | { readonly wrong: string } {
  let values: { port?: string; fault?: string; help?: boolean };
  try {
    ({ values } = parseArgs({
      args: [...args],
      options: {
        port: { type: 'string' },
        fault: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    }));
  } catch (error) {
    return { wrong: `${(error as Error).message.split('. ')[0]}.` };
  }
  const { port = '0', fault, help = false } = values;
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    return { wrong: `--port takes a number up to 65535, not "${port}".` };
  }
  if (fault !== undefined && !Object.hasOwn(FAULTS, fault)) {
    return { wrong: `There is no fault "${fault}".` };
  }
  return { port: Number(port), fault: fault as FaultName | undefined, help };
}

/** Gateways on one database, each with a state folder of its own, as on machines of their own. */

import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';

import type { TestPostgres } from '../../testing/postgres.js';
import { BIN } from '../command.js';
import {
  type GatewayProcess,
  plain,
  startGateway,
  temporaryFolder,
  writeConfig,
} from '../gateway-process.js';

const run = promisify(execFile);

const annotations = {
  'kid:add': { preset: 'READ_ONLY_DEFAULT' },
  'kid:calls': { preset: 'READ_ONLY_DEFAULT' },
  'kid:echo': { preset: 'WRITE_DESTRUCTIVE' },
};
export interface Machine {
  readonly gateway: GatewayProcess;
  /** What its processes need in their environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Runs a command of the machine and gives what it printed as JSON, and its exit code. */
  command(...words: string[]): Promise<{ code: number; answer: Record<string, unknown> }>;
}

/** Starts gateways on one schema. `beside`: on that of another machine. */
export async function machines(
  postgres: TestPostgres,
  count: number,
  settings: object = {},
  beside?: Machine,
): Promise<Machine[]> {
  const schema = beside ? schemas.get(beside)! : `test_${randomBytes(6).toString('hex')}`;
  const started = Array.from({ length: count }, async () => {
    const env = { DATABASE_URL: postgres.server.url, XDG_STATE_HOME: temporaryFolder() };
    const config = writeConfig(
      { servers: { kid: plain() }, settings: shared(schema, settings) },
      'shared',
    );
    const gateway = await startGateway({ servers: {}, config, listener: 'http', env });
    const machine: Machine = {
      gateway,
      env,
      async command(...words) {
        const line = [BIN, ...words, '--config', gateway.config, '--json'];
        const options = { env: { ...process.env, ...env } };
        const { stdout, code } = await run(process.execPath, line, options).then(
          (done) => ({ ...done, code: 0 }),
          (failed: { stdout: string; code: number }) => failed,
        );
        return { code, answer: (stdout ? JSON.parse(stdout) : {}) as Record<string, unknown> };
      },
    };
    schemas.set(machine, schema);
    return machine;
  });
  return await Promise.all(started);
}

const schemas = new WeakMap<Machine, string>();

function shared(schema: string, settings: object): object {
  const storage = { postgres: '${DATABASE_URL}', schema };
  return { audit: {}, annotations, storage, ...settings };
}

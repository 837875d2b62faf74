/** Real gateways on one schema of a real PostgreSQL, each with its own state folder, as on separate machines. */

import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';

import type { TestPostgres } from '../../testing/postgres.js';
import { BIN } from '../command.js';
import { type GatewayProcess, plain, startGateway } from '../gateway-process.js';
import { temporaryFolder, writeConfig } from '../gateway-process.js';

export interface Machine {
  readonly gateway: GatewayProcess;
  readonly schema: string;
  /** The environment of the gateway and of its commands. */
  readonly env: Readonly<Record<string, string>>;
  /** Runs a command on the machine. Returns its output as JSON, and its exit code. */
  command(...words: string[]): Promise<Done>;
}

interface Done {
  readonly code: number;
  readonly answer: Record<string, unknown>;
  readonly stderr: string;
}

interface MachineOptions {
  /** Use the schema of another machine. Default: a new schema. */
  readonly beside?: Machine;
  /** Default: one plain server. */
  readonly servers?: Readonly<Record<string, object>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly storage?: object;
  /** Flags of `callsign serve`. */
  readonly flags?: readonly string[];
}

const run = promisify(execFile);

const annotations = {
  'kid:add': { preset: 'READ_ONLY_DEFAULT' },
  'kid:calls': { preset: 'READ_ONLY_DEFAULT' },
  'kid:echo': { preset: 'WRITE_DESTRUCTIVE' },
};

export async function machines(
  postgres: TestPostgres,
  count: number,
  settings: object = {},
  options: MachineOptions = {},
): Promise<Machine[]> {
  const { beside, servers = { kid: plain() }, env: more = {}, storage = {}, flags = [] } = options;
  const schema = beside?.schema ?? `test_${randomBytes(6).toString('hex')}`;
  const started = Array.from({ length: count }, async () => {
    const env = { DATABASE_URL: postgres.server.url, XDG_STATE_HOME: temporaryFolder(), ...more };
    const shared = { postgres: '${DATABASE_URL}', schema, ...storage };
    const callsign = { audit: {}, annotations, storage: shared, ...settings };
    const config = writeConfig({ servers: servers as never, settings: callsign }, 'shared');
    const gateway = await startGateway({ servers: {}, config, listener: 'http', flags, env });
    const machine: Machine = {
      gateway,
      schema,
      env,
      async command(...words) {
        const line = [BIN, ...words, '--config', gateway.config, '--json'];
        const whole = { env: { ...process.env, ...env } };
        const { stdout, stderr, code } = await run(process.execPath, line, whole).then(
          (done) => ({ ...done, code: 0 }),
          (failed: { stdout: string; stderr: string; code: number }) => failed,
        );
        const answer = (stdout ? JSON.parse(stdout) : {}) as Record<string, unknown>;
        return { code, answer, stderr };
      },
    };
    return machine;
  });
  return await Promise.all(started);
}

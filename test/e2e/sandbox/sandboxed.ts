/** A server in a sandbox that runs the code of a test. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { serveAll, type Served } from '../../../packages/gateway/src/testing/served.js';
import { ordinaryFolder, SCRIPT } from './sandboxes.js';

export interface Sandboxed {
  /** The answer of code that runs in the server: its value, or its error. */
  readonly run: (code: string) => Promise<string>;
  readonly served: Served;
  readonly home: string;
  readonly work: string;
  readonly state: string;
}

/** Where the server runs. Default: in the folder `work` of a home folder that is made for it. */
interface SandboxedPlace {
  readonly home?: string;
  readonly cwd?: string;
  /** More of its entry. */
  readonly entry?: object;
  readonly key?: string;
}

export async function sandboxed(
  sandbox: unknown = true,
  prepare: (home: string) => void = () => undefined,
  { home = ordinaryFolder(), cwd = join(home, 'work'), entry = {}, key = 's' }: SandboxedPlace = {},
): Promise<Sandboxed> {
  const work = join(home, 'work');
  const state = join(home, 'state');
  for (const folder of [work, join(state, 'callsign', 'run'), join(home, '.ssh')]) {
    mkdirSync(folder, { recursive: true });
  }
  writeFileSync(join(home, '.ssh', 'id'), 'PRIVATE');
  writeFileSync(join(home, 'plain.txt'), 'plain');
  prepare(home);
  const server = { command: process.execPath, args: [SCRIPT], cwd, ...entry };
  const env = { ...process.env, HOME: home, XDG_STATE_HOME: state };
  const served = await serveAll(
    { [key]: server },
    {
      servers: { [key]: { sandbox } },
      remember: false,
      audit: { mode: 'off' },
      restart: { giveUpAfter: 0 },
    },
    { env },
  );
  const client = await served.connect();
  const run = async (code: string): Promise<string> => {
    const params = { name: `${key}:run`, arguments: { code } };
    const { result, error } = (await client.request('tools/call', params)) as {
      result?: { content: { text: string }[] };
      error?: { message: string };
    };
    return result ? result.content.map(({ text }) => text).join('\n') : (error?.message ?? '');
  };
  return { run, served, home, work, state };
}

export const quoted = (text: string): string => JSON.stringify(text);

/** Why the server did not start. */
export async function faultOf(...given: Parameters<typeof sandboxed>): Promise<string> {
  const { served } = await sandboxed(...given);
  const { state } = served.gateway.status()[0]!;
  return 'reason' in state ? (state.reason ?? '') : '';
}

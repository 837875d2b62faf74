/** The link to the console of a running gateway, from the real command. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { BIN } from '../command.js';
import { eventually, type GatewayProcess } from '../gateway-process.js';

const run = promisify(execFile);

/** A new link, which works once. `env`: the environment of the gateway, if it has its own. */
export async function consoleLink(
  { config }: GatewayProcess,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  let link = '';
  // The admin socket opens a moment after the HTTP listener.
  await eventually(async () => {
    const args = [BIN, 'console', '--config', config, '--no-open', '--json'];
    const { stdout } = await run(process.execPath, args, {
      env: { ...process.env, ...env },
    }).catch(() => ({ stdout: '{}' }));
    link = (JSON.parse(stdout) as { url?: string }).url ?? '';
    return link !== '';
  });
  return link;
}

/** Signs in over the API, as the page does. Returns a function that sends requests with the key. */
export async function signedIn(gateway: GatewayProcess): Promise<AdminFetch> {
  const link = new URL(await consoleLink(gateway));
  const token = link.hash.replace('#token=', '');
  const response = await fetch(new URL('/admin/v1/session', link), {
    method: 'POST',
    body: JSON.stringify({ token }),
  });
  const { key } = (await response.json()) as { key: string };
  return adminFetch(link.origin, key);
}

export type AdminFetch = <T>(
  method: string,
  path: string,
  body?: unknown,
) => Promise<{ status: number; body: T }>;

export function adminFetch(origin: string, key: string): AdminFetch {
  return async <T>(method: string, path: string, body?: unknown) => {
    const response = await fetch(`${origin}/admin/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as T };
  };
}

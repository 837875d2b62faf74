/**
 * Answers every request of a client with one error, so that its user reads what to do. `isSaid`: the message is on
 * standard error already.
 */

import { EXIT } from '../command/exit-code.js';
import type { Shell } from '../command/shell.js';

const INVALID_REQUEST = -32_600;

export async function refuseClient(
  message: string,
  { stdin, stdout, stderr }: Shell,
  { isSaid = false }: { readonly isSaid?: boolean } = {},
): Promise<number> {
  if (!isSaid) stderr.write(`callsign: ${message}\n`);
  const { createInterface } = await import('node:readline');
  for await (const line of createInterface({ input: stdin })) {
    const id = idIn(line);
    if (id === undefined) continue;
    const error = { code: INVALID_REQUEST, message };
    stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, error })}\n`);
  }
  return EXIT.config;
}

function idIn(line: string): unknown {
  try {
    const { id, method } = JSON.parse(line.replace(/^\uFEFF/, '')) as {
      id?: unknown;
      method?: unknown;
    };
    return method === undefined ? undefined : id;
  } catch {
    return undefined;
  }
}

/** The listener of served adapters: standard input and output, or an HTTP endpoint of this machine. */

import { isLoopback } from '@callsign/outbound';
import { PendingCalls, HttpListener, type ServedSource } from '@callsign/wire';

import { EXIT } from '../command/exit-code.js';
import { Failure, usageFailure } from '../command/failure.js';
import type { Shell } from '../command/shell.js';
import type { Stderr } from '../command/stderr.js';
import { announceHttp, serveStdio, type Listener, type HttpAddress } from '../serve/listeners.js';

export type AdapterListener = Pick<Listener, 'close' | 'closed'>;

const MAX_MESSAGE = 10 * 1024 * 1024;
const MAX_BODY = 4 * 1024 * 1024;
const HERE = '127.0.0.1';

export function openAdapterStdio(
  served: ServedSource,
  shell: Shell,
  stderr: Stderr,
): AdapterListener {
  return serveStdio(served, MAX_MESSAGE, shell, stderr);
}

/** Serves adapters on a loopback port. Fails with `cannot-listen` if the port is taken. */
export async function openAdapterHttp(
  served: ServedSource,
  { host, port }: HttpAddress,
  stderr: Stderr,
): Promise<AdapterListener> {
  const view = served.viewFor(undefined);
  const listener = new HttpListener({
    host,
    port,
    served,
    pending: new PendingCalls(),
    maxBodyBytes: MAX_BODY,
    // Every client sees the adapter's own names.
    viewOf: (profile) => (profile === 'identity' ? view : undefined),
    health: () => ({ status: 'ok', tools: view.offer.tool.length }),
  });
  await announceHttp(listener, { host, port }, stderr).catch(({ message }: Error) => {
    throw new Failure({ exit: EXIT.usage, code: 'cannot-listen', message });
  });
  return { closed: new Promise(() => undefined), close: () => listener.close() };
}

/** Only loopback addresses are accepted: adapters have no authentication of their own. */
export function addressOf(text: string): HttpAddress {
  const [, host = HERE, digits] = /^(?:(\[[^\]]+\]|[^:[\]]+):)?(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (port <= 65_535 && isLoopback(host)) return { host: host.replace(/^\[|\]$/g, ''), port };
  throw usageFailure(
    `--http takes PORT, or a loopback HOST:PORT, not "${text}". For other machines, put the ` +
      'adapter behind a gateway: callsign add NAME -- callsign adapter serve FILE',
  );
}

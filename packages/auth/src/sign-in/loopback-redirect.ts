/**
 * The address on this machine to which the browser returns after a sign-in. It accepts one answer,
 * for a limited time.
 */

import { randomBytes } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { sameText } from '@callsign/wire/rpc';

interface RedirectAnswer {
  readonly code: string;
  /** The issuer in the answer, if it names one. */
  readonly iss: string | undefined;
}

export interface LoopbackRedirect {
  readonly url: string;
  /** Must be part of the answer. Requests without it are ignored. */
  readonly state: string;
  /** Rejects if the person declines. */
  readonly answer: Promise<RedirectAnswer>;
  close(): void;
}

/** The person or the authorization server declined. */
export class SignInDeclined extends Error {
  override readonly name = 'SignInDeclined';
}

const PATH = '/callback';

export async function openRedirect(): Promise<LoopbackRedirect> {
  const state = randomBytes(32).toString('base64url');
  const server = createServer();
  const answer = new Promise<RedirectAnswer>((resolve, reject) => {
    server.on('request', (request, response) => {
      const isMeant = request.method === 'GET' && request.headers.host === host();
      const [path, query] = (request.url ?? '').split('?', 2);
      if (!isMeant || path !== PATH) return show(response, 404, 'There is nothing here.');
      const searchParams = new URLSearchParams(query);
      // A request without our state is ignored and does not end the wait.
      if (!sameText(searchParams.get('state') ?? '', state)) {
        return show(response, 400, 'Callsign did not ask for this sign-in.');
      }
      const code = searchParams.get('code');
      if (code === null) {
        reject(new SignInDeclined(wordOf(searchParams.get('error'))));
        show(response, 200, 'You are not signed in. You can close this page.');
      } else {
        resolve({ code, iss: searchParams.get('iss') ?? undefined });
        show(response, 200, 'You are signed in. You can close this page.');
      }
      // Only one answer is accepted.
      server.close();
    });
  });
  // Prevents an unhandled rejection if no one waits for it.
  answer.catch(() => undefined);
  await new Promise<void>((resolve, reject) => {
    // Later errors concern single connections.
    server.on('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const host = (): string => `127.0.0.1:${port}`;
  return {
    url: `http://127.0.0.1:${port}${PATH}`,
    state,
    answer,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The page contains nothing of the request. */
function show(response: ServerResponse, status: number, sentence: string): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'content-security-policy': "default-src 'none'",
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    connection: 'close',
  });
  response.end(`${sentence}\n`);
}

/** The error code, if it looks like one. Otherwise it could be any text. */
function wordOf(error: string | null): string {
  return error !== null && /^[a-z_]{1,40}$/.test(error) ? error : 'no reason was given';
}

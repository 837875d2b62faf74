/** Sends one request to a running gateway through its socket. */

import { constants } from 'node:buffer';
import { request, type ClientRequest, type RequestOptions } from 'node:http';

export type AdminReply =
  | { readonly ok: true; readonly status: number; readonly body: unknown }
  | { readonly ok: false; readonly reason: string };

/** How long a gateway may send nothing. */
const PATIENCE_MS = 5_000;

/** Never throws: a gateway that has ended or hangs becomes a reply with a reason. */
export function askAdmin(
  address: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<AdminReply> {
  return new Promise((resolve) => {
    const asked = requestTo(address, { method, path });
    const patience = setTimeout(() => asked.destroy(new Error('it does not answer')), PATIENCE_MS);
    const settle = (reply: AdminReply): void => {
      clearTimeout(patience);
      resolve(reply);
    };
    asked.on('error', ({ message }) => settle({ ok: false, reason: message }));
    asked.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        patience.refresh();
        // The gateway is the user's own and may have many servers with long lists, so only the
        // longest possible string limits its answer.
        if (text.length + chunk.length <= constants.MAX_STRING_LENGTH) text += chunk;
        else asked.destroy(new Error('its answer is too long'));
      });
      response.on('error', ({ message }) => settle({ ok: false, reason: message }));
      response.on('end', () => settle(replyFrom(response.statusCode ?? 0, text)));
    });
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

function requestTo(address: string, options: RequestOptions): ClientRequest {
  const headers = { 'content-type': 'application/json', connection: 'close' };
  return request({ socketPath: address, agent: false, headers, ...options });
}

export interface StreamOptions {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly onEvent: (event: unknown) => void;
  /** Ends the stream. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads a stream of events to its end, which counts as status 200. A refusal has its own status.
 */
export function streamAdmin(address: string, options: StreamOptions): Promise<AdminReply> {
  const { method, path, body, onEvent, signal } = options;
  return new Promise((resolve) => {
    const fail = ({ message }: Error): void => resolve({ ok: false, reason: message });
    const asked = requestTo(address, { method, path, ...(signal ? { signal } : {}) });
    asked.on('error', fail);
    asked.on('response', (response) => {
      const isStream = response.statusCode === 200;
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
        if (!isStream || !chunk.includes('\n')) return;
        const lines = text.split('\n');
        text = lines.pop() ?? '';
        for (const line of lines) onEvent(JSON.parse(line) as unknown);
      });
      response.on('error', fail);
      response.on('end', () => {
        if (isStream) resolve({ ok: true, status: 200, body: undefined });
        else resolve(replyFrom(response.statusCode ?? 0, text));
      });
    });
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

function replyFrom(status: number, text: string): AdminReply {
  try {
    return { ok: true, status, body: JSON.parse(text) as unknown };
  } catch {
    return { ok: false, reason: 'its answer is not JSON' };
  }
}

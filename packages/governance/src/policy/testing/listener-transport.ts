/** A transport of the official SDK, old or new, to a listener in this process. */

import type { PassThrough } from 'node:stream';

/** The part of a transport that both SDKs need here. */
export interface ListenerTransport {
  onmessage?: (message: never) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  start(): Promise<void>;
  send(message: unknown): Promise<void>;
  close(): Promise<void>;
}

export function doorTransport(listener: {
  readonly input: PassThrough;
  readonly output: PassThrough;
}): ListenerTransport {
  const { input, output } = listener;
  let rest = '';
  const transport: ListenerTransport = {
    async start() {
      output.setEncoding('utf8').on('data', (text: string) => {
        const lines = (rest + text).split('\n');
        rest = lines.pop()!;
        for (const line of lines) transport.onmessage?.(JSON.parse(line) as never);
      });
    },
    async send(message) {
      input.write(`${JSON.stringify(message)}\n`);
    },
    async close() {
      input.end();
      transport.onclose?.();
    },
  };
  return transport;
}

/** The listener on standard input and output: one client, one message per line, both eras. */

import type { Readable, Writable } from 'node:stream';

import { memberText } from '@callsign/core';

import { MessageOrder } from '../rpc/message/message-order.js';
import type { Message } from '../rpc/message/message.js';
import { isDroppable } from '../rpc/message/rpc-text.js';
import { requestId } from '../rpc/stream/edge-id.js';
import { LineReader } from '../rpc/stream/line-reader.js';
import { LineWriter } from '../rpc/stream/line-writer.js';
import type { Text } from '../rpc/stream/long-text.js';
import { afterSending } from '../rpc/stream/turn-end.js';
import { BadMessage, batchIn, readClientMessage, tooLong } from './client-message.js';
import { isStatelessMessage } from './envelope.js';
import { Session } from './session.js';
import { StatelessClient, type StatelessOptions } from './stateless-client.js';

/** The streams of the client. The listener ends when `input` ends. */
export interface StdioListenerOptions extends StatelessOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly maxMessageBytes: number;
  /** How long requests may still be answered after the client has closed its end. Default: 10 s. */
  readonly lastAnswersMs?: number;
}

/** An open listener. It ends with its input. */
export interface StdioListener {
  /** The client's session, for questions outside of any call. */
  readonly session: Session;
  /** Resolves when the client has sent its first message. */
  readonly heard: Promise<void>;
  /** Resolves when the client has disconnected. */
  readonly closed: Promise<void>;
}

const LAST_ANSWERS_MS = 10_000;
/**
 * Bytes. With more unread output we stop reading from the client until it has caught up, and
 * drop notifications.
 */
const MAX_BACKLOG = 16 * 1024 * 1024;

/** Starts to read at once. */
export function openStdioListener(options: StdioListenerOptions): StdioListener {
  const { input, output, maxMessageBytes, lastAnswersMs = LAST_ANSWERS_MS } = options;
  const writer = new LineWriter(output);
  const open = new OpenRequests();
  const send = (text: Text): boolean => {
    const isLate = writer.backlog > MAX_BACKLOG;
    if (typeof text !== 'string') writer.writeLong(text);
    else if (isLate && isDroppable(text)) return false;
    else writer.write(text);
    return true;
  };
  const session = new Session(options.served, (text, about, isAnswer) => {
    if (about !== undefined && isAnswer) open.answered(about);
    return send(text);
  });
  /** Called with the first chunk. */
  let hear: (() => void) | undefined;
  const heard = new Promise<void>((resolve) => {
    hear = () => setImmediate(resolve);
  });
  const stateless = new StatelessClient(
    options,
    options.served.connection?.id ?? 'stdio',
    (text, _, answered) => {
      if (answered !== undefined) open.answered(answered);
      return send(text);
    },
  );
  const order = new MessageOrder(readClientMessage);
  const take = (message: Message | BadMessage): boolean => {
    if (message instanceof BadMessage) {
      if (!message.isNotification) send(message.reply);
      return false;
    }
    open.note(message);
    if (isStatelessMessage(message)) stateless.receive(message);
    else if (!stateless.takes(message)) session.receive(message);
    return true;
  };
  const lines = new LineReader({
    maxBytes: maxMessageBytes,
    onLine: (line) => {
      const batch = batchIn(line);
      if (!batch) return void order.read(line, take);
      if (batch instanceof BadMessage) return order.whenRead(() => void take(batch));
      // Each message of a batch gets its own answer.
      for (const text of batch) order.read(text, take);
    },
    onTooLong: (line) => {
      // It is refused when it ends.
      if (!line.hasEnded) return;
      send(tooLong(maxMessageBytes, requestId(line.head, line.tail)).reply);
    },
  });
  const closed = new Promise<void>((resolve) => {
    const end = (): void => {
      session.end();
      stateless.end();
      resolve();
    };
    input.on('data', (chunk: Buffer) => {
      hear?.();
      hear = undefined;
      lines.push(chunk);
      if (writer.backlog <= MAX_BACKLOG) return;
      input.pause();
      output.once('drain', () => input.resume());
    });
    input.once('end', () => {
      lines.end();
      // A pipe from a file or a script ends before its requests are answered. The last answers are sent before the end.
      order.whenRead(() => void open.settled(lastAnswersMs).then(() => afterSending(end)));
    });
    input.once('close', () => {
      if (!input.readableEnded) end();
    });
    // The client may have disconnected before we started to listen.
    if (input.readableEnded || input.destroyed || output.destroyed) end();
    // Not `once`: every pending line may cause an error.
    input.on('error', end);
    output.on('error', end);
  });
  return { session, heard, closed };
}

/** The requests of a client that have no answer yet. */
export class OpenRequests {
  readonly #ids = new Map<string, true>();
  #onNone: (() => void) | undefined;

  /** Notes a message from the client: a request, or the end of one. A subscription stays open by itself. */
  note({ id, method, params = '{}' }: Message): void {
    if (method === undefined || method === 'subscriptions/listen') return;
    if (id !== undefined) this.#ids.set(id, true);
    else if (method === 'notifications/cancelled')
      this.answered(memberText(params, 'requestId') ?? '');
  }

  /** The request has its answer, or gets none. */
  answered(id: string): void {
    if (this.#ids.delete(id) && this.#ids.size === 0) this.#onNone?.();
  }

  /** Resolves when no request is open, or after this time. */
  async settled(limitMs: number): Promise<void> {
    if (this.#ids.size === 0) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#onNone = resolve;
      timer = setTimeout(resolve, limitMs);
    });
    clearTimeout(timer);
  }
}

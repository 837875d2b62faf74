import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { LongText } from '../stream/long-text.js';
import { describe, expect, it } from 'vitest';

import { Outbox } from './outbox.js';

/** A client that takes everything at once. */
class EagerResponse {
  readonly written: number[] = [];
  writableLength = 0;
  destroyed = false;
  isEnded = false;

  write(piece: string | Buffer): boolean {
    this.written.push(piece.length);
    return true;
  }

  end(): void {
    this.isEnded = true;
  }

  on(): void {}

  once(): void {}

  get total(): number {
    return this.written.reduce((sum, length) => sum + length, 0);
  }
}

const LENGTH = 2 * 1024 * 1024;
const TURN = 256 * 1024;
const PIECE = 16 * 1024;

function sending(text: LongText): { response: EagerResponse; waiting: () => number } {
  const response = new EagerResponse();
  let waiting = 0;
  const account = {
    queue: (bytes: number) => {
      waiting += bytes;
      return true;
    },
    release: (bytes: number) => void (waiting -= bytes),
  };
  const outbox = new Outbox(response as unknown as ServerResponse, account);
  outbox.write(text.body, text);
  outbox.end();
  return { response, waiting: () => waiting };
}

describe('a long text for a client that takes everything at once', () => {
  it('F2: is sent over several turns, so that others do not wait', async () => {
    const { response, waiting } = sending(new LongText('', 'x'.repeat(LENGTH), ''));
    for (let turn = 1; turn < LENGTH / TURN; turn++) {
      expect([response.total, waiting()]).toEqual([turn * TURN, LENGTH - turn * TURN]);
      expect(response.isEnded).toBe(false);
      await nextTurn();
    }
    expect([response.total, waiting(), response.isEnded]).toEqual([LENGTH, 0, true]);
  });

  it('is counted in bytes', async () => {
    const text = new LongText('', '\u00E9'.repeat(TURN), '');
    const { response, waiting } = sending(text);
    expect(text.bodyBytes).toBe(2 * TURN);
    await nextTurn();
    expect([response.total, waiting()]).toEqual([TURN, 0]);
  });

  it('is not sent any more after the client has disconnected', async () => {
    const { response } = sending(new LongText('', 'x'.repeat(LENGTH), ''));
    response.destroyed = true;
    await nextTurn();
    expect([response.total, response.isEnded]).toEqual([TURN, false]);
  });
});

describe('a long text for a client that takes one piece at a time', () => {
  it('is sent whole, although Node never asks to wait', () => {
    const pieces: string[] = [];
    const taken: (() => void)[] = [];
    const response = {
      get writableLength(): number {
        return taken.length * PIECE;
      },
      write: (piece: string, onTaken: () => void) => {
        pieces.push(piece);
        taken.push(onTaken);
        // With a larger limit than ours, no `drain` will come.
        return true;
      },
      end: () => pieces.push('end'),
      once: () => undefined,
    };
    const outbox = new Outbox(response as unknown as ServerResponse, undefined);
    outbox.write('x'.repeat(4 * PIECE));
    outbox.end();
    expect(pieces).toHaveLength(1);
    while (taken.length > 0) taken.shift()!();
    expect(pieces.map((piece) => (piece === 'end' ? piece : piece.length))).toEqual([
      ...Array.from({ length: 4 }, () => PIECE),
      'end',
    ]);
  });

  it('is sent after other data that the client has not taken', () => {
    const pieces: string[] = [];
    const response = {
      writableLength: 2 * PIECE,
      write: (piece: string) => pieces.push(piece),
      once: () => undefined,
    };
    const outbox = new Outbox(response as unknown as ServerResponse, undefined);
    outbox.write('x'.repeat(4 * PIECE));
    expect(pieces).toHaveLength(1);
  });
});

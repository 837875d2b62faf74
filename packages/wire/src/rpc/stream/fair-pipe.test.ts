import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { countMessage } from './traffic.js';
import { readFairly } from './fair-pipe.js';

const LINE = `{"method":"notifications/message","params":{"data":"${'x'.repeat(70)}"}}\n`;
const FLOOD = Buffer.from(LINE.repeat(500));

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout'] }));
afterEach(() => void vi.useRealTimers());

async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await turn();
}

function reading(isWanted: (text: string) => boolean) {
  const pipe = new PassThrough();
  const taken: string[] = [];
  readFairly(pipe, (chunk) => {
    taken.push(chunk.toString());
    return isWanted(chunk.toString());
  });
  return { pipe, taken };
}

describe('a pipe with much data at once', () => {
  it('rests after every slice without an awaited message', async () => {
    const { pipe, taken } = reading(() => false);
    pipe.write(FLOOD);
    await turns(50);
    expect(taken).toHaveLength(1);
    for (let ms = 2; ms < 6; ms++) {
      vi.advanceTimersByTime(1);
      await turns(5);
      expect(taken).toHaveLength(ms);
    }
    expect(taken.join('').length).toBeLessThan(FLOOD.length / 2);
  });

  it('is not read while it rests, so that its writer has to wait', async () => {
    const { pipe } = reading(() => false);
    pipe.write(FLOOD);
    await turns(5);
    expect(pipe.isPaused()).toBe(true);
    vi.advanceTimersByTime(100);
    await turns(5);
    expect(pipe.isPaused()).toBe(false);
  });

  it('continues in the next turn while its messages are awaited', async () => {
    const { pipe, taken } = reading(() => true);
    pipe.write(FLOOD);
    await turns(200);
    expect(taken.join('')).toBe(FLOOD.toString());
  });

  it('is cut at the ends of lines, so that a long answer is recognised', async () => {
    const answer = `{"id":1,"result":{"text":"${'y'.repeat(10_000)}"}}\n`;
    const { pipe, taken } = reading((text) => text.endsWith('}}\n'));
    pipe.write(Buffer.from(answer.repeat(6)));
    await turns(50);
    expect(taken).toEqual(Array.from({ length: 6 }, () => answer));
  });

  it('never rests within a line, which may be an answer', async () => {
    const { pipe, taken } = reading(() => false);
    for (let i = 0; i < 100; i++) pipe.write(Buffer.alloc(32_768, 'z'));
    await turns(500);
    expect(taken.join('')).toHaveLength(100 * 32_768);
  });

  it('F2: rests within a very long line while other messages are read', async () => {
    const { pipe, taken } = reading(() => true);
    const isRead = (): number => taken.length;
    for (let i = 0; i < 100; i++) pipe.write(Buffer.alloc(32_768, 'z'));
    await turns(10);
    countMessage();
    await turns(500);
    // The first megabyte does not rest.
    expect(isRead()).toBe(33);
    for (let more = 1; more < 5; more++) {
      vi.advanceTimersByTime(1);
      await turns(5);
      expect(isRead()).toBe(33 + more);
    }
    vi.advanceTimersByTime(1_000);
    pipe.write('\n');
    for (let i = 0; i < 100; i++) {
      vi.advanceTimersByTime(1);
      await turns(3);
    }
    expect(isRead()).toBe(101);
    // The next line begins without a rest.
    for (let i = 0; i < 50; i++) pipe.write(Buffer.alloc(32_768, 'z'));
    await turns(300);
    expect(isRead()).toBe(151);
  });
});

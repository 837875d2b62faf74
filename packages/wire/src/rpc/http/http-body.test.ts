import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { StreamEvent } from '../stream/event-stream.js';
import { readEvents } from './http-body.js';

const MUCH = 60_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout'] }));
afterEach(() => void vi.useRealTimers());

function reading(isWanted: (event: StreamEvent) => boolean) {
  const body = new PassThrough();
  const events: string[] = [];
  const url = new URL('http://localhost/mcp');
  const ended = readEvents(body, { maxBytes: 1_000_000, url }, (event) => {
    events.push(event.data);
    return isWanted(event);
  });
  return { body, events, ended };
}

/** Writes everything at once, and runs the event loop without any pause. */
async function flood(body: PassThrough, text: string): Promise<void> {
  body.write(text);
  for (let i = 0; i < 200; i++) await turn();
}

describe('a stream of events with much data at once', () => {
  it.each([
    ['comments', ':\n\n'],
    ['events that nobody awaits', 'data: x\n\n'],
  ])('is read slowly while it has only %s', async (_, text) => {
    const { body } = reading(() => false);
    await flood(body, text.repeat(MUCH / text.length));
    expect(body.isPaused()).toBe(true);
    for (let ms = 0; ms < 100 && body.isPaused(); ms++) {
      vi.advanceTimersByTime(1);
      for (let i = 0; i < 5; i++) await turn();
    }
    expect(body.isPaused()).toBe(false);
  });

  it('is read without a pause while its events are awaited', async () => {
    const { body, events, ended } = reading(() => true);
    await flood(body, 'data: x\n\n'.repeat(5_000));
    expect(events).toHaveLength(5_000);
    body.end();
    await ended;
  });

  it('is read without a pause up to the end of a long event', async () => {
    const { body, events } = reading(() => true);
    await flood(body, `event: message\ndata: ${'x'.repeat(MUCH)}\n\n`);
    expect(events).toEqual(['x'.repeat(MUCH)]);
  });
});

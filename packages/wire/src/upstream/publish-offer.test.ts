import { byKind, Listeners, type Slices, type SourceEvent } from '@callsign/core';
import { describe, expect, it } from 'vitest';

import { Offered, type CachedOffer } from './offered.js';
import { publishOffer } from './publish-offer.js';
import { StateHolder } from './upstream-state.js';

function offerOf(count: number): CachedOffer {
  const tools = Array.from({ length: count }, (_, n) => {
    return { name: `t_${n}`, json: `{"name":"t_${n}"}` };
  });
  return { lists: { ...byKind(() => []), tool: tools }, capabilities: '{}' };
}

function publisher() {
  const offered = new Offered((_, item) => ({ item, send: () => Promise.reject(new Error()) }));
  const state = new StateHolder(() => 1_000);
  const events = new Listeners<SourceEvent>();
  const heard: string[] = [];
  const work: Slices<void>[] = [];
  events.add((event) => {
    heard.push(`${event.type} ${offered.offer.tool.length} ${state.now.is}`);
    if (event.type === 'changing') for (const part of work) event.prepare(part);
  });
  const server = { isUp: true };
  const kept: number[] = [];
  const publish = (count: number): Promise<void> =>
    publishOffer(
      {
        offered,
        state,
        events,
        onOffer: ({ lists }) => kept.push(lists.tool.length),
        isUp: () => server.isUp,
      },
      offerOf(count),
      [],
      [],
    );
  return { publish, heard, work, server, kept };
}

describe('what a server offers', () => {
  it('is announced at once if it is short', () => {
    const { publish, heard, kept } = publisher();
    void publish(5);
    expect([heard, kept]).toEqual([['changed 5 ready'], [5]]);
  });

  it('is prepared in slices if it is long; the server is ready after that', async () => {
    const { publish, heard, work, kept } = publisher();
    const preparation = { mayEnd: false };
    work.push(
      (function* () {
        while (!preparation.mayEnd) yield;
        heard.push('prepared');
      })(),
    );
    const published = publish(300);
    await new Promise((resolve) => setImmediate(resolve));
    expect(heard).toEqual(['changing 300 starting']);
    preparation.mayEnd = true;
    await published;
    expect(heard).toEqual(['changing 300 starting', 'prepared', 'changed 300 ready']);
    await expect.poll(() => kept).toEqual([300]);
  });

  it('is announced, but not remembered, if the server ends before that', async () => {
    const { publish, heard, work, server, kept } = publisher();
    work.push(
      (function* () {
        server.isUp = false;
        yield;
      })(),
    );
    await publish(300);
    await new Promise((resolve) => setImmediate(resolve));
    expect(heard).toEqual(['changing 300 starting', 'changed 300 starting']);
    expect(kept).toEqual([]);
  });
});

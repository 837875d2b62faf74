import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { CachedOffer } from '@callsign/wire';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { temporaryFolder } from '../../../../test/e2e/serve/callsign-process.js';
import { OfferMemory } from './offer-memory.js';

const KEY = { entry: 'entry-1' };
const OFFER: CachedOffer = {
  lists: {
    tool: [{ name: 't', json: '{"name":"t", "big":12345678901234567890}' }],
    prompt: [],
    resource: [{ name: 'a:b', json: '{"uri":"a:b","name":"b"}' }],
    template: [],
  },
  capabilities: '{"tools":{},"extensions":{"x":{"y":1.0}}}',
  instructions: 'Be kind.',
};

function memoryIn(folder: string, logged: string[] = [], isOn = true): OfferMemory {
  return new OfferMemory({
    folder,
    log: (level, message) => logged.push(`${level}: ${message}`),
    isOn: () => isOn,
  });
}

describe('the memory of offers', () => {
  it('returns every character, for the same key only', () => {
    const folder = temporaryFolder();
    memoryIn(folder).write(KEY, OFFER);
    const memory = memoryIn(folder);
    expect(memory.read(KEY)).toEqual(OFFER);
    for (const other of [
      { entry: 'entry-2' },
      { ...KEY, holder: 'ann' },
      { ...KEY, settings: ['stateless'] },
      { entry: undefined },
    ]) {
      expect(memory.read(other)).toBeUndefined();
    }
    const [file = ''] = readdirSync(join(folder, 'offers'));
    expect(statSync(join(folder, 'offers', file)).mode & 0o777).toBe(0o600);
  });

  it.each([
    '',
    '{',
    '[]',
    '{"version":2}',
    '{"version":1,"capabilities":"{}","lists":{"tool":[]}}',
    '{"version":1,"capabilities":"{","lists":{"tool":[],"prompt":[],"resource":[],"template":[]}}',
    '{"version":1,"capabilities":"{}","lists":{"tool":[["t","{\\"name\\":"]],"prompt":[],"resource":[],"template":[]}}',
    '{"version":1,"capabilities":"{}","lists":{"tool":[["t","1"]],"prompt":[],"resource":[],"template":[]}}',
  ])('is empty if its file is broken: %s', (text) => {
    const folder = temporaryFolder();
    const memory = memoryIn(folder);
    memory.write(KEY, OFFER);
    const [file = ''] = readdirSync(join(folder, 'offers'));
    writeFileSync(join(folder, 'offers', file), text);
    expect(memory.read(KEY)).toBeUndefined();
  });

  it('F7: is empty if no file can be written, which is logged once', () => {
    const logged: string[] = [];
    const memory = memoryIn('/dev/null', logged);
    memory.write(KEY, OFFER);
    memory.write(KEY, OFFER);
    expect(memory.read(KEY)).toBeUndefined();
    expect(logged).toEqual([
      expect.stringMatching(/^warning: Lists are not remembered: .*ENOTDIR/),
    ]);
  });

  it('is written every few seconds if an offer changes all the time, and the last one is kept', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const memory = memoryIn(temporaryFolder());
    const write = (instructions: string): void => memory.write(KEY, { ...OFFER, instructions });
    const kept = (): string | undefined => memory.read(KEY)?.instructions;
    for (let n = 0; n < 100; n++) write(`text ${n}`);
    expect(kept()).toBe('text 2');
    vi.advanceTimersByTime(5_000);
    expect(kept()).toBe('text 99');
    write('next');
    expect(kept()).toBe('next');
    for (const text of ['a', 'b', 'last']) write(text);
    expect(kept()).toBe('b');
    memory.flush();
    expect(kept()).toBe('last');
  });

  it('keeps no offer that is too long, and none if it is switched off', () => {
    const folder = temporaryFolder();
    const memory = memoryIn(folder);
    memory.write(KEY, OFFER);
    memory.write(KEY, { ...OFFER, instructions: 'x'.repeat(9 * 1024 * 1024) });
    memory.flush();
    expect(memory.read(KEY)).toBeUndefined();
    const item = { name: 't', json: `{"name":"t","x":"${'x'.repeat(9 * 1024 * 1024)}"}` };
    memory.write(KEY, { ...OFFER, lists: { ...OFFER.lists, tool: [item] } });
    expect(memory.read(KEY)).toBeUndefined();
    memory.flush();
    memory.write(KEY, OFFER);
    expect(memoryIn(folder, [], false).read(KEY)).toBeUndefined();
  });
});

import { join } from 'node:path';

import type { Module, ModuleContext, Parts } from '@callsign/core';
import { REPLIES } from '@callsign/core/testing';
import { describe, expect, it, onTestFinished } from 'vitest';

import { OfferedSource, tool } from '../../../../test/testing/offered.js';
import { scratch } from '../../../../test/testing/scratch.js';
import { lockModules } from './lock-modules.js';
import type { QuarantineMode } from './lock-settings.js';

const HIDDEN = 'a\u200Bb';

/** Opens the parts of a module for one server, as a reload does. */
function opened<S>(module: Module<S>, settings: S, source: OfferedSource): Parts<S> {
  const context: ModuleContext<S> = {
    settings,
    servers: [{ key: 's', displayName: 's' }],
    clock: { now: () => 0, after: () => () => undefined },
    log: () => undefined,
    refresh: () => undefined,
    ...REPLIES,
  };
  const parts = module.create(context)!;
  parts.open?.();
  const stop = parts.watch!('s', source);
  onTestFinished(async () => {
    stop();
    await parts.close?.();
  });
  return parts;
}

describe('the notes', () => {
  it.each([
    ['warn', 'on'],
    ['on', 'warn'],
    ['names', 'on'],
  ] as const)(
    'of the quarantine stay when a reload turns "%s" into "%s"',
    async (before, after) => {
      const { quarantine, notes } = lockModules();
      const source = new OfferedSource(tool(HIDDEN));
      const settings = (mode: QuarantineMode) => ({ mode, trust: { s: 'none' as const } });
      const old = opened(quarantine, settings(before), source);
      opened(quarantine, settings(after), source);
      await old.close?.();
      expect(notes()).toMatchObject([{ ref: { tool: HIDDEN }, isWithheld: after === 'on' }]);
    },
  );

  it('of the lock file stay when new parts replace the old ones', async () => {
    const { lock, notes } = lockModules();
    const source = new OfferedSource(tool('a'));
    const settings = { mode: 'warn', file: join(scratch(), 'callsign.lock.json') } as const;
    const old = opened(lock, settings, source);
    opened(lock, settings, source);
    await old.close?.();
    source.offers(tool('a', { description: 'Other.' }));
    expect(notes()).toMatchObject([{ about: 'changed' }]);
  });

  it('end with the last parts', async () => {
    const { quarantine, notes } = lockModules();
    const trust = { s: 'none' as const };
    const source = new OfferedSource(tool(HIDDEN));
    const parts = opened(quarantine, { mode: 'names', trust }, source);
    expect(notes()).toHaveLength(1);
    await parts.close?.();
    expect(notes()).toEqual([]);
  });
});

import { join } from 'node:path';

import { NOTHING, type Module, type Parts, type Source, type SourceEvent } from '@callsign/core';
import { lockModules } from '@callsign/governance';
import { describe, expect, it, onTestFinished } from 'vitest';

import { scratch } from '../../../../test/testing/scratch.js';
import { configured, plain } from '../testing/served.js';
import { ModuleHost, type ModuleWithSettings } from './module-host.js';
import { SYSTEM_CLOCK } from './system-clock.js';
import { UserModules } from './user-modules.js';

const CONFIG = configured({ s: plain() });

/** A source that offers nothing and shows who listens. */
class HeardSource implements Source {
  readonly offer = NOTHING;
  readonly listeners = new Set<(event: SourceEvent) => void>();

  route(): undefined {}

  subscribe(listener: (event: SourceEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  tell(): void {}

  changes(): void {
    for (const listener of this.listeners) listener({ type: 'changed', kinds: ['tool'] });
  }
}

/** Modules that watch one server, and whose settings a test changes. */
function watching<S>(module: Module<S>, first: S) {
  const source = new HeardSource();
  const logged: string[] = [];
  const host = new ModuleHost({
    clock: SYSTEM_CLOCK,
    log: (level, message) => void logged.push(`${level}: ${message}`),
    refresh: () => undefined,
    confirm: (_, next) => next(),
    current: (target) => target,
  });
  const apply = (settings: S): void => {
    const placed = { module, settings: () => settings };
    host.apply(CONFIG, [placed as unknown as ModuleWithSettings]);
  };
  apply(first);
  host.open();
  onTestFinished(() => host.close());
  return { source, host, logged, apply, leave: host.watch('s', source) };
}

/** Notes the settings of each module that hears of a change. */
function hearing(heard: unknown[]): Module {
  return {
    name: 'm',
    create: ({ settings }): Parts | undefined =>
      settings === 'off'
        ? undefined
        : { watch: (_, source) => source.subscribe(() => heard.push(settings)) },
  };
}

describe('a module that is created again on a reload', () => {
  it('watches each server once', () => {
    const heard: unknown[] = [];
    const { source, apply } = watching(hearing(heard), 0);
    for (let i = 1; i <= 5; i++) apply(i);
    expect(source.listeners.size).toBe(1);
    source.changes();
    expect(heard).toEqual([5]);
  });

  it('keeps the watch of its old parts if the new ones fail', () => {
    const heard: unknown[] = [];
    const module: Module = {
      name: 'm',
      create: (context) => ({
        watch(server, source) {
          if (server === 't' && context.settings === 'bad') throw new Error('no watch');
          return hearing(heard).create(context)!.watch!(server, source);
        },
      }),
    };
    const { source, host, apply, logged } = watching<unknown>(module, 'good');
    host.watch('t', new HeardSource());
    apply('bad');
    expect(logged.join()).toContain('Module "m" cannot be used: no watch');
    source.changes();
    expect(heard).toEqual(['good']);
  });
});

describe('a module that ends', () => {
  it('stops watching before it is closed', () => {
    const order: string[] = [];
    const create = (): Parts => ({
      watch: () => () => order.push('stop'),
      close: () => void order.push('close'),
    });
    const { host } = watching({ name: 'm', create }, 1);
    host.apply(CONFIG, []);
    expect(order).toEqual(['stop', 'close']);
  });

  it.each(['off', 'closed', 'left'])('has no listener at a server after "%s"', async (end) => {
    const { source, host, apply, leave } = watching(hearing([]), 'on');
    expect(source.listeners.size).toBe(1);
    if (end === 'off') apply('off');
    else if (end === 'closed') await host.close();
    else leave();
    expect(source.listeners.size).toBe(0);
  });

  it('is closed even if it fails to stop watching, and says so', () => {
    const create = (): Parts => ({
      watch: () => () => {
        throw new Error('oops');
      },
    });
    const module: Module<never> = { name: 'mine', create };
    const policy = { module: { name: 'policy', create: () => undefined }, settings: () => 1 };
    const placed = new UserModules(() => 60_000).placedAmong(
      [policy as unknown as ModuleWithSettings],
      [{ module }],
    );
    const { host, logged, source } = watching<unknown>(policy.module, 1);
    host.apply(CONFIG, placed);
    host.watch('s', source);
    host.apply(CONFIG, []);
    expect(logged).toEqual(['error: Module "mine" failed to stop watching a server: oops']);
  });
});

describe('the lock file', () => {
  it('is turned off by a reload, with its watch', () => {
    const file = join(scratch(), 'callsign.lock.json');
    const { source, apply } = watching(lockModules().lock, { mode: 'warn', file });
    expect(source.listeners.size).toBe(1);
    for (let i = 0; i < 3; i++) {
      apply({ mode: 'off', file });
      expect(source.listeners.size).toBe(0);
      apply({ mode: 'warn', file });
      expect(source.listeners.size).toBe(1);
    }
  });
});

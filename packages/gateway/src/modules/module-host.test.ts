import { resultOf } from '@callsign/core';
import type { Module, Parts } from '@callsign/core';
import { describe, expect, it, vi } from 'vitest';

import { configured, plain, serveAll } from '../testing/served.js';
import { Gateway } from '../gateway/gateway.js';
import type { GatewayOptions } from '../gateway/gateway-options.js';
import { ModuleHost, type ModuleWithSettings } from './module-host.js';
import { SYSTEM_CLOCK } from './system-clock.js';
import { UserModules } from './user-modules.js';

const CONFIG = configured({ s: plain() });

/** A gateway that is never started: nothing is read, written or run. */
function gatewayOf(callsign: object = {}, options: Partial<GatewayOptions> = {}): Gateway {
  const config = configured({ s: plain() }, callsign);
  return new Gateway(config, {
    self: { name: 'g', version: '0' },
    log: () => undefined,
    ...options,
  });
}

async function served(options: Partial<GatewayOptions>) {
  const all = await serveAll({ s: plain() }, {}, options);
  return { gateway: all.gateway, logged: all.logged, connect: () => all.connect() };
}

function hostOf(log: (level: string, message: string) => void = () => undefined): ModuleHost {
  return new ModuleHost({
    clock: SYSTEM_CLOCK,
    log,
    refresh: () => undefined,
    confirm: (_, next) => next(),
    current: (target) => target,
  });
}

/** A module whose settings the test sets. */
function placed(
  name: string,
  create: Module['create'],
  settings: () => unknown = () => 1,
): ModuleWithSettings {
  return {
    module: modules.get(create) ?? remember(name, create),
    settings,
  } as unknown as ModuleWithSettings;
}

const modules = new Map<Module['create'], Module>();

function remember(name: string, create: Module['create']): Module {
  const module = { name, create };
  modules.set(create, module);
  return module;
}

describe('the order of modules', () => {
  it('is this one, the first outermost (C11)', () => {
    const everything = {
      lock: 'warn',
      quarantine: 'on',
      roles: { all: { allow: ['*'] } },
      policy: {},
      quota: { perCaller: { perMinute: 10 } },
      breaker: {},
      limits: { maxResultBytes: 2000 },
      retry: {},
    };
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', 'http://127.0.0.1:9');
    const { modules: names } = gatewayOf(everything);
    vi.unstubAllEnvs();
    expect(names).toEqual([
      'trace',
      'metrics',
      'audit',
      'lock',
      'quarantine',
      'roles',
      'policy',
      'quota',
      'breaker',
      'intent',
      'size',
      'timeout',
      'confirmed',
      'retry',
      'attempt-trace',
      'attempt-metrics',
    ]);
  });

  it('leaves out modules that are not configured', () => {
    expect(gatewayOf().modules).toEqual([
      'metrics',
      'audit',
      'quarantine',
      'intent',
      'timeout',
      'confirmed',
      'attempt-metrics',
    ]);
  });

  it('has users’ modules at their chosen place, by default before the policy', () => {
    const module = (name: string): Module<never> => ({ name, create: () => ({}) });
    const { modules: names } = gatewayOf(
      { policy: {} },
      { modules: [{ module: module('mine') }, { module: module('late'), before: 'timeout' }] },
    );
    expect(names).toEqual([
      'metrics',
      'audit',
      'quarantine',
      'mine',
      'policy',
      'intent',
      'late',
      'timeout',
      'confirmed',
      'attempt-metrics',
    ]);
  });

  it('refuses a place that does not exist, and a name that is taken', () => {
    const module: Module<never> = { name: 'mine', create: () => ({}) };
    expect(() => gatewayOf({}, { modules: [{ module, before: 'polcy' }] })).toThrow(
      'There is no module "polcy". Known modules: trace, metrics,',
    );
    expect(() => gatewayOf({}, { modules: [{ module: { ...module, name: 'audit' } }] })).toThrow(
      'There are two modules with the name "audit".',
    );
  });
});

describe('a reload', () => {
  it('keeps a module whose settings are the same, and creates one again whose settings changed', () => {
    const created: unknown[] = [];
    const close = vi.fn<() => void>();
    const create: Module['create'] = ({ settings }) => {
      created.push(settings);
      return { close };
    };
    let settings = { a: 1 };
    const modulesNow = [placed('m', create, () => settings)];
    const host = hostOf();
    host.apply(CONFIG, modulesNow);
    settings = { a: 1 };
    host.apply(CONFIG, modulesNow);
    expect(created).toEqual([{ a: 1 }]);
    settings = { a: 2 };
    host.apply(CONFIG, modulesNow);
    expect(created).toEqual([{ a: 1 }, { a: 2 }]);
    expect(close).toHaveBeenCalledOnce();
  });

  it('gives changed settings to a module that supports reload', () => {
    const taken: unknown[] = [];
    const create = vi.fn<Module['create']>(() => ({
      reload: ({ settings }) => void taken.push(settings),
    }));
    let settings = 1;
    const host = hostOf();
    const modulesNow = [placed('m', create, () => settings)];
    host.apply(CONFIG, modulesNow);
    settings = 2;
    host.apply(CONFIG, modulesNow);
    expect(create).toHaveBeenCalledOnce();
    expect(taken).toEqual([2]);
  });

  it('closes a removed module, and takes it out of the path', () => {
    const close = vi.fn<() => void>();
    const parts: Parts = { close, intercept: (_, next) => next() };
    const host = hostOf();
    host.apply(CONFIG, [placed('m', () => parts)]);
    expect(host.path).toHaveLength(1);
    host.apply(CONFIG, []);
    expect(host.path).toEqual([]);
    expect(close).toHaveBeenCalledOnce();
  });

  it('keeps the old parts when a module fails, and says so', () => {
    const logged: string[] = [];
    const parts: Parts = {};
    let fails = false;
    let settings = 1;
    const create: Module['create'] = () => {
      if (fails) throw new Error('no such table');
      return parts;
    };
    const host = hostOf((level, message) => logged.push(`${level}: ${message}`));
    const modulesNow = [placed('m', create, () => settings)];
    host.apply(CONFIG, modulesNow);
    host.open();
    [fails, settings] = [true, 2];
    host.apply(CONFIG, modulesNow);
    expect(host.names).toEqual(['m']);
    expect(logged).toEqual([
      'error: Module "m" cannot be used: no such table It keeps its previous settings.',
    ]);
  });

  it('goes on if a module fails to close or to reload, and says so', async () => {
    const logged: string[] = [];
    let settings = 1;
    const create = vi.fn<Module['create']>(() => ({
      reload: () => {
        throw new Error('no reload');
      },
      close: () => Promise.reject(new Error('no close')),
    }));
    const host = hostOf((level, message) => logged.push(`${level}: ${message}`));
    host.apply(CONFIG, [placed('m', create, () => settings)]);
    settings = 2;
    host.apply(CONFIG, [placed('m', create, () => settings)]);
    host.apply(CONFIG, []);
    expect(create).toHaveBeenCalledTimes(2);
    await vi.waitFor(() => expect(logged).toHaveLength(3));
    expect(logged[0]).toBe('error: Module "m" cannot be reloaded: no reload');
    expect(logged[2]).toBe('error: A module cannot close: no close');
  });

  it('does not start with a module that fails', () => {
    const create: Module['create'] = () => {
      throw new Error('no such table');
    };
    expect(() => hostOf().apply(CONFIG, [placed('m', create)])).toThrow(
      'Module "m" cannot be used: no such table',
    );
  });
});

describe('a user’s module', () => {
  it('is created once for the same settings, even over a reload', () => {
    const create = vi.fn<Module['create']>(() => ({}));
    const module = { name: 'mine', create } as unknown as Module<never>;
    const users = new UserModules(() => 60_000);
    const policy = placed('policy', () => ({}));
    const host = hostOf();
    const apply = (settings: object): void =>
      host.apply(CONFIG, users.placedAmong([policy], [{ module, settings }]));
    apply({ a: 1 });
    apply({ a: 1 });
    expect(create).toHaveBeenCalledOnce();
    apply({ a: 2 });
    expect(create).toHaveBeenCalledTimes(2);
  });
});

describe('a user’s module that throws', () => {
  it('withholds what it judges, and ends nothing', async () => {
    const fail = (): never => {
      throw new Error('oops');
    };
    const parts: Parts = {
      admits: fail,
      admitsText: fail,
      mayWait: fail,
      sees: fail,
      settled: fail,
      watch: fail,
      observe: { begin: fail, end: fail, taskEnded: fail, unknown: fail },
    };
    const module: Module<never> = { name: 'mine', create: () => parts };
    const { gateway, connect, logged } = await served({ modules: [{ module }] });
    await expect(gateway.settled()).resolves.toBeUndefined();
    const client = await connect();
    expect(await client.toolNames()).toEqual([]);
    expect(logged.join()).toContain('oops');
  });
});

describe('the path', () => {
  it('has one place for all observers and one for all deciding modules', () => {
    const end = (): void => undefined;
    const intercept = async () => resultOf({});
    const host = hostOf();
    host.apply(CONFIG, [
      placed('a', () => ({ observe: { end } })),
      placed('b', () => ({ observe: { end }, sees: () => true })),
      placed('c', () => ({ decide: () => ({ decision: 'allow', rule: '' }), intercept })),
      placed('d', () => undefined),
    ]);
    expect(host.path.map(({ name }) => name)).toEqual(['observed', 'decideCall', 'intercept']);
  });
});

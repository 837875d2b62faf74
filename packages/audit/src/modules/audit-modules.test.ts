import { existsSync } from 'node:fs';

import { type Interceptor, type ModuleContext, observe } from '@callsign/core';
import { describe, expect, it, onTestFinished } from 'vitest';

import { journalFolder } from '../../../../test/testing/audit-folder.js';
import { callOf, labelledHub } from '../../../../test/testing/labelled-hub.js';
import { AUDIT_SETTINGS, type AuditSettings } from '../record/audit-settings.js';
import { recordsIn } from '../testing/audit-rows.js';
import { auditModules } from './audit-modules.js';

type Parts = NonNullable<ReturnType<ReturnType<typeof auditModules>['audit']['create']>>;

function setup(settings: Partial<AuditSettings> = {}, modules = auditModules()) {
  const folder = journalFolder();
  const logged: string[] = [];
  const context = {
    settings: { ...AUDIT_SETTINGS.parse({}), folder, ...settings },
    log: (_: string, message: string) => void logged.push(message),
  } as unknown as ModuleContext<AuditSettings>;
  const create = (): { audit: Parts; intent: Parts } | undefined => {
    const [audit, intent] = [modules.audit.create(context), modules.intent.create(context)];
    if (!audit || !intent) return undefined;
    onTestFinished(() => audit.close?.());
    return { audit, intent };
  };
  return { folder, modules, create, logged };
}

function hubOf({ audit, intent }: { audit: Parts; intent: Parts }) {
  const watch = observe([audit.observe!], () => performance.now());
  const all = [watch, audit.intercept, intent.intercept];
  return labelledHub({ interceptors: all.filter((each): each is Interceptor => Boolean(each)) });
}

describe('the modules of the log', () => {
  it('have names that settings and records use', () => {
    const { audit, intent } = auditModules();
    expect([audit.name, intent.name]).toEqual(['audit', 'intent']);
  });

  it('do not exist if calls are not recorded', () => {
    const { create, modules } = setup({ mode: 'off' });
    expect(modules.audit.create).toBeDefined();
    expect(create()).toBeUndefined();
    const context = { settings: { mode: 'off' } } as ModuleContext<AuditSettings>;
    expect(modules.audit.create(context)).toBeUndefined();
    expect(modules.intent.create(context)).toBeUndefined();
    expect(modules.status()).toBeUndefined();
    expect(() => modules.flush()).not.toThrow();
  });

  it('write intents, ends, ends of tasks and unknown names into one journal', async () => {
    const { folder, modules, create } = setup();
    const { audit, intent } = create()!;
    const { call, hub } = hubOf({ audit, intent });
    await call('write_file', {});
    const [startedAt, ms, size] = [performance.now(), 1, 2];
    const ended = callOf('fs__read_file').with({
      target: hub.route('tool', 'fs:read_file')!.target,
    });
    audit.observe!.taskEnded!({ call: ended, outcome: 'ok', startedAt, ms, waitedMs: 0, size });
    audit.observe!.unknown!(callOf('typo'));
    modules.flush();
    expect(recordsIn(folder)).toMatchObject([
      { kind: 'intent', tool: 'fs:write_file' },
      { kind: 'call', tool: 'fs:write_file' },
      { kind: 'call', tool: 'fs:read_file' },
      { kind: 'call', tool: 'typo', outcome: 'unknown' },
    ]);
    expect(modules.status()).toEqual({ mode: 'best-effort', waiting: 0, lost: 0 });
  });

  it('open the journal at the start, but write nothing before the first call', () => {
    const { folder, modules, create } = setup();
    const parts = create()!;
    expect(modules.status()).toBeUndefined();
    parts.audit.open!();
    expect(modules.status()).toMatchObject({ waiting: 0 });
    expect(existsSync(folder)).toBe(false);
  });

  it('refuse calls only in strict mode', () => {
    expect(setup().create()!.audit.intercept).toBeUndefined();
    expect(setup({ mode: 'strict' }).create()!.audit.intercept).toBeDefined();
  });

  it('keep their journal if the settings stay the same, and change it with them', async () => {
    const modules = auditModules();
    const first = setup({}, modules);
    const before = first.create()!;
    await hubOf(before).call('write_file', {});
    await hubOf(first.create()!).call('write_file', {});
    expect(new Set(recordsIn(first.folder).map(({ id }) => id.split('-')[0])).size).toBe(1);
    const second = setup({}, modules);
    const after = second.create()!;
    await hubOf(after).call('write_file', {});
    expect(recordsIn(second.folder)[0]).toMatchObject({ kind: 'intent' });
    // The old one is closed later, and the new one stays.
    await before.audit.close!();
    expect(modules.status()).toBeDefined();
    await after.audit.close!();
    expect(modules.status()).toBeUndefined();
  });

  it('know the stores of the gateway', () => {
    const opened: unknown[] = [];
    const module = {
      name: 'mine',
      open: ({ settings }: { settings: unknown }) => {
        opened.push(settings);
        return { close: () => Promise.resolve() } as never;
      },
    };
    const modules = auditModules(() => [{ module, settings: 7 }]);
    setup({ store: 'mine' }, modules).create()!.audit.open!();
    expect(opened).toEqual([7]);
  });
});

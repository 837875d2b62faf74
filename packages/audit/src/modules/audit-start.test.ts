import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { auditFolder, journalFolder } from '../../../../test/testing/audit-folder.js';
import { AUDIT_SETTINGS } from '../record/audit-settings.js';
import { Audit } from './audit.js';

describe('a file of an older version', () => {
  it('is left unchanged, and reported', async () => {
    const state = auditFolder();
    vi.stubEnv('XDG_STATE_HOME', state);
    onTestFinished(() => void vi.unstubAllEnvs());
    const file = join(state, 'callsign', 'audit.db');
    mkdirSync(join(state, 'callsign'));
    writeFileSync(file, 'old records');
    const logged: string[] = [];
    const log = (_: string, message: string): void => void logged.push(message);
    const audit = new Audit({ settings: AUDIT_SETTINGS.parse({}), log });
    await audit.close();
    expect(logged).toEqual([
      `Records of an older version are in ${file}. Callsign does not read them. See docs/upgrading.md`,
    ]);
    expect(readFileSync(file, 'utf8')).toBe('old records');
  });
});

describe('a custom store', () => {
  it('gets the records, is chosen by name, and is closed', async () => {
    const heard: string[] = [];
    const module = {
      name: 'mine',
      open: ({ settings }: { settings: unknown }) => {
        heard.push(JSON.stringify(settings));
        return { close: () => Promise.resolve(void heard.push('closed')) } as never;
      },
    };
    const settings = { ...AUDIT_SETTINGS.parse({ store: 'mine' }), folder: journalFolder() };
    const stores = [{ module, settings: { table: 'x' } }];
    const audit = new Audit({ settings, log: () => undefined, stores });
    await audit.close();
    expect(heard).toEqual(['{"table":"x"}', 'closed']);
    expect(() => new Audit({ settings, log: () => undefined })).toThrow(
      'There is no store "mine". Known stores: sqlite.',
    );
  });
});

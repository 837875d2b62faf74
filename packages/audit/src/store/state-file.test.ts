import { describe, expect, it } from 'vitest';

import type { Home } from '@callsign/config';
import { defaultAuditFile } from './state-file.js';

describe('the file that a log is in', () => {
  const linux: Home = { platform: 'linux', env: {}, home: '/home/ada' };
  const mac: Home = { platform: 'darwin', env: {}, home: '/Users/ada' };
  const windows: Home = { platform: 'win32', env: {}, home: 'C:\\Users\\ada' };

  it.each<[Home, string]>([
    [linux, '/home/ada/.local/state/callsign/audit.db'],
    [{ ...linux, env: { XDG_STATE_HOME: '/state' } }, '/state/callsign/audit.db'],
    [{ ...linux, env: { XDG_STATE_HOME: 'relative' } }, '/home/ada/.local/state/callsign/audit.db'],
    [mac, '/Users/ada/Library/Application Support/callsign/audit.db'],
    [{ ...mac, env: { XDG_STATE_HOME: '/state' } }, '/state/callsign/audit.db'],
    [windows, 'C:\\Users\\ada\\AppData\\Local\\callsign\\audit.db'],
    [{ ...windows, env: { LOCALAPPDATA: 'D:\\Local' } }, 'D:\\Local\\callsign\\audit.db'],
  ])('is in the folder that the system has for it: %o', (home, file) => {
    expect(defaultAuditFile(home)).toBe(file);
  });
});

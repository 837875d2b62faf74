import { describe, expect, it } from 'vitest';

import { configFolder } from './config-folder.js';

describe("the folder of a user's configuration", () => {
  it.each([
    ['linux', {}, '/h/.config/callsign'],
    ['linux', { XDG_CONFIG_HOME: '/x' }, '/x/callsign'],
    ['linux', { XDG_CONFIG_HOME: 'relative' }, '/h/.config/callsign'],
    ['darwin', {}, '/h/Library/Application Support/callsign'],
    ['darwin', { XDG_CONFIG_HOME: '/x' }, '/x/callsign'],
    ['win32', { APPDATA: 'D:\\Roaming' }, 'D:\\Roaming\\callsign'],
    ['win32', {}, '\\h\\AppData\\Roaming\\callsign'],
  ] as const)('on %s with %o is %s', (platform, env, folder) => {
    expect(configFolder({ platform, env, home: '/h' })).toBe(folder);
  });
});

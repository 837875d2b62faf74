import os from 'node:os';
import { syncBuiltinESMExports } from 'node:module';

import { afterEach, describe, expect, it, vi } from 'vitest';

import { homeIn } from './home.js';

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

describe.skipIf(process.platform === 'win32')('the home folder', () => {
  it('is the one of the environment', () => {
    expect(homeIn({ HOME: '/h' }).home).toBe('/h');
  });

  it.each([{}, { HOME: '' }, { HOME: 'relative' }])('is the one of the system with %o', (env) => {
    expect(homeIn(env).home).toBe(os.userInfo().homedir);
  });

  it('is the root for a user that the system does not know', () => {
    vi.spyOn(os, 'userInfo').mockImplementation(() => {
      throw new Error('uv_os_get_passwd returned ENOENT');
    });
    syncBuiltinESMExports();
    expect(homeIn({}).home).toBe('/');
  });
});

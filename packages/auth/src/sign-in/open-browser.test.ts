import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it, vi } from 'vitest';

import { scratch } from '../../../../test/testing/scratch.js';
import { isPage, openBrowser } from './open-browser.js';

/** Ends a wait for something that never happens. */
const WAIT_MS = 60_000;

describe('opening a browser', () => {
  it.runIf(process.platform === 'linux')(
    'passes the address on as it is, without a shell',
    async () => {
      const folder = scratch();
      const said = join(folder, 'said');
      const opener = join(folder, 'xdg-open');
      writeFileSync(
        opener,
        `#!/bin/sh\nprintf '%s\\n' "$#" "$@" > "${said}.new"\nmv "${said}.new" "${said}"\n`,
      );
      chmodSync(opener, 0o755);
      vi.stubEnv('PATH', `${folder}:${process.env['PATH']}`);
      try {
        const url = new URL(`https://x.example/?a=$(touch ${folder}/pwned)&b=\`id\`;|"'c`);
        expect(await openBrowser(url)).toBe(true);
        await vi.waitFor(() => expect(existsSync(said)).toBe(true), WAIT_MS);
        expect(readFileSync(said, 'utf8')).toBe(`1\n${url.href}\n`);
        expect(existsSync(join(folder, 'pwned'))).toBe(false);
      } finally {
        vi.unstubAllEnvs();
      }
    },
  );

  it('says so if there is no browser', async () => {
    vi.stubEnv('PATH', scratch());
    try {
      expect(await openBrowser(new URL('https://x.example/'))).toBe(false);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it.each([
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://x/',
    'vscode://x',
  ])('is not done for %s', (address) => {
    expect(isPage(new URL(address))).toBe(false);
    expect(() => openBrowser(new URL(address))).toThrow('is not opened');
  });
});

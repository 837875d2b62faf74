import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { describe, expect, it } from 'vitest';

import { signedIn } from './testing/signed-in.js';

const SCRIPT = fileURLToPath(new URL('testing/renewing-process.mjs', import.meta.url));

describe('gateways as processes', () => {
  it('renew tokens that they share once among them all', async () => {
    const { as, entry, file } = await signedIn();
    const record = (await file.find(entry))!;
    await file.save({ ...record, issuedAt: 1, expiresAt: Date.now() + 10_000 });
    const args = [SCRIPT, dirname(file.path), entry.key, entry.url, as.url];
    const runs = Array.from({ length: 4 }, () => promisify(execFile)(process.execPath, args));
    const shown = new Set((await Promise.all(runs)).map(({ stdout, stderr }) => stdout + stderr));
    const { accessToken } = (await file.find(entry))!;
    expect([...shown]).toEqual([`Bearer ${accessToken}\n`]);
    expect(accessToken).not.toBe(record.accessToken);
    expect(as.posts('/token').map((body) => body.get('grant_type'))).toEqual([
      'authorization_code',
      'refresh_token',
    ]);
  });
});

import { chmodSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { scratch } from '../../../../test/testing/scratch.js';
import { SignInFile } from './sign-in-file.js';
import type { SignInRecord } from './sign-in-record.js';

function record(server: string, accessToken = 'CANARY'): SignInRecord {
  return {
    server,
    url: `https://${server}.example/mcp`,
    authorizationServer: 'https://login.example',
    client: { client_id: 'c' },
    accessToken,
    issuedAt: 1,
  };
}

const entryOf = ({ server, url }: SignInRecord) => ({ key: server, url });

describe('the file of sign-ins', () => {
  it('gives tokens to the server that they are for, at the address that they are for', async () => {
    const file = new SignInFile(scratch());
    const one = record('a');
    await file.save(one);
    expect(await file.find(entryOf(one))).toEqual(one);
    expect(await file.find({ key: 'a', url: 'https://evil.example/mcp' })).toBeUndefined();
    expect(await file.find({ key: 'b', url: one.url })).toBeUndefined();
  });

  it('keeps all entries, even if all are written at once', async () => {
    const folder = scratch();
    const records = Array.from({ length: 12 }, (_, i) => record(`s${i}`));
    await Promise.all(records.map((each) => new SignInFile(folder).save(each)));
    const file = new SignInFile(folder);
    for (const each of records) expect(await file.find(entryOf(each))).toEqual(each);
    await file.remove(entryOf(records[3]!));
    expect(await file.find(entryOf(records[3]!))).toBeUndefined();
    expect(await file.find(entryOf(records[4]!))).toBeDefined();
    expect(readdirSync(folder)).toEqual(['sign-ins.json']);
  });

  it('creates a folder that only its owner can read', async () => {
    const file = new SignInFile(join(scratch(), 'new', 'state'));
    await file.save(record('a'));
    expect(await file.find(entryOf(record('a')))).toBeDefined();
  });

  it.each([0o644, 0o640, 0o606])('is refused when others can read it: %o', async (mode) => {
    const file = new SignInFile(scratch());
    await file.save(record('a'));
    chmodSync(file.path, mode);
    const reading = file.find(entryOf(record('a')));
    await expect(reading).rejects.toThrow('chmod 600');
    await expect(file.save(record('b'))).rejects.not.toThrow('CANARY');
  });

  it('is refused when it is a link, with any target', async () => {
    const folder = scratch();
    const file = new SignInFile(folder);
    const other = join(folder, 'other.json');
    writeFileSync(other, JSON.stringify({ version: 1, signIns: [record('a')] }), { mode: 0o600 });
    symlinkSync(other, file.path);
    await expect(file.find(entryOf(record('a')))).rejects.toThrow('It is a link');
    await expect(file.save(record('b'))).rejects.toThrow('It is a link');
    expect(readFileSync(other, 'utf8')).not.toContain('"b"');
  });

  it.each([
    '',
    '{',
    '[]',
    '{"version":2,"signIns":[]}',
    '{"version":1,"signIns":[{"accessToken":"CANARY"}]}',
  ])('with other content is not changed, and not quoted: %s', async (text) => {
    const file = new SignInFile(scratch());
    writeFileSync(file.path, text, { mode: 0o600 });
    const message = await file.save(record('a')).catch((error: Error) => error.message);
    expect(message).toContain('Delete it, and sign in again');
    expect(message).not.toContain('CANARY');
    expect(readFileSync(file.path, 'utf8')).toBe(text);
  });
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { auditFolder } from '../../../../test/testing/audit-folder.js';
import { type Anchor, anchorText, GENESIS, isAlive, parseAnchor, readAnchor } from './anchor.js';

const ANCHOR: Anchor = {
  journal: '20261115T093012-w',
  end: { part: 3, size: 1_000, n: 12, hash: 'a'.repeat(64) },
  pruned: { part: 1, size: 500, n: 4, hash: 'b'.repeat(64) },
  synced: 12,
  unwritten: 2,
  reason: 'the disk is full',
  time: '2026-11-15T09:30:12.345Z',
  pid: 4_000_000,
  host: 'machine',
};

describe('an anchor as text', () => {
  it.each<[string, Partial<Anchor>]>([
    ['a plain one', {}],
    ['long texts', { host: 'h'.repeat(500), reason: 'r'.repeat(500) }],
    ['letters of several bytes', { host: 'höst', reason: '…' }],
  ])('has always 768 bytes, with %s', (_, change) => {
    const text = anchorText({ ...ANCHOR, ...change });
    expect(Buffer.byteLength(text)).toBe(768);
    expect(text.endsWith(' \n')).toBe(true);
  });

  it('says what the anchor says', () => {
    expect(parseAnchor(anchorText(ANCHOR))).toEqual(ANCHOR);
    const { reason: _reason, ...bare } = ANCHOR;
    expect(parseAnchor(anchorText(bare))).toEqual(bare);
    const odd = { ...ANCHOR, host: `hö${'s'.repeat(70)}`, reason: `né${'x'.repeat(90)}` };
    expect(parseAnchor(anchorText(odd))).toMatchObject({
      host: `h?${'s'.repeat(62)}`,
      reason: `n?${'x'.repeat(78)}`,
    });
  });

  it.each<[string, object]>([
    ['no name', { journal: undefined }],
    ['no end', { end: undefined }],
    ['no number', { end: { ...ANCHOR.end, n: undefined } }],
    ['half a number', { end: { ...ANCHOR.end, n: 1.5 } }],
    ['no size', { end: { ...ANCHOR.end, size: '1' } }],
    ['no part', { end: { ...ANCHOR.end, part: null } }],
    ['no hash', { end: { ...ANCHOR.end, hash: undefined } }],
    ['a long hash', { end: { ...ANCHOR.end, hash: 'a'.repeat(65) } }],
    ['text before the hash', { end: { ...ANCHOR.end, hash: `x${'a'.repeat(64)}` } }],
  ])('is refused with %s', (_, change) => {
    expect(() => parseAnchor(JSON.stringify({ ...ANCHOR, ...change }))).toThrow(SyntaxError);
  });

  it('is the same before the first record', () => {
    expect(parseAnchor(anchorText({ ...ANCHOR, end: GENESIS })).end).toEqual({
      part: 1,
      size: 0,
      n: -1,
      hash: '0'.repeat(64),
    });
  });
});

describe('the file of an anchor', () => {
  it('is read, may be missing, and is damaged if it stays half written', () => {
    const file = join(auditFolder(), 'anchor');
    expect(readAnchor(undefined)).toBeUndefined();
    expect(readAnchor(file)).toBeUndefined();
    writeFileSync(file, anchorText(ANCHOR));
    expect(readAnchor(file)).toEqual(ANCHOR);
    writeFileSync(file, anchorText(ANCHOR).slice(0, 100));
    expect(() => readAnchor(file)).toThrow('its anchor is damaged');
  });

  it('says whether the process that writes the journal may be running', () => {
    const files = { name: 'j', writer: 'w', parts: [], isOpen: true };
    const elsewhere = { ...ANCHOR, host: 'another', time: new Date().toISOString() };
    expect(isAlive(files, elsewhere)).toBe(true);
    expect(isAlive({ ...files, isOpen: false }, elsewhere)).toBe(false);
    expect(isAlive(files, { ...elsewhere, time: '2001-01-01T00:00:00.000Z' })).toBe(false);
  });
});

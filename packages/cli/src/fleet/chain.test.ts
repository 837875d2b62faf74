import { mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { extendChain } from './chain.js';
import { removeFolder } from '../../../../test/testing/remove-folder.js';

describe('the chain of gateways', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'callsign-chain-')));
  const [a, b, link] = ['a.json', 'b.json', 'link.json'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(a, '{}');
  writeFileSync(b, '{}');
  symlinkSync(a, link);
  afterAll(() => removeFolder(folder));

  it('grows by one with each gateway', () => {
    expect(extendChain(a, {})).toEqual({ env: { CALLSIGN_CHAIN: a } });
    const inner = extendChain(b, { CALLSIGN_CHAIN: a });
    expect(inner).toEqual({ env: { CALLSIGN_CHAIN: `${a}${delimiter}${b}` } });
  });

  it('does not contain the same file twice, under any of its names', () => {
    const wrong = expect.stringContaining('is one of its own servers') as string;
    expect(extendChain(a, { CALLSIGN_CHAIN: `${a}${delimiter}${b}` })).toEqual({ wrong });
    expect(extendChain(link, { CALLSIGN_CHAIN: a })).toEqual({ wrong });
  });

  it('has a limited length', () => {
    const deep = Array.from({ length: 8 }, (_, i) => `/config-${i}`).join(delimiter);
    expect(extendChain(a, { CALLSIGN_CHAIN: deep })).toEqual({
      wrong: 'Gateways are nested 8 deep, which is the limit.',
    });
  });
});

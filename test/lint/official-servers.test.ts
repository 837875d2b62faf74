/** The linter over the real tools of the four official servers, kept as a file that people can read. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { lintAnnotations } from '@callsign/effects';
import { lintNames } from '@callsign/naming';
import { describe, expect, it } from 'vitest';

import { OFFICIAL_SERVERS, readToolList } from '../../scripts/tool-list.mjs';
import { ROOT } from '../architecture/tree.js';

/** The readers of a finding, if they are not all clients. */
interface Readers {
  readonly clients?: readonly string[];
  readonly audiences?: readonly string[];
}

interface Recording {
  readonly package: string;
  readonly version: string;
  readonly tools: readonly { readonly name: string }[];
}

const recording = (key: string) =>
  JSON.parse(readFileSync(join(ROOT, `test/recordings/${key}.json`), 'utf8')) as Recording;

function report(key: string): string {
  const { package: name, version, tools } = recording(key);
  const findings = [...lintNames(tools, { key }), ...lintAnnotations(tools)];
  const lines = tools
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((tool) => {
      const ofTool = findings.filter((finding) => finding.tool === tool.name);
      const said = ofTool.map(({ severity, rule, message, fix, ...readers }) => {
        const { clients = [], audiences = [] } = readers as Readers;
        const who = [...clients, ...audiences];
        const where = who.length > 0 ? ` [${who.join(', ')}]` : '';
        return `    ${severity.padEnd(7)} ${rule}: ${message}${where}\n            → ${fix}`;
      });
      return [`  ${tool.name}${said.length === 0 ? ': no findings' : ''}`, ...said];
    });
  return [`${name} ${version}`, ...lines, ''].join('\n');
}

describe.each(Object.keys(OFFICIAL_SERVERS) as (keyof typeof OFFICIAL_SERVERS)[])('%s', (key) => {
  it('is linted as the golden file says', async () => {
    await expect(report(key)).toMatchFileSnapshot(join(ROOT, `test/golden/lint-${key}.txt`));
  });

  it('lists the tools of the recording (if not: npm run record)', async () => {
    expect(await readToolList(OFFICIAL_SERVERS[key])).toEqual(recording(key));
  });
});

/** Measures how often the classifier, given only names and descriptions, agrees with the servers’ own hints. */

import { readFileSync } from 'node:fs';

import { classify } from '@callsign/effects';
import { describe, expect, it } from 'vitest';

interface RecordedTool {
  readonly name: string;
  readonly description?: string;
  readonly annotations?: { readonly readOnlyHint?: boolean };
}

interface Judged {
  readonly server: string;
  readonly name: string;
  /** By the server's own hints. */
  readonly reads: boolean;
  readonly guessedReads: boolean;
  /** Whether the guess is the endpoint that follows from the hints. */
  readonly isSameEndpoint: boolean;
  /** Whether an import would mark it for review. */
  readonly isMarked: boolean;
}

const ROOT = new URL('../../../../../', import.meta.url);
const SERVERS = ['everything', 'filesystem', 'memory', 'sequential-thinking'];

const judged = SERVERS.flatMap((server): Judged[] => {
  const text = readFileSync(new URL(`test/recordings/${server}.json`, ROOT), 'utf8');
  const { tools } = JSON.parse(text) as { tools: RecordedTool[] };
  return tools.map(({ name, description, annotations }) => {
    const told = classify({ name, description, annotations, trust: 'full' });
    const guess = classify({ name, description });
    return {
      server,
      name,
      reads: annotations?.readOnlyHint === true,
      guessedReads: guess.endpoint === 'read',
      isSameEndpoint: guess.endpoint === told.endpoint,
      isMarked: guess.confidence !== 'high',
    };
  });
});

const share = (part: number, whole: number): string =>
  `${part} of ${whole} (${Math.round((100 * part) / whole)} %)`;

function row(name: string, tools: readonly Judged[]): string {
  const right = tools.filter(({ reads, guessedReads }) => reads === guessedReads).length;
  const same = tools.filter(({ isSameEndpoint }) => isSameEndpoint).length;
  return `| ${name} | ${share(right, tools.length)} | ${share(same, tools.length)} |`;
}

const table = [
  '| server | read or write, same as its hints | endpoint, same as its hints |',
  '| --- | --- | --- |',
  ...SERVERS.map((server) =>
    row(
      server,
      judged.filter((each) => each.server === server),
    ),
  ),
  row('all', judged),
].join('\n');

describe('the classifier without hints', () => {
  it('is as accurate as docs/import-an-api.md says', () => {
    const page = readFileSync(new URL('docs/import-an-api.md', ROOT), 'utf8');
    expect(page).toContain(table);
  });

  it('classifies no writing tool as a read, unless it is marked for review', () => {
    const mistaken = judged.filter(({ reads, guessedReads }) => guessedReads && !reads);
    expect(mistaken.filter(({ isMarked }) => !isMarked)).toEqual([]);
  });

  it('has all its errors listed in docs/import-an-api.md', () => {
    const wrong = judged.filter(({ reads, guessedReads }) => reads !== guessedReads);
    const names = wrong.map(({ name }) => `\`${name}\``).join(', ');
    expect(readFileSync(new URL('docs/import-an-api.md', ROOT), 'utf8')).toContain(names);
  });
});

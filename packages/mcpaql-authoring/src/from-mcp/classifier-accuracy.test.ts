/** How often the classifier, told only names and descriptions, agrees with what the official servers say themselves. */

import { readFileSync } from 'node:fs';

import { classify } from '@callsign/annotations';
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
  /** Whether the guess is the endpoint that the hints lead to. */
  readonly isSameEndpoint: boolean;
  /** Whether an import would ask a person to look at it. */
  readonly isMarked: boolean;
}

const ROOT = new URL('../../../../', import.meta.url);
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
  '| server | reads or writes, as it says itself | the endpoint that its hints lead to |',
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
  it('is as right as docs/mcpaql.md says', () => {
    const page = readFileSync(new URL('docs/mcpaql.md', ROOT), 'utf8');
    expect(page).toContain(table);
  });

  it('takes no tool that writes for one that reads, unless it marks it for review', () => {
    const mistaken = judged.filter(({ reads, guessedReads }) => guessedReads && !reads);
    expect(mistaken.filter(({ isMarked }) => !isMarked)).toEqual([]);
  });

  it('and every tool that it gets wrong is named there', () => {
    const wrong = judged.filter(({ reads, guessedReads }) => reads !== guessedReads);
    const names = wrong.map(({ name }) => `\`${name}\``).join(', ');
    expect(readFileSync(new URL('docs/mcpaql.md', ROOT), 'utf8')).toContain(names);
  });
});

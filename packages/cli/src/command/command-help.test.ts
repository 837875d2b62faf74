import { describe, expect, it } from 'vitest';

import type { CommandEntry } from './command.js';
import { commandLine, groupHelp, overview } from './command-help.js';

const text = 'shows one thing, and a few more words than fit beside its name';
const entries = ['audit list', 'audit export-everything'].map(
  (name, i) =>
    ({
      name,
      summary: text,
      ...(i === 0 ? { heading: 'Records' } : {}),
    }) as unknown as CommandEntry,
);

describe('help on a narrow terminal', () => {
  it.each([
    ['of all commands', () => overview(entries, 60)],
    ['of a group', () => groupHelp('audit', entries, 60)!],
    [
      'of one command',
      () =>
        commandLine(
          'call',
          { describe: (line) => void line.option('--yes <answer>', text) },
          [],
          60,
        ).helpInformation(),
    ],
  ])('fits: %s', (_, help) => {
    for (const line of help().split('\n')) expect(line.length).toBeLessThanOrEqual(60);
  });
});

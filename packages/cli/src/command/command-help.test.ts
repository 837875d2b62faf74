import { afterEach, describe, expect, it } from 'vitest';

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
const { columns } = process.stdout;

afterEach(() => {
  process.stdout.columns = columns;
});

describe('help on a narrow terminal', () => {
  it.each([
    ['of all commands', () => overview(entries)],
    ['of a group', () => groupHelp('audit', entries)!],
    [
      'of one command',
      () =>
        commandLine('call', { describe: (line) => void line.option('--yes <answer>', text) })
          .configureOutput({ getOutHelpWidth: () => 60 })
          .helpInformation(),
    ],
  ])('fits: %s', (_, help) => {
    process.stdout.columns = 60;
    for (const line of help().split('\n')) expect(line.length).toBeLessThanOrEqual(60);
  });
});

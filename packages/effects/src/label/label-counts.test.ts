import { expect, it } from 'vitest';

import { type LabelledTool, labelTool } from './label.js';
import { countLabels } from './label-counts.js';

const tool = (server: string, definition: LabelledTool) => ({
  ...labelTool(definition),
  ref: { server },
});

it('counts the tools of each server by risk and evidence, from harmless to harmful', () => {
  const counts = countLabels([
    tool('b', { name: 'delete_file' }),
    tool('a', { name: 'thing' }),
    tool('b', { name: 'x', annotations: { readOnlyHint: true } }),
    tool('b', { name: 'list_users' }),
    tool('b', { name: 'delete_all', annotations: { readOnlyHint: true } }),
    tool('b', { name: 'list_groups' }),
    tool('b', { name: 'x', override: { readOnlyHint: true } }),
  ]);
  expect(counts).toEqual([
    {
      server: 'b',
      tools: 6,
      labels: [
        { risk: 'read', evidence: 'you', tools: 1 },
        { risk: 'read', evidence: 'server', tools: 1 },
        { risk: 'read', evidence: 'words', tools: 2 },
        { risk: 'destructive', evidence: 'words', tools: 1 },
        { risk: 'destructive', evidence: 'contradiction', tools: 1 },
      ],
    },
    { server: 'a', tools: 1, labels: [{ risk: 'destructive', evidence: 'default', tools: 1 }] },
  ]);
});

it('counts nothing without tools', () => {
  expect(countLabels([])).toEqual([]);
});

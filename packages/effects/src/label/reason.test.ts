import { describe, expect, it } from 'vitest';

import { groundOf, reasonFor } from './reason.js';
import { type LabelledTool, labelTool } from './label.js';

function why(tool: LabelledTool): string {
  const label = labelTool(tool);
  return `${groundOf(label)}: ${label.risk}: ${reasonFor(label)}`;
}

describe('the reason for a label', () => {
  it.each<[LabelledTool, string]>([
    [{ name: 'x', annotations: { readOnlyHint: true } }, 'server: read: the server says so'],
    [
      { name: 'x', annotations: { readOnlyHint: false, destructiveHint: false } },
      'server: write: the server says so',
    ],
    [
      { name: 'x', annotations: { destructiveHint: true } },
      'server: destructive: the server says so',
    ],
    [{ name: 'list_users' }, 'words: read: the name says list, nothing contradicts'],
    [{ name: 'create_user' }, 'words: write: the name says create, nothing mentions overwriting'],
    [{ name: 'delete_user' }, 'words: destructive: the name says delete'],
    [{ name: 'x' }, 'default: destructive: nothing says otherwise'],
    [
      { name: 'x', annotations: { readOnlyHint: false } },
      'default: destructive: the server says that it changes something, but not that it destroys nothing',
    ],
    [{ name: 'x', override: { readOnlyHint: true } }, 'you: read: your configuration says so'],
    [
      { name: 'x', accepted: { readOnlyHint: false, destructiveHint: false } },
      'you: write: you accepted it',
    ],
    [
      { name: 'x', assumed: { readOnlyHint: true } },
      'assumed: read: you assume this for the server',
    ],
    [
      { name: 'x', annotations: { readOnlyHint: true }, trust: 'none' },
      'default: destructive: the server says read-only, but it is not trusted',
    ],
    [
      { name: 'delete_all_files', annotations: { readOnlyHint: true } },
      'contradiction: destructive: the server says read-only, but the name says delete',
    ],
    [
      { name: 'drop_table', annotations: { readOnlyHint: false, destructiveHint: false } },
      'contradiction: destructive: the server says not destructive, but the name says drop',
    ],
    [
      { name: 'x', annotations: { readOnlyHint: true, destructiveHint: true } },
      'contradiction: destructive: the server says read-only, but destructiveHint is true as well',
    ],
  ])('of %j', (tool, expected) => {
    expect(why(tool)).toBe(expected);
  });
});

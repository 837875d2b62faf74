import { expect, it } from 'vitest';

import { namePattern } from '../pattern/pattern.js';
import { TOOL_SCOPE } from '../pattern/pattern-scope.js';
import { profileById } from '../profile/client-profiles.js';
import { createFormerNames, createFormerReader } from './former-name.js';

const former = (id: string, server: string, tool: string, text?: string): string => {
  const pattern = text === undefined ? {} : { pattern: namePattern(text, { scope: TOOL_SCOPE }) };
  return createFormerNames({ profile: profileById(id), ...pattern })({ server, tool });
};

// Frozen: these names are written in people’s configurations.
it.each([
  ['cursor', 'fs', 'read_file', 'fs__read_file'],
  ['cursor', 'slack', 'slack_list', 'slack__slack_list'],
  ['cursor', 'chrome-devtools', 'click', 'chrome_devtools__click_39kexwd1cr'],
  ['openai', 'fs', 'click_h1', 'fs__click_h1'],
  ['canonical', 'my server', 'read file', 'my server:read file'],
  ['identity', 'my server', 'read file', 'read file'],
])('the former name in %s of %s:%s is %s', (id, server, tool, name) => {
  expect(former(id, server, tool)).toBe(name);
});

it.each([
  ['openai', 'a__b', 'x'],
  ['openai', 'a', 'b_0123456789'],
  ['openai', 'a_', 'x'],
  ['bedrock', '9gag', 'post'],
])('in %s of %s:%s has a fingerprint, because it could not be read back', (id, server, tool) => {
  expect(former(id, server, tool)).toMatch(/_[0-7][0-9a-z]{9}$/);
  expect(former(id, server, tool)).not.toBe(`${server}__${tool}`);
});

it('follows the pattern of the operator', () => {
  expect(former('cursor', 'chrome-devtools', 'click', '{server}_{tool}')).toBe(
    'chrome_devtools_click_39kexwd1cr',
  );
  expect(former('canonical', 'a', 'b', '{tool}@{server}')).toBe('b@a');
});

it.each([
  ['cursor', 'fs__read_file', { server: 'fs', tool: 'read_file' }],
  ['openai', 'fs__click_h1', { server: 'fs', tool: 'click_h1' }],
  ['canonical', 'my server:read file', { server: 'my server', tool: 'read file' }],
  ['canonical', 'a:b_0123456789', { server: 'a', tool: 'b_0123456789' }],
  ['cursor', 'chrome_devtools__click_39kexwd1cr', 'unclear'],
  ['identity', 'read file', 'unclear'],
  ['cursor', 'read_file', undefined],
])('in %s, the former name %s shows its identity, or says that it does not', (id, name, ref) => {
  expect(createFormerReader({ profile: profileById(id) })(name)).toEqual(ref);
});

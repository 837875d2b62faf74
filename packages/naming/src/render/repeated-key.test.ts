import { describe, expect, it } from 'vitest';

import { createNameReader } from './name-reader.js';
import { createToolRenderer } from './renderer.js';
import { ownsName, wordsBeyondKey } from './repeated-key.js';
import { createNameTable } from '../table/name-table.js';
import { PROFILES, profileById } from '../profile/client-profiles.js';

describe('the words beyond the key', () => {
  it.each([
    ['slack', 'slack_list_channels', 'list_channels'],
    ['Slack', 'slackListChannels', 'List_Channels'],
    ['google-maps', 'google_maps_geocode', 'geocode'],
    ['google-maps', 'maps_geocode', 'maps_geocode'],
    ['slack', 'slack', 'slack'],
    ['slack', 'slacks_list', 'slacks_list'],
    ['😀', 'read', 'read'],
  ])('of %s:%s are %s', (server, tool, words) => {
    expect(wordsBeyondKey({ server, tool })).toBe(words);
  });
});

describe("a tool that carries its server's key in another spelling (S6)", () => {
  const claude = profileById('claude-code')!;
  const cursor = profileById('cursor')!;

  it.each([
    ['apple-mail', 'apple_mail_mcpaql_read'],
    ['lightdash', 'lightdash_tools__list_organization_members'],
    ['my.files', 'my_files_read'],
    ['slack', 'slack_list_channels'],
  ])('%s:%s is shown by its own name, and read back', (server, tool) => {
    for (const profile of [claude, cursor]) {
      const options = { profile, keys: ['github', server] };
      expect(createToolRenderer(options)({ server, tool })).toMatchObject({
        name: tool,
        exact: true,
      });
      expect(createNameReader(options)(tool)).toEqual({ server, tool });
    }
  });

  it.each([
    ['apple', 'apple_mail_read', ['apple', 'apple-mail'], 'a longer key carries it too'],
    ['apple-mail', 'apple_mail_read', ['apple-mail', 'apple_mail'], 'another spelling of the key'],
    ['lightdash', 'lightdash_tools__list', ['lightdash', 'lightdash_tools'], 'a name of two parts'],
    ['mail', 'mail__read', ['mail'], 'the name of mail:read'],
    ['apple-mail', 'apple-mail__read', ['apple-mail'], 'the name of apple-mail:read'],
    ['apple-mail', 'apple_mail', ['apple-mail'], 'nothing follows the key'],
    ['apple-mail', 'apple_mailbox_read', ['apple-mail'], 'another word'],
  ])('%s:%s keeps its key among %j: %s', (server, tool, keys) => {
    expect(ownsName({ server, tool }, keys)).toBe(false);
  });

  it('has no second key before it in a client that changes its characters', () => {
    const render = createToolRenderer({ profile: cursor, keys: ['slack', 'github'] });
    const ref = { server: 'slack', tool: 'slack_list-channels' };
    expect(render(ref)).toEqual(createToolRenderer({ profile: cursor })(ref));
    expect(render(ref).name).toMatch(/^slack_list_channels_/);
  });

  it('stays callable by the name that it had', () => {
    const ref = { server: 'apple-mail', tool: 'apple_mail_mcpaql_read' };
    for (const profile of [claude, cursor]) {
      const before = createToolRenderer({ profile })(ref).name;
      const table = createNameTable([ref], { profile, keys: ['apple-mail'] });
      expect(table.tools[0]!.name).toBe(ref.tool);
      expect(table.find(before)?.tool.ref).toEqual(ref);
    }
  });

  it('has a name that no other tool has, with any keys and names', () => {
    const parts = ['a', 'b', 'a_b', 'a-b', 'a.b', 'a__b', 'a_b__a', 'b_a', 'a_a', 'a_b_a'];
    const refs = parts.flatMap((server) =>
      parts.flatMap((first) =>
        ['', '_a', '__a', '-b', '__b_a'].map((end) => ({ server, tool: first + end })),
      ),
    );
    for (const profile of PROFILES.values()) {
      if (profile.separator === null) continue;
      const render = createToolRenderer({ profile, keys: parts });
      const names = new Set(refs.map((ref) => render(ref).name));
      expect(names.size).toBe(new Set(refs.map(({ server, tool }) => `${server}:${tool}`)).size);
    }
  });
});

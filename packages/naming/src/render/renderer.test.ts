import { describe, expect, it } from 'vitest';

import { withoutHanging } from '../../../../test/hang-limit.js';
import { createNameCheck, maxNameLength } from '../profile/client-profile.js';
import { profileById } from '../profile/client-profiles.js';
import { createNameReader } from './name-reader.js';
import { namePattern } from '../pattern/pattern.js';
import { ADAPTER_SCOPE, TOOL_SCOPE } from '../pattern/pattern-scope.js';
import { createRenderer, createToolRenderer } from './renderer.js';

const render = (id: string, server: string, tool: string) =>
  createToolRenderer({ profile: profileById(id) })({ server, tool });

describe('an exact name', () => {
  it.each([
    ['canonical', 'filesystem:read_file'],
    ['claude-desktop', 'filesystem__read_file'],
    ['codex', 'filesystem__read_file'],
    ['portable', 'filesystem__read_file'],
    ['identity', 'read_file'],
  ])('in %s is %s', (id, name) => {
    expect(render(id, 'filesystem', 'read_file')).toEqual({
      name,
      form: 'exact',
      exact: true,
      reasons: [],
    });
  });

  it('in the canonical form is any identity unchanged', () => {
    const tool = `${'x'.repeat(400)} 😀:\u202e_0123456789`;
    expect(render('canonical', 'my server', tool).name).toBe(`my server:${tool}`);
  });
});

describe('a marked name', () => {
  it.each([
    ['cursor', 'chrome-devtools', 'click', 'chrome_devtools__click_h'],
    ['cursor', 'chrome-devtools', 'click_h', 'chrome_devtools__click_h_h1'],
    ['cursor', 'chrome_devtools', 'click_h', 'chrome_devtools__click_h_h0'],
    ['cursor', 'chrome_devtools', 'click_h1', 'chrome_devtools__click_h1_h0'],
    ['cursor', 'google-maps', 'maps_geocode', 'google_maps__maps_geocode_h1'],
    ['cursor', 'context7', 'query-docs', 'context7__query_docs_h'],
    ['cursor', 'a.b', 'c.d', 'a_b__c_d_d'],
    ['cursor', 'a-b', 'c.d_e', 'a_b__c_d_e_h1d4'],
    ['cursor', 'x', 'a_b_c_d_e_f_g_h-i', 'x__a_b_c_d_e_f_g_h_i_h01'],
    ['cursor', 'a-', 'b', 'a___b_h1'],
    ['claude-desktop', 'a-b', 'c.d', 'a-b__c_d_d'],
    ['openai', 'a_', 'x', 'a___x_k2'],
    ['openai', 'a__b', 'x', 'a__b__x_k4'],
    ['cursor', 'a__b-', 'x', 'a__b___x_h3k5'],
    ['openai', 'a', 'b_0123456789', 'a__b_0123456789_h0'],
  ])('in %s for %s:%s is %s', (id, server, tool, name) => {
    const rendered = render(id, server, tool);
    expect(rendered).toMatchObject({ name, form: 'marked', exact: false });
    expect(createNameReader({ profile: profileById(id) })(name)).toEqual({ server, tool });
  });

  it('says why', () => {
    expect(render('cursor', 'a-b', 'x').reasons).toEqual(['characters']);
    expect(render('openai', 'a__b', 'x').reasons).toEqual(['ambiguous']);
    expect(render('openai', 'a', 'b_d12').reasons).toEqual(['looks-marked']);
  });

  it.each(['a__b_h0', 'a__b_h9', 'a_b__c_h1', 'a__b_h00', 'a__b_k1', 'a__b_0123456789', 'a', ''])(
    'is not read from %j, which is never rendered',
    (name) => {
      expect(createNameReader({ profile: profileById('cursor') })(name)).toBeUndefined();
    },
  );
});

describe('N12: a tool that carries the key of its server', () => {
  it.each([
    ['openai', 'slack', 'slack_list_channels', 'slack_list_channels'],
    ['openai', 'slack', 'slack-list-channels', 'slack-list-channels'],
    ['cursor', 'slack', 'slack-list-channels', 'slack_list_channels_h'],
    ['cursor', 'slack', 'slack_list-channels', 'slack_list_channels_h2'],
    ['openai', 'slack', 'slack_h1', 'slack_h1_h0'],
    ['openai', 'slack', 'list_channels', 'slack__list_channels'],
    ['openai', 'slack', 'slack', 'slack__slack'],
    ['openai', 'slack', 'slack_', 'slack__slack_'],
    ['openai', 'slack', 'slack__list', 'slack__slack__list'],
    ['openai', 'slack', 'slacks_list', 'slack__slacks_list'],
    ['openai', 'Slack', 'slack_list', 'Slack__slack_list'],
    ['openai', 'my_slack', 'my_slack_list', 'my_slack__my_slack_list'],
    ['canonical', 'slack', 'slack_list', 'slack:slack_list'],
  ])('in %s, %s:%s is %s', (id, server, tool, name) => {
    expect(render(id, server, tool).name).toBe(name);
    expect(createNameReader({ profile: profileById(id) })(name)).toEqual({ server, tool });
  });

  it('keeps the key where the operator chose the pattern', () => {
    const pattern = namePattern('{server}__{tool}', { scope: TOOL_SCOPE });
    const renderTool = createToolRenderer({ profile: profileById('openai'), pattern });
    expect(renderTool({ server: 'slack', tool: 'slack_list' }).name).toBe('slack__slack_list');
  });
});

describe('a hashed name', () => {
  it('is stable: this one is written in people’s configurations', () => {
    expect(render('claude-desktop', 'my server', 'read/file')).toEqual({
      name: 'my_server__read_file_29kwe9fpj2',
      form: 'hashed',
      exact: false,
      reasons: ['characters'],
    });
  });

  it.each([
    ['a client that refuses its characters', 'cursor', 'fs home', 'read_file', ['characters']],
    ['one that allows a letter first', 'bedrock', '9gag', 'post', ['first-character']],
    ['one that is too long', 'claude-desktop', 'k'.repeat(40), 't'.repeat(40), ['length']],
    ['a mark that does not fit', 'cursor', 'a-b', `${'t_'.repeat(22)}t`, ['characters', 'length']],
  ])('is made for %s', (_, id, server, tool, reasons) => {
    const rendered = render(id, server, tool);
    expect(rendered.reasons).toEqual(reasons);
    expect(rendered.name).toMatch(/_[0-7][0-9a-hjkmnp-tv-z]{9}$/);
    expect(createNameCheck(profileById(id))(rendered.name)).toEqual([]);
  });

  it('keeps the short part whole and cuts the long one', () => {
    const { name } = render(
      'claude-desktop',
      'github',
      'create_pull_request_review_comment_reply_and_resolve_it_too',
    );
    expect(name).toMatch(/^github__create_pull_request_review_comment_reply_and_\w{10}$/);
    expect(name.length).toBeLessThanOrEqual(64);
  });

  it('does not hang on a hostile name', () => {
    withoutHanging(() => render('claude-desktop', 's', `x${'_'.repeat(1_000_000)}x`));
  });

  it('cannot be imitated by a tool that has another’s mark in its name', () => {
    const hashed = render('openai', 'fs', 'read file').name;
    const imitation = render('openai', 'fs', hashed.slice('fs__'.length));
    expect(imitation.name).not.toBe(hashed);
  });

  it('counts our key in the client', () => {
    const tool = 't'.repeat(40);
    const profile = profileById('claude-code');
    const long = createToolRenderer({ profile, clientKey: 'k'.repeat(30) });
    expect(render('claude-code', 'server', tool).exact).toBe(true);
    expect(long({ server: 'server', tool }).name).toHaveLength(
      maxNameLength(profile, 'k'.repeat(30)),
    );
  });

  it('works for patterns of the configuration', () => {
    const pattern = namePattern('{adapter}_mcpaql_{endpoint}', { scope: ADAPTER_SCOPE });
    const render49 = createRenderer({ profile: profileById('claude-desktop'), pattern });
    const values = { adapter: 'a'.repeat(50), endpoint: 'execute' };
    expect(render49(values, 'id').name).toMatch(/^a{38}_mcpaql_execute_\w{10}$/);
  });

  it('fits even if the pattern’s own text leaves no space', () => {
    const pattern = namePattern(`${'p'.repeat(80)}{server}__{tool}`, { scope: TOOL_SCOPE });
    const renderTool = createToolRenderer({ profile: profileById('cursor'), pattern });
    const names = new Set(['a', 'b'].map((tool) => renderTool({ server: 's', tool }).name));
    expect([...names].map(({ length }) => length)).toEqual([50, 50]);
  });
});

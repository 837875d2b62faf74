import { describe, expect, it } from 'vitest';

import { announces, listsOnce, profileForClient } from './announced-client.js';

describe('the profile of a client', () => {
  it.each([
    ['Anthropic/ClaudeAI', 'claude-desktop'],
    ['openai-mcp', 'openai'],
    ['vscode', 'vscode'],
    ['antigravity-client', 'gemini'],
    ['Kiro CLI', 'bedrock'],
    ['mcp-proxy', 'canonical'],
    ['claude2', 'canonical'],
    ['my claude', 'canonical'],
    [' Claude_Code ', 'claude-code'],
    ['Visual  Studio -_ Code', 'vscode'],
    ['cursor (VIA a proxy\nwith two lines)', 'cursor'],
  ])('that announces itself as %j is %s', (name, id) => {
    expect(profileForClient({ name }).id).toBe(id);
  });

  it.each([
    ['0', 'openai'],
    ['0.115', 'openai'],
    ['v0.115.9-beta', 'openai'],
    ['0.116', 'portable'],
    ['0.1000.0', 'codex'],
    ['1', 'codex'],
  ])('for Codex %s is %s: missing numbers count as zero', (version, id) => {
    expect(profileForClient({ name: 'codex', version }).id).toBe(id);
  });

  it('is that of the newest version if the version is not a text', () => {
    expect(profileForClient({ name: 'codex', version: 0 } as never).id).toBe('codex');
  });
});

describe('a client asks for lists only once', () => {
  it.each([
    'mcp',
    'MCP (via mcp-remote 0.1.37)',
    'inspector-client',
    'langchain-mcp-adapters',
    '@langchain/mcp-adapters',
    'Pydantic_AI',
    'stdio: npx',
    'streamable_http: http://127.0.0.1:3917/mcp',
  ])('if it is a command line or a framework: %s', (name) => {
    expect(listsOnce({ name })).toBe(true);
  });

  it.each(['claude-code', 'cursor-vscode', 'mcp-proxy', 'agnostic', 'my langchain', ''])(
    'but not %j',
    (name) => {
      expect(listsOnce({ name })).toBe(false);
    },
  );

  it.each([undefined, {}, { name: 1 }, { name: null }])('nor %j, which has no name', (client) => {
    expect(listsOnce(client as never)).toBe(false);
  });
});

describe('the beginning of an announced name', () => {
  it.each([
    ['My Client 2', 'my_client', true],
    ['my-client', 'My Client', true],
    ['my-clients', 'my-client', false],
    ['not my-client', 'my-client', false],
  ])('of %j is %j: %s', (name, begins, expected) => {
    expect(announces({ name }, begins)).toBe(expected);
  });

  it.each([undefined, {}, { name: 7 }])('is nothing for %j', (client) => {
    expect(announces(client as never, 'undefined')).toBe(false);
  });
});

import { mcpClients } from 'mcp-client-capabilities';
import { describe, expect, it } from 'vitest';

import { listsOnce, profileForClient } from './announced-client.js';
import { createNameCheck, maxNameLength } from './client-profile.js';
import { CLIENT_PRODUCTS, PROFILES, profileById } from './client-profiles.js';
import { createToolRenderer } from '../render/renderer.js';
import { createNameTable } from '../table/name-table.js';
import { nastyRefs } from '../testing/nasty-refs.js';

describe('the space for a name', () => {
  it.each([
    ['claude-desktop', 64],
    // Its tool search puts the name, prefix included, into a reference of at most 64.
    ['claude-code', 64 - 'mcp__callsign__'.length],
    ['cursor', 59 - 'callsign:'.length],
    ['vscode', 64 - 'mcp_callsign_'.length],
    ['codex', 64],
    ['portable', 64 - 'mcp__callsign__'.length],
  ])('in %s is %i', (id, maxLength) => {
    expect(maxNameLength(profileById(id))).toBe(maxLength);
  });

  it('counts the key in Cursor and at most 18 of the prefix in VS Code', () => {
    expect(maxNameLength(profileById('cursor'), 'gateway-of-us')).toBe(
      59 - 'gateway-of-us:'.length,
    );
    expect(maxNameLength(profileById('vscode'), 'k'.repeat(99))).toBe(64 - 18);
  });

  it('refuses a key that leaves too little space, and names the client', () => {
    expect(() => maxNameLength(profileById('cursor'), 'k'.repeat(50))).toThrow(
      /Cursor.*shorter key/,
    );
  });
});

it('names that were made for Claude Code before its tool search stay callable', () => {
  const tool = { server: 'analytics', tool: 'export_quarterly_revenue_by_region_and_product_line' };
  const table = createNameTable([tool], { profile: profileById('claude-code') });
  const [named] = table.tools;
  expect(`mcp__callsign__${named!.name}`).toHaveLength(64);
  const before = `${tool.server}__${tool.tool}`;
  expect(table.find(before)).toMatchObject({ tool: named, as: 'former' });
});

describe('portable', () => {
  it('is a constant: these names are written in people’s prompts', () => {
    const render = createToolRenderer({ profile: profileById('portable') });
    const name = (server: string, tool: string): string => render({ server, tool }).name;
    expect(name('chrome-devtools', 'click')).toBe('chrome_devtools__click_h');
    expect(name('a', 'x'.repeat(46))).toBe(`a__${'x'.repeat(46)}`);
    expect(name('a', 'x'.repeat(47))).toBe(`a__${'x'.repeat(35)}_2mvhehysvg`);
    expect(name('9', 'x')).toMatch(/^x9__x_\w{10}$/);
  });

  it('is accepted by every client, under any key', () => {
    for (const clientKey of ['callsign', 'a', 'the-gateway-of-us']) {
      const render = createToolRenderer({ profile: profileById('portable'), clientKey });
      const names = nastyRefs(7, 500).map((ref) => render(ref).name);
      for (const client of CLIENT_PRODUCTS) {
        const check = createNameCheck(client, maxNameLength(client, clientKey));
        expect(names.flatMap((name) => check(name))).toEqual([]);
      }
    }
  });
});

describe('the profile of a client', () => {
  it.each([
    ['claude-ai', 'claude-desktop'],
    ['claude-ai (via mcp-remote 0.1.37)', 'claude-desktop'],
    ['Claude-Code', 'claude-code'],
    ['ChatGPT', 'openai'],
    ['cursor-vscode', 'cursor'],
    ['Visual Studio Code', 'vscode'],
    ['Visual-Studio-Code - Insiders', 'vscode'],
    ['windsurf-client', 'windsurf'],
    ['gemini-cli-mcp-client', 'gemini'],
    ['Q-DEV-CLI', 'bedrock'],
    ['mcp', 'portable'],
    ['mcp (via mcp-remote 0.1.0)', 'portable'],
    ['claude', 'claude-desktop'],
    ['Semantic Kernel', 'portable'],
    ['pydantic_ai', 'portable'],
    ['GitHub Copilot', 'portable'],
    ['langchain-mcp-adapters', 'portable'],
    ['@langchain/mcp-adapters', 'portable'],
    ['stdio: npx', 'portable'],
    ['streamable-http: http://127.0.0.1:3917/mcp', 'portable'],
    ['streamable_http: http://127.0.0.1:3917/mcp', 'portable'],
    ['sse: http://127.0.0.1:3917/sse', 'portable'],
    ['mcp-inspector', 'canonical'],
    ['inspector-client', 'canonical'],
    ['mcp-client', 'canonical'],
    ['ampere', 'canonical'],
    ['my own agent', 'canonical'],
    ['', 'canonical'],
  ])('D2: that announces itself as %j is %s', (name, id) => {
    expect(profileForClient({ name }).id).toBe(id);
  });

  it.each([
    ['LlamaIndex for TypeScript and Koog', 'mcp-client-cli'],
    ['the same behind a proxy', 'mcp-client-cli (via mcp-remote 0.1.37)'],
    ['a framework on the Java SDK', 'Java SDK MCP Client'],
    ['a framework on the Rust SDK', 'rmcp'],
  ])('R4: of %s has names that every model accepts, and a whole first list', (_, name) => {
    const profile = profileForClient({ name, version: '1.0.0' });
    const render = createToolRenderer({ profile });
    const names = nastyRefs(11, 200).map((ref) => render(ref).name);
    expect(names.filter((each) => !/^[a-zA-Z][a-zA-Z0-9_]{0,63}$/.test(each))).toEqual([]);
    expect(listsOnce({ name })).toBe(true);
  });

  it.each([
    ['0.115.9', 'openai'],
    ['0.116.0', 'portable'],
    ['0.165.9', 'portable'],
    ['0.166.0', 'codex'],
    ['1.0', 'codex'],
    ['dev', 'codex'],
    [undefined, 'codex'],
  ])('for Codex %s is %s', (version, id) => {
    const client =
      version === undefined ? { name: 'Codex' } : { name: 'codex-mcp-client', version };
    expect(profileForClient(client).id).toBe(id);
  });

  it.each([{ name: 123 }, { name: null }, { name: 'codex', version: 115 }])(
    'ignores invalid values such as %j',
    (client) => {
      expect(() => profileForClient(client as never)).not.toThrow();
    },
  );

  it('is the canonical one when nothing was announced', () => {
    expect(profileForClient(undefined).id).toBe('canonical');
  });

  it('is never the canonical one, with a colon, for a client of the public list', () => {
    const names = Object.keys(mcpClients);
    expect(names.length).toBeGreaterThan(30);
    expect(names.filter((name) => profileForClient({ name }).id === 'canonical')).toEqual([]);
  });
});

describe('profiles', () => {
  it('say what the client does with a name outside its rules', () => {
    const ids = (what: string) =>
      [...PROFILES.values()].filter(({ badNames }) => badNames === what).map(({ id }) => id);
    expect(ids('shown')).toEqual(['canonical', 'spec', 'identity']);
    expect(ids('replaced')).toEqual(['claude-code', 'codex', 'vscode', 'gemini']);
    expect(ids('refused')).toHaveLength(PROFILES.size - 7);
  });

  it('have a label each', () => {
    const labels = new Set(Array.from(PROFILES.values(), ({ label }) => label));
    expect(labels.size).toBe(PROFILES.size);
    expect(labels).not.toContain('');
  });

  it('are listed in the error for an unknown profile', () => {
    expect(() => profileById('claude')).toThrow(
      /no client profile "claude". Known: canonical, spec/,
    );
    expect(() => profileById('__proto__')).toThrow(/no client profile/);
  });
});

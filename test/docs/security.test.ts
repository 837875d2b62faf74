/** The configurations and commands of docs/security.md, docs/access.md and docs/lock.md work. */

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { configOf } from '../../packages/gateway/src/config/testing/problems-of.js';
import { NETWORK_SETTINGS } from '../../packages/auth/src/network/network-settings.js';
import { OAUTH_SETTINGS } from '../../packages/auth/src/sign-in/oauth-settings.js';
import { QUARANTINE_MODE, LOCK_MODE } from '../../packages/governance/src/lock/lock-settings.js';
import { hashOf } from '../../packages/auth/src/callers/api-key.js';
import { AUTH_SETTINGS } from '../../packages/auth/src/callers/auth-settings.js';
import { mayListen } from '../../packages/auth/src/callers/may-listen.js';

const page = ['security', 'access', 'lock']
  .map((name) => readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8'))
  .join('\n');

interface Example {
  readonly mcpServers: Readonly<Record<string, object>>;
  readonly callsign: Readonly<Record<string, unknown>>;
}

const blocks = (language: string): string[] =>
  Array.from(
    page.matchAll(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``, 'g')),
    ([, text]) => text!,
  );
const examples = blocks('json').map((text) => JSON.parse(text) as Example);

/** The first column of the table below a heading. */
const words = (heading: string): string[] =>
  Array.from(
    page
      .split(`| \`${heading}\``)[1]!
      .split('\n\n')[0]!
      .matchAll(/^\| `(\w+)`/gm),
    ([, word]) => word!,
  );

describe('docs/security.md, docs/access.md and docs/lock.md', () => {
  it('shows servers that can be configured', () => {
    expect(examples).toHaveLength(5);
    for (const { mcpServers } of examples) {
      expect(configOf(JSON.stringify({ mcpServers })).servers).toHaveLength(1);
    }
  });

  it('shows settings that are accepted, and every part of them', () => {
    const seen = new Set<string>();
    for (const { mcpServers, callsign } of examples) {
      const { auth, network, lock, quarantine, roles, servers = {}, http, storage } = callsign;
      if (auth) expect(AUTH_SETTINGS.safeParse(auth).error).toBeUndefined();
      if (network) expect(NETWORK_SETTINGS.safeParse(network).error).toBeUndefined();
      if (lock) expect(LOCK_MODE.parse(lock)).toBe('enforce');
      if (quarantine) expect(QUARANTINE_MODE.parse(quarantine)).toBe('on');
      if (storage) configOf(JSON.stringify({ mcpServers, callsign: { auth, storage } }));
      if (http) configOf(JSON.stringify({ mcpServers, callsign: { http } }));
      if (roles) configOf(JSON.stringify({ mcpServers, callsign: { roles } }));
      for (const { oauth } of Object.values(servers as Record<string, { oauth: unknown }>)) {
        expect(OAUTH_SETTINGS.safeParse(oauth).error).toBeUndefined();
      }
      for (const key of Object.keys(callsign)) seen.add(key);
    }
    expect([...seen].toSorted()).toEqual([
      'auth',
      'http',
      'lock',
      'network',
      'quarantine',
      'roles',
      'servers',
      'storage',
    ]);
  });

  it('names every mode, and the default', () => {
    expect(words('lock')).toEqual(['off', 'warn', 'enforce']);
    expect(words('quarantine')).toEqual(['off', 'warn', 'names', 'on']);
    expect(LOCK_MODE.parse(undefined)).toBe('off');
    expect(QUARANTINE_MODE.parse(undefined)).toBe('names');
  });

  it('names tests that exist for its promises', () => {
    const named = Array.from(
      page.matchAll(/`((?:test|packages)\/[^`]+\.test\.ts)`/g),
      ([, file]) => file!,
    );
    expect(new Set(named).size).toBeGreaterThan(15);
    expect(named.filter((file) => !existsSync(new URL(`../../${file}`, import.meta.url)))).toEqual(
      [],
    );
  });

  it('answers each of the OWASP MCP Top 10', () => {
    const rows = page.match(/^\| MCP\d\d /gm)?.map((row) => row.slice(2, 7));
    expect(rows).toEqual(
      Array.from({ length: 10 }, (_, i) => `MCP${String(i + 1).padStart(2, '0')}`),
    );
  });

  it('names the flag that the refusal names', () => {
    const [flag] = /--[\w-]+/.exec(mayListen('0.0.0.0', undefined, false)!)!;
    expect(page).toContain(flag);
  });

  it('V17: says what a process of the same user can do, and what helps against it', () => {
    const [, section = ''] = page.split('## Processes of the same user\n');
    expect(section).toContain('A process of the same user can do what the user can.');
    expect(section).toContain('approve its own calls');
    expect(section).toContain('recipes/systemd.md');
    const unit = readFileSync(new URL('../../deploy/callsign.service', import.meta.url), 'utf8');
    expect(unit).toMatch(/^DynamicUser=yes$/m);
  });

  it('N23: makes a key whose hash is accepted', () => {
    const [script = ''] = blocks('sh');
    const printed = execFileSync('sh', ['-c', script], { encoding: 'utf8' });
    const [, key = '', hash = ''] = /^key: {2}(\S+)\nhash: (\S+)\n$/.exec(printed)!;
    expect(key).toMatch(/^callsign_[\w-]{43}$/);
    expect(hash).toBe(hashOf(key));
    expect(AUTH_SETTINGS.safeParse({ keys: [{ name: 'ci', hash }] }).success).toBe(true);
  });
});

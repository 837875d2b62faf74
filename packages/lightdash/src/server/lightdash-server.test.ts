/** The Lightdash server as a client sees it. */

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';

import { expectWellLabelled, SAFETY_MODES, type SafetyMode } from '@callsign/toolkit';
import type { Tool } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';

import { shows } from '../../../../test/requirements/shows.js';
import { readConnection } from '../client/connection.js';
import { createLightdashServer } from './lightdash-server.js';
import { JAFFLE_SHOP } from '../sandbox/index.js';
import { clientOf, stageOf, startSandbox } from '../testing/stage.js';

const TITLES = new Map([
  ['list_projects', 'List projects'],
  ['get_project', 'Get project'],
  ['list_charts', 'List charts'],
  ['list_dashboards', 'List dashboards'],
  ['list_spaces', 'List spaces'],
  ['get_space', 'Get space'],
  ['list_organization_members', 'List organization members'],
  ['get_member', 'Get member'],
  ['list_groups', 'List groups'],
  ['get_group', 'Get group'],
]);

async function listed(safetyMode?: SafetyMode): Promise<readonly Tool[]> {
  const { mcp } = await stageOf(clientOf(await startSandbox()), { safetyMode });
  return (await mcp.listTools()).tools;
}

describe('the ten tools', () => {
  it(
    'are the only tools, each with the prefix',
    shows('LDD-13', 'LDP-04', async () => {
      const names = (await listed()).map(({ name }) => name);
      expect(names).toEqual([...TITLES.keys()].map((name) => `lightdash_tools__${name}`));
    }),
  );

  it(
    'have their titles, in both places',
    shows(
      'LDP-11',
      'LDD-14',
      'LDD-15',
      'LDD-16',
      'LDD-17',
      'LDD-18',
      'LDD-19',
      'LDD-20',
      'LDD-21',
      'LDD-22',
      'LDD-23',
      async () => {
        for (const { name, title, annotations } of await listed()) {
          const expected = TITLES.get(name.replace('lightdash_tools__', ''));
          expect([title, annotations?.title]).toEqual([expected, expected]);
        }
      },
    ),
  );

  it(
    'are labelled as closed-world reads, with every hint stated',
    shows('LDD-24', 'LDD-25', async () => {
      for (const { annotations } of await listed()) {
        expect(annotations).toMatchObject({
          readOnlyHint: true,
          destructiveHint: false,
          idempotentHint: true,
          openWorldHint: false,
        });
      }
    }),
  );

  it(
    'only read, and call no other host',
    shows('LDP-12', async () => {
      const sandbox = await startSandbox();
      const stage = await stageOf(clientOf(sandbox));
      const origins = new Set<unknown>();
      const note = (message: unknown): void => {
        origins.add((message as { request: { origin: unknown } }).request.origin);
      };
      subscribe('undici:request:create', note);
      const project = { projectUuid: JAFFLE_SHOP };
      const { data } = await stage.call('list_spaces', project);
      const answers = [
        await stage.call('list_projects'),
        await stage.call('get_project', project),
        await stage.call('list_charts', project),
        await stage.call('list_dashboards', project),
        await stage.call('get_space', { ...project, spaceUuid: data.spaces[0].uuid }),
        await stage.call('list_organization_members'),
        await stage.call('get_member', { userUuid: '80fb8b59-d6b7-4ed6-b969-9849310f3e53' }),
        await stage.call('list_groups'),
        await stage.call('get_group', { groupUuid: '9d615ede-5758-4954-9fb9-2a07fc415ba5' }),
      ];
      unsubscribe('undici:request:create', note);
      expect(answers.filter(({ isError }) => isError)).toEqual([]);
      expect(origins).toEqual(new Set([sandbox.url]));
      expect(new Set(sandbox.requests.map(({ method }) => method))).toEqual(new Set(['GET']));
      expect(sandbox.requests).toHaveLength(10);
    }),
  );

  it(
    'are unknown by their short names',
    shows('LDP-18', async () => {
      const sandbox = await startSandbox();
      const { mcp } = await stageOf(clientOf(sandbox));
      for (const name of TITLES.keys()) {
        const call = mcp.callTool({ name, arguments: { projectUuid: JAFFLE_SHOP } });
        await expect(call).rejects.toMatchObject({ code: -32602 });
      }
      expect(sandbox.requests).toEqual([]);
    }),
  );

  it(
    'differ from those under another prefix only in their names',
    shows('LDP-19', async () => {
      const client = clientOf(await startSandbox());
      const { mcp: usual } = await stageOf(client);
      const { mcp: other } = await stageOf(client, { prefix: 'ldt_' });
      const bare = (tools: readonly Tool[], prefix: string): object[] =>
        tools.map((tool) => ({ ...tool, name: tool.name.replace(prefix, '') }));
      const ours = bare((await usual.listTools()).tools, 'lightdash_tools__');
      expect(ours).toEqual(bare((await other.listTools()).tools, 'ldt_'));
      expect(ours.map((tool) => Reflect.get(tool, 'name'))).toEqual([...TITLES.keys()]);
    }),
  );

  it('match the golden file', async () => {
    await expect(`${JSON.stringify(await listed(), null, 2)}\n`).toMatchFileSnapshot(
      '../testing/ten-tools.golden',
    );
  });
});

describe('the tools beyond the ten', () => {
  it('match the golden file', async () => {
    const beyond = (await listed('write-destructive')).slice(TITLES.size);
    await expect(`${JSON.stringify(beyond, null, 2)}\n`).toMatchFileSnapshot(
      '../testing/tools-beyond.golden',
    );
  });

  it('are hidden together with the ten in an unknown mode', async () => {
    const { mcp } = await stageOf(clientOf(await startSandbox()), {
      safetyMode: 'everything' as SafetyMode,
    });
    expect(mcp.getServerCapabilities()).not.toHaveProperty('tools');
    const call = mcp.callTool({ name: 'lightdash_tools__list_projects', arguments: {} });
    await expect(call).rejects.toThrow();
  });
});

describe('the server', () => {
  it('names itself and the version of its package', async () => {
    const { mcp } = await stageOf(clientOf(await startSandbox()));
    const file = new URL('../../package.json', import.meta.url);
    const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
    expect(mcp.getServerVersion()).toMatchObject({ name: 'callsign-lightdash', version });
  });
});

describe('docs/lightdash.md', () => {
  it('shows a configuration that works', async () => {
    const page = readFileSync(new URL('../../../../docs/lightdash.md', import.meta.url), 'utf8');
    const [, text = ''] = /```json\n([^`]*)```/.exec(page) ?? [];
    const { mcpServers } = JSON.parse(text) as {
      mcpServers: { lightdash: { command: string; env: Record<string, string> } };
    };
    const { command, env } = mcpServers.lightdash;
    const file = new URL('../../package.json', import.meta.url);
    const { bin } = JSON.parse(readFileSync(file, 'utf8')) as { bin: Record<string, string> };
    expect(Object.keys(bin)).toContain(command);
    expect(readConnection(env).url.href).toBe('https://app.lightdash.cloud/');
  });

  it('lists every tool with its title and risk, the ten first', async () => {
    const page = readFileSync(new URL('../../../../docs/lightdash.md', import.meta.url), 'utf8');
    const rows = page.match(/^\| `\w+` \| .* \| (?:read|write|destructive) \|$/gm);
    const tools = await listed('write-destructive');
    const expected = tools.map(({ name, title, annotations }) => {
      const writes = annotations?.destructiveHint ? 'destructive' : 'write';
      const risk = annotations?.readOnlyHint ? 'read' : writes;
      return `| \`${name.replace('lightdash_tools__', '')}\` | ${title} | ${risk} |`;
    });
    expect(rows).toEqual(expected);
  });
});

describe('the linter', () => {
  it.each([undefined, ...SAFETY_MODES])('finds nothing under the mode %s', async (safetyMode) => {
    const client = clientOf(await startSandbox());
    await expectWellLabelled(createLightdashServer({ client, safetyMode }));
  });
});

describe('a prefix', () => {
  it('can be the shorter one that lightdash-tools used for a while', async () => {
    const { names } = await stageOf(clientOf(await startSandbox()), { prefix: 'ldt__' });
    expect(await names()).toContain('ldt__list_charts');
  });

  it('that is too long for names is refused before the first call', async () => {
    const client = clientOf(await startSandbox());
    expect(() => createLightdashServer({ client, prefix: `${'x'.repeat(40)}__` })).toThrow(
      /shorter/,
    );
    expect(() => createLightdashServer({ client, prefix: 'light dash:' })).toThrow(/prefix/);
  });
});

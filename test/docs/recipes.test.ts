/** The recipes do what they say. */

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { parseConfig } from '@callsign/gateway/host';
import { describe, expect, it } from 'vitest';

import { ROOT } from '../architecture/tree.js';
import { startGateway, temporaryFolder } from '../e2e/gateway-process.js';
import { fencesOf, pagesBelow } from './testing/markdown.js';

const pages = pagesBelow('docs/recipes');
const fences = (name: string) => fencesOf(pages.find(({ path }) => path.endsWith(`/${name}`))!);

/** Runs a command of a page, with the built command in place of the installed one. */
function run(command: string, flags: readonly string[] = [], config = 'callsign.json') {
  const [program, ...args] = command.replace(/^npx -y mcp-callsign/, 'callsign').split(' ');
  expect(program).toBe('callsign');
  const bin = join(ROOT, 'packages', 'cli', 'bin', 'callsign.cjs');
  const all = [bin, ...args.map((arg) => arg.replace('callsign.json', config)), ...flags];
  return spawnSync(process.execPath, all, { cwd: ROOT, encoding: 'utf8' });
}

/** A configuration without fields that depend on its path. */
function meaning(text: string): unknown {
  const result = parseConfig(text, { file: '/callsign.json', env: {} });
  if (!result.ok) throw new Error('The recipe has a configuration that does not load');
  return JSON.parse(JSON.stringify(result.config));
}

describe('docs/recipes', () => {
  it('read-only-gateway.md: the policy offers read tools only', async () => {
    const policy = fences('read-only-gateway.md').find(({ language }) => language === 'json')!;
    const { mcpServers, callsign } = JSON.parse(policy.text) as {
      mcpServers: Record<string, object>;
      callsign: object;
    };
    expect(Object.keys(mcpServers)).toEqual(['filesystem']);
    const server = 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js';
    const filesystem = {
      command: process.execPath,
      args: [join(ROOT, server), temporaryFolder()],
    };
    const gateway = await startGateway({ servers: { filesystem }, settings: callsign });
    const client = await gateway.connect();
    const { result } = await client.request('tools/list');
    const names = (result as { tools: { name: string }[] }).tools.map(({ name }) => name);
    expect(names).toContain('filesystem:read_text_file');
    expect(names).not.toContain('filesystem:write_file');
  });

  it('team.md: the roles allow and deny what the page says', () => {
    const blocks = fences('team.md');
    const config = JSON.parse(blocks.find(({ language }) => language === 'json')!.text) as {
      mcpServers: Record<string, object>;
    };
    const server = 'node_modules/@modelcontextprotocol/server-memory/dist/index.js';
    config.mcpServers['memory'] = { command: process.execPath, args: [join(ROOT, server)] };
    const file = join(temporaryFolder(), 'callsign.json');
    writeFileSync(file, JSON.stringify(config));
    const [validate, allowed, denied] = blocks
      .flatMap(({ text }) => text.split('\n'))
      .filter((line) => / validate | policy test /.test(line))
      .map((line) => run(line, [], file));
    expect(validate!.status).toBe(0);
    expect([allowed!.status, allowed!.stdout]).toEqual([0, expect.stringContaining('\nallow: ')]);
    expect([denied!.status, denied!.stdout]).toEqual([7, expect.stringContaining('\ndeny: ')]);
  });

  it('rename.md: the command turns the first file into the second, comments kept', () => {
    const [before, after] = fences('rename.md').filter(({ language }) => language === 'jsonc');
    const command = fences('rename.md').find(({ text }) => text.startsWith('callsign rename'))!;
    const file = join(temporaryFolder(), 'callsign.json');
    writeFileSync(file, before!.text);
    expect(run(command.text, ['--config', file]).status).toBe(0);
    const renamed = readFileSync(file, 'utf8');
    expect(renamed).toContain('// The servers of the team.');
    expect(meaning(renamed)).toEqual(meaning(after!.text));
  });

  it('github-actions.md: the step passes a good server and fails a bad one', () => {
    const [workflow] = fences('github-actions.md');
    const step = /run: (npx -y mcp-callsign lint .*)$/m.exec(workflow!.text)![1]!;
    const good = run(step.replace('dist/server.js', 'examples/write-a-server/server.mjs'));
    expect([good.status, good.stdout]).toEqual([0, '']);

    const tools = join(temporaryFolder(), 'tools.json');
    writeFileSync(
      tools,
      JSON.stringify({ tools: [{ name: 'delete everything', inputSchema: {} }] }),
    );
    const bad = run(step.replace(/ -- .*/, ''), [tools]);
    expect(bad.status).toBe(1);
    expect(bad.stdout).toMatch(/^::error /m);
  });

  it('systemd.md and nginx.md agree with the port that is the default', () => {
    const unit = readFileSync(join(ROOT, 'deploy', 'callsign.service'), 'utf8');
    expect(unit).toMatch(/^ExecStart=\S+ serve --config \S+ --http$/m);
    const site = fences('nginx.md').find(({ language }) => language === 'nginx');
    const loaded = parseConfig('{"mcpServers": {"a": {"command": "x"}}}', { file: 'x', env: {} });
    const port = loaded.ok && loaded.config.settings.http.port;
    expect(site!.text).toContain(`proxy_pass http://127.0.0.1:${port};`);
  });
});

// Ten tasks over real servers, as single calls and as scripts: round trips, tokens, questions, time. Everything but a read is
// confirmed both ways. Writes the table into docs/scripts.md; `--json` prints the figures instead.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

import { startHarbour } from '../../examples/harbour/api.mjs';
import { installFolder } from '../../scripts/install-folder.mjs';
import { files, ships, tasks } from './tasks.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const COMMAND = join(ROOT, 'packages/cli/bin/callsign.cjs');
const SERVERS = join(import.meta.dirname, 'servers');
const TOKEN = 'bench';
const PAGE = new URL('../../docs/scripts.md', import.meta.url);
const MARKERS = ['<!-- tasks:start -->', '<!-- tasks:end -->'];
const node = (...args) => ({ command: process.execPath, args, cwd: ROOT });
const number = (value) => value.toLocaleString('en');
const tokens = (value) => countTokens(JSON.stringify(value));

/** An adapter that Callsign has imported from an OpenAPI document, and that a person has reviewed. */
function imported(folder, url) {
  const file = join(folder, 'harbour.adapter.md');
  const callsign = (...args) =>
    execFileSync(process.execPath, [COMMAND, 'adapter', ...args, '--quiet']);
  callsign('from-openapi', join(import.meta.dirname, 'harbour.yaml'), '--out', file);
  callsign('review', file, '--yes');
  const entry = node(COMMAND, 'adapter', 'serve', file, '--base-url', url);
  return { ...entry, env: { CALLSIGN_HARBOUR_TOKEN: TOKEN } };
}

const official = (name) => `node_modules/@modelcontextprotocol/server-${name}/dist/index.js`;
const installed = (path) => join(SERVERS, 'node_modules', path);

function newRepository(root) {
  const git = (...args) => execFileSync('git', args, { cwd: root });
  git('init', '--quiet');
  git('config', 'user.name', 'Bench');
  git('config', 'user.email', 'bench@example.invalid');
}

/** A gateway with its client, which says yes to every question. */
async function open(folder, url) {
  const root = join(folder, 'pages');
  mkdirSync(root);
  for (const [name, content] of files) writeFileSync(join(root, name), content);
  newRepository(root);
  const ofDatabase = ['--url', `file:${join(folder, 'pages.db')}`, '--log-mode', 'none'];
  const mcpServers = {
    filesystem: node(official('filesystem'), root),
    git: {
      ...node(installed('@cyanheads/git-mcp-server/dist/index.js')),
      env: { LOGS_DIR: join(folder, 'git-logs') },
    },
    memory: {
      ...node(official('memory')),
      env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') },
    },
    sqlite: node(installed('@xexr/mcp-libsql/dist/index.js'), ...ofDatabase),
    harbour: imported(folder, url),
  };
  const settings = {
    scripts: {},
    policy: { write: 'confirm', destructive: 'confirm', confirm: { remember: 'never' } },
    audit: { folder: join(folder, 'audit') },
    listWaitMs: 60_000,
  };
  const config = join(folder, 'callsign.json');
  writeFileSync(config, JSON.stringify({ mcpServers, callsign: settings }));
  const client = new Client({ name: 'bench', version: '1' }, { capabilities: { elicitation: {} } });
  const asked = { questions: 0 };
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    asked.questions++;
    const { answer } = params.requestedSchema.properties;
    return { action: 'accept', content: { answer: answer.enum[1] } };
  });
  const args = [COMMAND, 'serve', '--stdio', '--config', config];
  const env = { PATH: process.env.PATH, HOME: folder, XDG_STATE_HOME: join(folder, 'state') };
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }),
  );
  await client.listTools();
  const query = (tool, text) =>
    client.callTool({ name: `sqlite:${tool}`, arguments: { query: text } });
  await query('create-table', 'CREATE TABLE ships (name TEXT)');
  const rows = ships.map((name) => `('${name}')`);
  await query('write-query', `INSERT INTO ships VALUES ${rows.join(', ')}`);
  return { root, client, asked };
}

async function measured({ client, asked }, play) {
  const cost = { trips: 0, tokens: 0, questions: asked.questions, ms: performance.now() };
  /** One round trip of the model: some calls at once, and their answers. */
  const round = async (calls) => {
    cost.trips++;
    const answers = await Promise.all(
      calls.map(([name, given]) => client.callTool({ name, arguments: given })),
    );
    for (const [i, [name, given]] of calls.entries()) {
      const { content, isError } = answers[i];
      if (isError) throw new Error(`${name} ${JSON.stringify(given)}: ${JSON.stringify(content)}`);
      cost.tokens += tokens({ name, arguments: given }) + tokens(content);
    }
    return answers;
  };
  await play(round);
  const questions = asked.questions - cost.questions;
  return { ...cost, questions, ms: Math.round(performance.now() - cost.ms) };
}

async function playAll(way) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'callsign-tasks-')));
  const harbour = await startHarbour({ token: TOKEN });
  const gateway = await open(folder, harbour.url);
  const { root, client } = gateway;
  const costs = [];
  try {
    for (const task of tasks)
      costs.push(await measured(gateway, (round) => way(task, root, round)));
  } finally {
    await client.close();
    await harbour.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return costs;
}

const missing = installFolder(SERVERS);
if (missing !== undefined) throw new Error(`The servers of git and SQLite: ${missing}`);

const single = await playAll(async ({ rounds }, root, round) => {
  const all = [];
  for (const calls of rounds) all.push(await round(calls(root, all.at(-1), all)));
});
const scripts = await playAll(async ({ title, query, code }, root, round) => {
  await round([['callsign:api', { query }]]);
  const whole = `const root = ${JSON.stringify(root)};\n${code}`;
  await round([['callsign:run', { code: whole, purpose: title }]]);
});

const results = tasks.map(({ title }, i) => ({ title, single: single[i], script: scripts[i] }));
if (process.argv.includes('--json')) console.log(JSON.stringify(results, undefined, 2));
else {
  const row = ({ title, single: one, script }) => {
    const pair = (name) => `${number(one[name])} → ${number(script[name])}`;
    return `| ${title} | ${pair('trips')} | ${pair('tokens')} | ${pair('questions')} | ${pair('ms')} |`;
  };
  const table = [
    '| task | round trips | tokens | questions | ms |',
    '| --- | --- | --- | --- | --- |',
    ...results.map(row),
  ].join('\n');
  const page = readFileSync(PAGE, 'utf8');
  const [before, after] = [page.split(MARKERS[0])[0], page.split(MARKERS[1])[1]];
  writeFileSync(PAGE, `${before}${MARKERS[0]}\n\n${table}\n\n${MARKERS[1]}${after}`);
  console.log(table);
}

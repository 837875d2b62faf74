// What is measured of one gateway. Each function starts it again.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { CLIENT_PRODUCTS, createNameCheck, maxNameLength } from '@callsign/naming';

import { freshFolder } from '../lineup/contestant.mjs';
import { nextId } from '../load/client.mjs';
import { coreTime, megabytes, stop } from '../processes.mjs';

const SERVER = join(import.meta.dirname, 'server.mjs');
const RECORDINGS = join(import.meta.dirname, '../../test/recordings/servers');
/** The first two have the same tools, and one is slow. */
const RECORDED =
  'filesystem filesystem-shtse8 everything github gitlab jira memory notion playwright puppeteer sequential-thinking slack'.split(
    ' ',
  );
const SLOW = 'jira';
export const SLOW_MS = 3_000;
/** The key of the gateway in the file of each client. */
const CLIENT_KEY = 'gateway';
const BIG = '9007199254740993';
/** What a test of these looks for, in JSON that was never parsed. */
const NUMBERS = {
  list: [BIG],
  arguments: [BIG],
  result: ['12345678901234567891'],
};
const UNKNOWN = {
  list: ['"x-tool":1', '"x-schema":true', '"x-hint":true', '"example.org/kept":true'],
  result: ['"x-block":1', '"x-result":1', '"example.org/kept":true'],
};
const ANSWER_MS = 10_000;
const WHOLE_MS = 20_000;
const CALLS = 2_000;

/** How each client announces itself. */
const ANNOUNCED = {
  'claude-desktop': 'claude-ai',
  'claude-code': 'claude-code',
  openai: 'openai-mcp',
  codex: 'codex-mcp-client',
  cursor: 'cursor-vscode',
  vscode: 'Visual Studio Code',
  gemini: 'gemini-cli-mcp-client',
  windsurf: 'windsurf-client',
  bedrock: 'Q-DEV-CLI',
};

/** The tools of recorded servers: the first list, all fields, the names for each client, and what the start costs. */
export async function lists(gateway) {
  const keys = gateway.hasOneServer ? ['filesystem'] : RECORDED;
  const servers = Object.fromEntries(keys.map((key) => [key, recorded(key)]));
  const originals = keys.flatMap((server) =>
    toolsOf(server).map((tool) => ({
      name: gateway.call(server, tool.name, {}).name,
      tool,
    })),
  );
  return withGateway(gateway, servers, async ({ began, client, open, pid }) => {
    const first = await listed(client);
    const firstMs = performance.now() - began;
    const end = performance.now() + WHOLE_MS;
    let tools = first;
    while (!gateway.hidesTools && tools.length < originals.length && performance.now() < end) {
      await pause(200);
      tools = await listed(client);
    }
    await pause(1_000);
    const cost = { mb: megabytes(pid), coreMs: coreTime(pid) / 1_000 };
    const all = { firstMs, first: first.length, of: originals.length, ...cost };
    if (gateway.hidesTools) return all;
    const names = {};
    for (const profile of CLIENT_PRODUCTS) {
      const own = await open(ANNOUNCED[profile.id]);
      const faults = createNameCheck(profile, maxNameLength(profile, CLIENT_KEY));
      const shown = await listed(own);
      names[profile.label] = shown.filter(({ name }) => faults(name).length === 0).length;
      if (own !== client) own.close();
    }
    const found = new Set(tools.map(({ name }) => name));
    const compared = originals.filter(({ name }) => found.has(name)).length;
    const fields = changedFields(originals, tools);
    return { ...all, listed: tools.length, compared, fields, names };
  });
}

/** What is left of numbers and of content that no version of MCP knows. */
export function contents(gateway) {
  return withGateway(gateway, { one: [SERVER] }, async ({ client }) => {
    const isWhole = (text) => gateway.hidesTools || text.includes('odd');
    const list = await untilAnswered(client, 'tools/list', '{}', isWhole);
    const call = (tool) =>
      untilAnswered(client, 'tools/call', callText(gateway, tool), (text) => isResult(text));
    const [echoed, odd] = [await call('echo'), await call('odd')];
    const texts = { list, arguments: echoed, result: odd };
    const { text = '' } = await asked(client, 'tools/call', callText(gateway, 'block'));
    const block = !isResult(text) ? 'error' : text.includes('x-block-type') ? 'kept' : 'lost';
    return {
      numbers: kept(NUMBERS, texts, gateway),
      unknown: kept(UNKNOWN, texts, gateway),
      block,
    };
  });
}

/** A call to a server that starts, measured from the start of the gateway. */
export function starting(gateway) {
  const servers = { one: [SERVER, `--delay-start=${SLOW_MS}`] };
  return withGateway(gateway, servers, async ({ began, client }) => {
    const { text } = await asked(client, 'tools/call', callText(gateway, 'echo'));
    return outcome(text, performance.now() - began);
  });
}

/** A server that ends within a call: the answer to that call, and the time until the next one is answered. */
export function crash(gateway) {
  return withGateway(gateway, { one: [SERVER] }, async ({ client }) => {
    const echo = callText(gateway, 'echo');
    await untilAnswered(client, 'tools/call', echo, isResult);
    const { text, ms } = await asked(client, 'tools/call', callText(gateway, 'crash'));
    const began = performance.now();
    const isBack = await untilAnswered(client, 'tools/call', echo, isResult).catch(() => undefined);
    return {
      call: outcome(text, ms),
      back: isBack === undefined ? undefined : performance.now() - began,
    };
  });
}

/** Calls, one after the other. */
export function load(gateway) {
  return withGateway(gateway, { one: [SERVER] }, async ({ client, pid }) => {
    const echo = callText(gateway, 'echo');
    await untilAnswered(client, 'tools/call', echo, isResult);
    const times = [];
    for (let i = 0; i < CALLS / 4; i++) await asked(client, 'tools/call', echo);
    const before = coreTime(pid);
    for (let i = 0; i < CALLS; i++) times.push((await asked(client, 'tools/call', echo)).ms);
    const core = (coreTime(pid) - before) / CALLS;
    const median = times.toSorted((a, b) => a - b)[CALLS / 2];
    return { median, core, mb: megabytes(pid) };
  });
}

async function withGateway(gateway, servers, work) {
  const began = performance.now();
  const { launched, open } = await gateway.start({ servers, folder: freshFolder('compare') });
  const clients = new Set();
  const opened = async (name) => {
    const client = await open();
    if (clients.has(client)) return client;
    clients.add(client);
    const clientInfo = { name, version: '1.0.0' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    await untilAnswered(client, 'initialize', JSON.stringify(params), isResult);
    client.notify('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    return client;
  };
  try {
    const client = await opened('compare');
    return await work({ began, client, open: opened, pid: launched.child.pid });
  } finally {
    for (const client of clients) client.close();
    await stop(launched);
  }
}

function recorded(key) {
  const flags = key === SLOW ? [`--delay-start=${SLOW_MS}`] : [];
  return [SERVER, join(RECORDINGS, `${key}.json`), ...flags];
}

function toolsOf(key) {
  return JSON.parse(readFileSync(join(RECORDINGS, `${key}.json`), 'utf8')).tools;
}

/** The parameters of a call. The number is put in as text, since JavaScript cannot write it. */
function callText(gateway, tool) {
  return JSON.stringify(gateway.call('one', tool, { id: 'BIG' })).replace('"BIG"', BIG);
}

async function asked(client, method, params, limitMs = ANSWER_MS) {
  const id = nextId();
  const began = performance.now();
  const text = await new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), limitMs);
    client.send(
      `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`,
      id,
      (answer) => {
        clearTimeout(timer);
        resolve(answer.toString());
      },
    );
  });
  return { text, ms: performance.now() - began };
}

/** Asks again until the answer is as wanted. */
async function untilAnswered(client, method, params, isWanted) {
  const end = performance.now() + WHOLE_MS;
  for (;;) {
    const { text } = await asked(client, method, params);
    if (text !== undefined && isWanted(text)) return text;
    if (performance.now() > end) throw new Error(`${method}: ${String(text).slice(0, 200)}`);
    await pause(50);
  }
}

async function listed(client) {
  const tools = [];
  let cursor;
  do {
    const params = cursor === undefined ? '{}' : JSON.stringify({ cursor });
    const { result } = JSON.parse(await untilAnswered(client, 'tools/list', params, isResult));
    tools.push(...result.tools);
    cursor = result.nextCursor;
  } while (cursor !== undefined);
  return tools;
}

function isResult(text) {
  try {
    const { result } = JSON.parse(text);
    return result !== undefined && result.isError !== true;
  } catch {
    return false;
  }
}

function outcome(text, ms) {
  if (text === undefined) return { is: 'silent', ms };
  return { is: isResult(text) ? 'answered' : 'error', ms };
}

/** For each text: how much of what it should have is there. A list of a gateway that hides tools has none of it. */
function kept(wanted, texts, gateway) {
  const parts = Object.entries(wanted).filter(([of]) => !(of === 'list' && gateway.hidesTools));
  const all = parts.flatMap(([of, words]) => words.map((word) => ({ of, word })));
  const lost = all.filter(({ of, word }) => {
    const text = texts[of].replaceAll('\\"', '"').replaceAll(/\s*([:,])\s*/g, '$1');
    return !text.includes(word);
  });
  return {
    of: all.length,
    lost: lost.map(({ word }) => word.replaceAll('"', '')),
  };
}

/** How many tools have which field changed. Names are another question. */
function changedFields(originals, tools) {
  const shown = new Map(tools.map((tool) => [tool.name, tool]));
  const counts = {};
  for (const { name, tool } of originals) {
    const other = shown.get(name);
    if (!other) continue;
    for (const field of new Set([...Object.keys(tool), ...Object.keys(other)])) {
      if (field === 'name' || sorted(tool[field]) === sorted(other[field])) continue;
      const how = !(field in other) ? 'left out' : field in tool ? 'changed' : 'added';
      const key = `${field} ${how}`;
      counts[key] = (counts[key] ?? 0) + 1;
    }
  }
  return counts;
}

function sorted(value) {
  return JSON.stringify(value, (_, each) =>
    each !== null && typeof each === 'object' && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}

// Five tasks over 300 tools, played as an agent would: it lists or searches, calls, and reads on. Each way to show the
// tools pays for its own list, its own questions and their answers. The results of the calls are the same in all ways.
import { Call } from '@callsign/core';
import { createCrudeView, createSearchView } from '@callsign/mcpaql/views';
import { readFileSync } from 'node:fs';

import { operationsOf } from './corpora.mjs';
import { CALLER, listTokens, sample, tokens } from './session.mjs';

const RECORDINGS = new URL('../../test/recordings/servers/', import.meta.url);
const SERVERS = [
  'github',
  'gitlab',
  'filesystem',
  'slack',
  'notion',
  'postgres',
  'playwright',
  'google-calendar',
  'todoist',
  'sentry',
  'kubernetes',
  'gmail',
  'trello',
];
/** The tools that a person chose for this work, as a tool set. */
const SET = ['github', 'slack', 'filesystem', 'sentry', 'google-calendar'];

/**
 * What an agent wants in each step, in words of its own, and the tool that does it. `reads` is the length of what comes
 * back, in characters: a long result is read on in the next step.
 */
const TASKS = [
  {
    title: 'report a bug: look for the issue, open one, tell the team',
    steps: [
      ['github', 'search_issues', 'search issues on github', 2_000],
      ['github', 'create_issue', 'create an issue on github', 600],
      ['slack', 'slack_post_message', 'post a message to a slack channel', 200],
    ],
  },
  {
    title: 'find the cause of an error: errors, details, code, history',
    steps: [
      ['sentry', 'search_issues', 'search issues in sentry', 3_000],
      ['github', 'search_code', 'search code on github', 2_000],
      ['github', 'get_file_contents', 'get the contents of a file on github', 6_000],
      ['github', 'list_commits', 'list commits of a branch', 3_000],
    ],
  },
  {
    title: 'read a long log file in two parts, and write a summary',
    steps: [
      ['filesystem', 'get_file_info', 'file size and info', 300],
      ['filesystem', 'read_text_file', 'read a text file', 8_000],
      ['filesystem', 'read_text_file', 'read a text file', 8_000],
      ['filesystem', 'write_file', 'write a file', 100],
    ],
  },
  {
    title: 'plan a meeting: free times, event, message',
    steps: [
      ['google-calendar', 'get-freebusy', 'free and busy times in calendars', 800],
      ['google-calendar', 'create-event', 'create a calendar event', 600],
      ['slack', 'slack_post_message', 'post a message to a slack channel', 200],
    ],
  },
  {
    title: 'review a pull request: list, files, comment',
    steps: [
      ['github', 'list_pull_requests', 'list pull requests', 3_000],
      ['github', 'get_pull_request_files', 'files of a pull request', 6_000],
      ['github', 'create_pull_request_review', 'create a pull request review', 400],
    ],
  },
];

/** About what JSON of this length costs: four characters for a token. */
const resultTokens = (characters) => Math.ceil(characters / 4);

/** Five tasks in four ways. Also names the number of tools, and of those in the set. */
export async function playTasks() {
  const servers = SERVERS.map(serverOf);
  const ways = {
    flat: () => flatAgent(servers),
    set: () => flatAgent(servers.filter(({ key }) => SET.includes(key))),
    search: () => searchAgent(servers),
    crude: () => crudeAgent(servers),
  };
  const tasks = [];
  for (const { title, steps } of TASKS) {
    const costs = {};
    for (const [way, agent] of Object.entries(ways)) costs[way] = await play(agent(), steps);
    tasks.push({ title, calls: steps.length, costs });
  }
  const chosen = servers.filter(({ key }) => SET.includes(key));
  return { tools: countTools(servers), setTools: countTools(chosen), tasks };
}

function countTools(servers) {
  return servers.reduce((sum, { tools }) => sum + tools.length, 0);
}

/**
 * `context`: what the model has read at the end. `read`: what it reads in all turns, as each turn reads everything
 * before it. `trips`: calls of any tool, each of which is one turn more.
 */
async function play(agent, steps) {
  let context = agent.list;
  let [read, trips] = [0, 0];
  const turn = (cost) => {
    read += context;
    context += cost;
    trips++;
  };
  for (const [server, tool, words, characters] of steps) {
    for (const cost of await agent.learn(server, tool, words)) turn(cost);
    turn(agent.call(server, tool) + resultTokens(characters));
  }
  // The last turn reads everything, and answers.
  return { context, read: read + context, trips };
}

function flatAgent(servers) {
  const tools = servers.flatMap(({ key, tools: own }) => {
    return own.map((tool) => ({ ...tool, name: `${key}__${tool.name}` }));
  });
  return {
    list: listTokens(tools),
    learn: () => [],
    call(key, name) {
      const tool = tools.find((each) => each.name === `${key}__${name}`);
      if (!tool) throw new Error(`${key} has no tool ${name}`);
      return tokens({ name: tool.name, arguments: sample(tool) });
    },
  };
}

/** Two tools for everything: finds each operation once, and asks for more results if it is not among the first. */
function searchAgent(servers) {
  const operations = servers.flatMap(({ key, operations: own }) => {
    return own.map((operation) => ({ ...operation, name: `${key}:${operation.ref.tool}` }));
  });
  const view = createSearchView(sourceOf(operations), { name: 'callsign' });
  const known = new Set();
  return {
    list: listTokens(listed(view)),
    async learn(key, name, query) {
      const wanted = `${key}:${name}`;
      if (known.has(wanted)) return [];
      return await searched(known, wanted, async (limit) => {
        const args = { query, ...(limit ? { limit } : {}) };
        return [args, await answer(view, 'find', args)];
      });
    },
    call: (key, name) => {
      return tokens({
        name: 'callsign__call',
        arguments: { operation: `${key}:${name}`, params: sample(toolOf(servers, key, name)) },
      });
    },
  };
}

/** Five tools for each server, and one search in the right server for each operation. */
function crudeAgent(servers) {
  const views = new Map(
    servers.map(({ key, source }) => {
      const options = { name: key, pattern: 'mcpaql_{endpoint}' };
      return [key, createCrudeView(source, options)];
    }),
  );
  const tools = [...views].flatMap(([key, view]) => {
    return listed(view).map((tool) => ({ ...tool, name: `${key}__${tool.name}` }));
  });
  const known = new Set();
  return {
    list: listTokens(tools),
    async learn(key, name, search) {
      const view = views.get(key);
      // Every endpoint takes an introspection.
      const [{ name: endpoint }] = listed(view);
      return await searched(known, `${key}:${name}`, async (limit) => {
        const params = { search, ...(limit ? { limit } : {}) };
        const args = { operation: 'introspect', params };
        return [args, await answer(view, endpoint, args)];
      });
    },
    call(key, name) {
      const { endpoint } = views
        .get(key)
        .report()
        .find(({ operation }) => operation.name === name);
      const params = sample(toolOf(servers, key, name));
      const called = `${key}__mcpaql_${endpoint}`;
      return tokens({ name: called, arguments: { operation: name, params } });
    },
  };
}

const MORE = 25;

/** The cost of each search until it names the operation. Fails if none does, so that no task is played by luck. */
async function searched(known, wanted, ask) {
  if (known.has(wanted)) return [];
  const costs = [];
  for (const limit of [undefined, MORE]) {
    const [args, text] = await ask(limit);
    costs.push(tokens(args) + tokens(text));
    const [, name] = wanted.split(/:(.*)/);
    if (text.includes(wanted) || text.includes(`"${name}"`)) {
      known.add(wanted);
      return costs;
    }
  }
  throw new Error(`No search finds ${wanted}.`);
}

function serverOf(key) {
  const { tools } = JSON.parse(readFileSync(new URL(`${key}.json`, RECORDINGS), 'utf8'));
  const source = operationsOf(key, tools);
  return { key, tools, source, operations: source.operations() };
}

function toolOf(servers, key, name) {
  return servers.find((server) => server.key === key).tools.find((tool) => tool.name === name);
}

function sourceOf(operations) {
  return { operations: () => operations, route: () => undefined, subscribe: () => () => undefined };
}

function listed(source) {
  return source.offer.tool.map(({ json }) => JSON.parse(json));
}

async function answer(source, name, args) {
  const call = new Call({
    method: 'tools/call',
    params: JSON.stringify({ name, arguments: args }),
    name,
    nameStart: -1,
    nameEnd: -1,
    tokenStart: -1,
    tokenEnd: -1,
    caller: CALLER,
  });
  const { json } = await source.route('tool', name).send(call);
  const { content, isError } = JSON.parse(json);
  if (isError) throw new Error(`${name} was refused: ${content[0].text}`);
  return content[0].text;
}

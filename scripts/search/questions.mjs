// The questions, the tools that answer them, and the position at which a search finds one of them.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

import { createSearch } from '@callsign/core/search';
import { labelTool } from '@callsign/effects';

const RECORDINGS = new URL('../../test/recordings/', import.meta.url);
const FOLDER = new URL('../../test/search/', import.meta.url);

const ALL_SERVERS = ['servers.txt', 'later-servers.txt', 'fresh-servers.txt'];
/** What a model searched for that had read the question and no tools, and then in other words. */
const FIRST_TRY = 2;
const SECOND_TRY = 3;

/** Half of the questions, chosen with this seed, was set aside while the ranking was written. */
function isHeldOut(question) {
  const digest = createHash('sha256').update(`callsign search ${question}`).digest('hex');
  return Number.parseInt(digest.slice(0, 8), 16) % 2 === 0;
}

/** The rounds, in the order in which they were written. A question belongs to one of them. */
export function readRounds() {
  return [
    { title: 'first round, servers', ...round('questions.tsv', serverTools('servers.txt')) },
    {
      title: 'second round, servers',
      ...round('later-questions.tsv', serverTools('later-servers.txt')),
    },
    { title: 'second round, APIs', isByApi: true, ...round('api-questions.tsv', apiTools()) },
    {
      title: 'last round, servers',
      ...round('final-questions.tsv', serverTools('later-servers.txt')),
    },
    { title: 'last round, APIs', isByApi: true, ...round('final-api-questions.tsv', apiTools()) },
    {
      title: 'fresh round, servers',
      ...round('fresh-questions.tsv', serverTools('fresh-servers.txt')),
    },
    { title: 'fresh round, APIs', isByApi: true, ...round('fresh-api-questions.tsv', apiTools()) },
    {
      title: 'everyday words, servers',
      ...round('model-questions.tsv', serverTools(...ALL_SERVERS)),
    },
    {
      title: 'everyday words, APIs',
      isByApi: true,
      ...round('other-api-questions.tsv', apiTools()),
    },
    ...[FIRST_TRY, SECOND_TRY].flatMap((column) => {
      const title = `a model's ${column === FIRST_TRY ? 'first' : 'second'} try`;
      return [
        {
          title: `${title}, servers`,
          ...round('model-questions.tsv', serverTools(...ALL_SERVERS), column),
        },
        {
          title: `${title}, APIs`,
          isByApi: true,
          ...round('other-api-questions.tsv', apiTools(), column),
        },
      ];
    }),
  ];
}

function round(file, tools, column = 0) {
  return { questions: readQuestions(file, column), tools };
}

/**
 * Every tool of the servers of some lists. Only tools that were read when the questions were written: others may have
 * right answers that no line names.
 */
function serverTools(...lists) {
  const servers = lists.flatMap((list) => {
    return readFileSync(new URL(list, FOLDER), 'utf8').trim().split('\n');
  });
  return [...new Set(servers)].flatMap((server) => {
    const file = new URL(`servers/${server}.json`, RECORDINGS);
    const { tools } = JSON.parse(readFileSync(file, 'utf8'));
    return tools.map((tool) => searched(server, tool));
  });
}

function searched(server, tool) {
  const { name, title, annotations, description = '', inputSchema } = tool;
  const reads = labelTool(tool).risk === 'read';
  const parameters = Object.entries(inputSchema?.properties ?? {}).map(([key, schema]) => {
    return { name: key, description: schema?.description };
  });
  return { server, name, title: title ?? annotations?.title ?? '', description, parameters, reads };
}

/** The operations of every recorded API, as an adapter searches them. */
function apiTools() {
  const folder = new URL('apis/', RECORDINGS);
  return readdirSync(folder).flatMap((file) => {
    const { operations } = JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
    const server = file.slice(0, -5);
    return operations.map((each) => ({ ...each, server, reads: each.endpoint === 'read' }));
  });
}

/**
 * Each line has a question and, after a tab, the tools that answer it: one of them is enough. Some lines have a model's
 * searches after that.
 */
function readQuestions(file, column) {
  return readFileSync(new URL(file, FOLDER), 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const cells = line.split('\t');
      return { text: cells[column], tools: cells[1].split(' '), isHeldOut: isHeldOut(cells[0]) };
    });
}

/** Each question with what a search finds, and the place of the right tool: 1 is the first. */
export function ask({ questions, tools, isByApi = false }) {
  return isByApi ? askOneServer({ questions, tools }) : askAll({ questions, tools });
}

function askAll({ questions, tools }) {
  const search = createSearch(tools, (tool) => tool);
  return questions.map((question) => asked(question, search));
}

/**
 * Searches only the server of each question's first tool, as with "view": "search" for that server,
 * or as in an adapter. An adapter does not name its server, so neither does this.
 */
export function askOneServer({ questions, tools }) {
  const searches = new Map();
  return questions.map((question) => {
    const [server] = question.tools[0].split(':', 1);
    let search = searches.get(server);
    if (!search) {
      const own = tools.filter((tool) => tool.server === server);
      search = createSearch(own, (tool) => tool);
      searches.set(server, search);
    }
    return asked(question, search);
  });
}

function asked(question, search) {
  const found = search(question.text).map(({ thing }) => `${thing.server}:${thing.name}`);
  const place = found.findIndex((name) => question.tools.includes(name)) + 1;
  return { ...question, found, place };
}

export function share(answers, last) {
  return answers.filter(({ place }) => place >= 1 && place <= last).length / answers.length;
}

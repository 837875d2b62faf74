// The questions, the tools that answer them, and the position at which a search finds one of them.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

import { createSearch } from '@callsign/core/search';

const RECORDINGS = new URL('../../test/recordings/servers/', import.meta.url);
const QUESTIONS = new URL('../../test/search/questions.tsv', import.meta.url);

/** Half of the questions, chosen with this seed, was set aside while the ranking was written. */
function isHeldOut(question) {
  const digest = createHash('sha256').update(`callsign search ${question}`).digest('hex');
  return Number.parseInt(digest.slice(0, 8), 16) % 2 === 0;
}

/** Every recorded tool, as the search indexes it. */
export function readTools() {
  const files = readdirSync(RECORDINGS).filter((file) => file.endsWith('.json'));
  return files.toSorted().flatMap((file) => {
    const { tools } = JSON.parse(readFileSync(new URL(file, RECORDINGS), 'utf8'));
    return tools.map((tool) => searched(file.slice(0, -'.json'.length), tool));
  });
}

function searched(server, { name, title, annotations, description = '', inputSchema }) {
  const parameters = Object.entries(inputSchema?.properties ?? {}).map(([key, schema]) => {
    return { name: key, description: schema?.description };
  });
  return { server, name, title: title ?? annotations?.title ?? '', description, parameters };
}

/** Each line has a question and, after a tab, the tools that answer it. One of them is enough. */
export function readQuestions() {
  return readFileSync(QUESTIONS, 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const [text, tools] = line.split('\t');
      return { text, tools: tools.split(' '), isHeldOut: isHeldOut(text) };
    });
}

/** Each question with what a search over all tools finds, and the place of the right tool: 1 is the first. */
export function askAll(questions, tools) {
  const search = createSearch(tools, (tool) => tool);
  return questions.map((question) => asked(question, search));
}

/**
 * Searches only the server of each question's first tool, as with "view": "search" for that server.
 */
export function askOneServer(questions, tools) {
  return questions.map((question) => {
    const [server] = question.tools[0].split(':', 1);
    const own = tools.filter((tool) => tool.server === server);
    return asked(
      question,
      createSearch(own, (tool) => tool),
    );
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

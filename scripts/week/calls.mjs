// The calls of `npm run week`, each with a check of its answer.
import { FOLDERS } from './person.mjs';

/** Each: the server, the call, and what is wrong with its result (`undefined`: nothing). */
const CALLS = [
  (client, unique) => ({
    server: 'plain',
    tool: 'echo',
    args: { value: unique },
    check: ({ structuredContent }) => is(structuredContent?.value, unique),
  }),
  (client, unique, number) => ({
    server: 'plain',
    tool: 'add',
    args: { a: number, b: 7 },
    check: ({ structuredContent }) => is(structuredContent?.sum, number + 7),
  }),
  (client, unique, number) => ({
    server: 'plain',
    tool: 'sleep',
    args: { ms: number % 1_500 },
    check: ({ content }) => (Array.isArray(content) ? undefined : 'has no content'),
  }),
  (client, unique, number) => ({
    server: 'plain',
    tool: 'big',
    args: { bytes: number * 20 },
    check: ({ content }) => is(content?.[0]?.text?.length, number * 20),
  }),
  (client, unique) => ({
    server: 'extra',
    tool: 'echo',
    args: { value: unique },
    check: ({ structuredContent }) => is(structuredContent?.value, unique),
  }),
  ...[0, 1].map(() => (client) => ({
    server: 'token',
    tool: 'env',
    args: {},
    check: ({ structuredContent }) =>
      client.token === undefined
        ? startsWith(structuredContent?.TOKEN, 'token-')
        : is(structuredContent?.TOKEN, client.token),
  })),
  (client) => ({
    server: 'local',
    tool: 'env',
    args: {},
    check: ({ structuredContent }) => is(structuredContent?.WEEK_FOLDER, client.folder),
  }),
  (client) => ({
    server: 'mine',
    tool: 'pid',
    args: {},
    check: ({ structuredContent }) => notOf(client, structuredContent?.pid),
  }),
  (client) => ({
    server: 'files',
    tool: 'list_allowed_directories',
    args: {},
    check: ({ content }) => {
      const text = content?.[0]?.text ?? '';
      const others = FOLDERS.filter((name) => name !== client.folder);
      const foreign = others.find((name) => text.includes(client.person.folder(name)));
      return foreign === undefined ? undefined : `shows the folder of another client: ${text}`;
    },
  }),
  (client, unique) => ({
    server: 'memory',
    tool: 'create_entities',
    args: { entities: [{ name: unique, entityType: 'thing', observations: ['seen'] }] },
    check: (result) =>
      JSON.stringify(result).includes(unique) ? undefined : 'does not name the new entity',
  }),
  (client, unique) => ({
    server: 'every',
    tool: 'echo',
    args: { message: unique },
    check: ({ content }) => is(content?.[0]?.text, `Echo: ${unique}`),
  }),
];

/** Which clients have used a process of a server that no two clients share. */
const owners = new Map();

function notOf(client, pid) {
  if (!Number.isInteger(pid)) return `has no process id: ${pid}`;
  const owner = owners.get(pid) ?? client;
  owners.set(pid, client);
  // The system may use the number again when the process of a client that left has ended.
  if (owner === client || owner.isEnded) return undefined;
  return `comes from the process of ${owner.name}`;
}

function is(found, wanted) {
  return found === wanted
    ? undefined
    : `is ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`;
}

function startsWith(found, start) {
  return String(found).startsWith(start) ? undefined : `is ${JSON.stringify(found)}`;
}

export function randomCall(random, client) {
  const number = random.below(10_000);
  return random.of(CALLS)(client, `${client.name}-${random.below(1e9)}`, number);
}

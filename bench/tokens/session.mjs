// What a session costs: everything that enters the model's context because of how the tools are shown.
//
//   list      the tools, as a model is given them: name, description, input schema
//   learning  questions about operations, and their answers
//   calls     the calls with their parameters; of an answer, only what an adapter wraps around it
import { Call } from '@callsign/core';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

export const CALLER = {
  id: 'bench',
  era: 'session',
  client: { name: 'bench', version: '1' },
  capabilities: '{}',
  can: () => false,
};
/**
 * What an adapter wraps around its answer. A view of a server passes on the server's own answer.
 */
const ENVELOPE = { success: true, data: null };

/** Tokens of a value as it appears in the context of a model. */
export const tokens = (value) =>
  countTokens(typeof value === 'string' ? value : JSON.stringify(value));

/** Names, descriptions and schemas; titles and labels are for the client, and no model sees them. */
export function listTokens(tools) {
  return tokens(
    tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
  );
}

const listed = (source) => source.offer.tool.map(({ json }) => JSON.parse(json));

/** The operations of a session: the wanted number, spread evenly over the list. */
export function chosen(parts, count) {
  const all = parts.flatMap((part) => part.tools.map((tool) => ({ part, tool })));
  return Array.from({ length: count }, (_, i) => all[Math.floor((i * all.length) / count)]);
}

export function flatSession(parts, operations) {
  const list = listTokens(parts.flatMap(({ tools }) => tools));
  const calls = operations.map(({ tool }) => tokens({ name: tool.name, arguments: sample(tool) }));
  return { list, learning: 0, calls: sum(calls) };
}

/** Asks about all operations of an endpoint at once, or about each one before its call. */
export async function crudeSession(parts, operations, { atOnce }) {
  const tools = parts.flatMap(({ crude }) => listed(crude));
  const groups = atOnce
    ? parts
        .map((part) => operations.filter((each) => each.part === part))
        .filter((group) => group.length > 0)
    : operations.map((operation) => [operation]);
  const learning = [];
  for (const group of groups) {
    const { crude } = group[0].part;
    const name = listed(crude).find(({ annotations }) => annotations.readOnlyHint).name;
    const names = group.map(({ tool }) => tool.name);
    learning.push(
      await exchange(crude, name, {
        operation: 'introspect',
        params: { names },
      }),
    );
  }
  const calls = operations.map(({ part, tool }) => {
    return crudeCall(part, tool);
  });
  return { list: listTokens(tools), learning: sum(learning), calls: sum(calls) };
}

/** Knows no names: searches for each operation with the words of its name, in another order. */
export async function foundSession(parts, operations) {
  const learning = [];
  for (const { part, tool } of operations) {
    const read = listed(part.crude).find(({ annotations }) => annotations.readOnlyHint);
    const search = tool.name.split(/[_-]/).toReversed().join(' ');
    const args = { operation: 'introspect', params: { search } };
    learning.push(await exchange(part.crude, read.name, args, tool.name));
  }
  const calls = operations.map(({ part, tool }) => crudeCall(part, tool));
  const tools = parts.flatMap(({ crude }) => listed(crude));
  return { list: listTokens(tools), learning: sum(learning), calls: sum(calls) };
}

function crudeCall({ crude }, tool) {
  const { endpoint } =
    'adapter' in crude
      ? crude.adapter.operations.get(tool.name)
      : crude.report().find(({ operation }) => operation.name === tool.name);
  const { name } = listed(crude).find((each) => each.name.endsWith(`_${endpoint}`));
  const call = tokens({ name, arguments: { operation: tool.name, params: sample(tool) } });
  return call + ('adapter' in crude ? tokens(ENVELOPE) : 0);
}

/** Finds each operation by the words of its name, with the usual number of results. */
export async function searchSession(parts, operations) {
  const learning = [];
  const calls = [];
  for (const { part, tool } of operations) {
    learning.push(
      await exchange(part.search, 'find', { query: tool.name.replaceAll(/[_-]/g, ' ') }),
    );
    calls.push(tokens({ name: 'call', arguments: { operation: tool.name, params: sample(tool) } }));
  }
  const tools = parts.flatMap(({ search }) => listed(search));
  return { list: listTokens(tools), learning: sum(learning), calls: sum(calls) };
}

export const total = ({ list, learning, calls }) => list + learning + calls;

/** A call and its answer, as a model reads both. Fails if the answer does not hold `wanted`. */
async function exchange(source, name, args, wanted = '') {
  const params = JSON.stringify({ name, arguments: args });
  const call = new Call({
    method: 'tools/call',
    params,
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
  if (!content[0].text.includes(wanted)) throw new Error(`${name} did not find ${wanted}`);
  return tokens({ name, arguments: args }) + tokens(content[0].text);
}

/** Arguments of a typical call: the required parameters, with short values. */
export function sample({ inputSchema }) {
  const { properties = {}, required = [] } = inputSchema;
  const values = { string: 'value', integer: 1, number: 1, boolean: true, array: [], object: {} };
  return Object.fromEntries(
    required.map((name) => [name, values[properties[name]?.type] ?? 'value']),
  );
}

const sum = (numbers) => numbers.reduce((all, each) => all + each, 0);

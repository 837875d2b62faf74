/** Checks a server's answers: introspection, refusals, envelopes. */

import { snakeCase } from '@callsign/naming';

import type { Check } from './check.js';
import type { Answer, CheckedServer, EndpointTool } from './checked-server.js';

/** The fault in words; `undefined` if there is none; `SKIP` if the server has nothing to check. */
type Verdict = string | undefined | typeof SKIP;

interface Listed {
  readonly name: string;
  readonly endpoint: string;
  readonly [key: string]: unknown;
}

interface Known extends CheckedServer {
  readonly read: EndpointTool;
  readonly list: Answer;
  readonly operations: readonly Listed[];
  readonly details: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
}

interface Rule {
  readonly id: string;
  readonly says: string;
  readonly level: Check['level'];
  readonly judge: (server: Known) => Verdict | Promise<Verdict>;
}

const SKIP = Symbol('skipped');
const NOBODY = 'no_such_thing_zz';
const MAX_DETAILS = 100;
const KEYS = ['name', 'semantic_category', 'endpoint', 'description'];

const RULES: readonly Rule[] = [
  {
    id: 'introspect-list',
    says: 'introspect lists operations with name, semantic_category, endpoint and description.',
    level: 'must',
    judge: ({ list, operations }) => {
      if (list.success !== true || operations.length === 0) return 'it lists nothing';
      const bad = operations.find((each) => KEYS.some((key) => typeof each[key] !== 'string'));
      return bad && `${bad.name} lacks one of ${KEYS.join(', ')}`;
    },
  },
  {
    id: 'introspect-identity',
    says: '_protocol has version, mode, adapter and display_name, and the names match the tools.',
    level: 'must',
    judge: ({ list, read }) => {
      const protocol = record(record(list.data)['_protocol']);
      const missing = ['version', 'mode', 'adapter', 'display_name'].filter(
        (key) => typeof protocol[key] !== 'string',
      );
      if (missing.length > 0) return `_protocol lacks ${missing.join(', ')}`;
      if (read.adapter === undefined) return undefined;
      const scope = snakeCase(String(protocol['adapter']));
      return scope.startsWith(read.adapter)
        ? undefined
        : `the tools are named ${read.adapter}, not ${scope}`;
    },
  },
  {
    id: 'introspect-detail',
    says: 'The details of every operation name its tool and its parameters.',
    level: 'must',
    judge: ({ operations, details, tools }) => {
      for (const { name, endpoint } of operations.slice(0, MAX_DETAILS)) {
        const info = details.get(name);
        if (!info) return `${name} has no detail`;
        const tool = tools.find((each) => each.name === info['mcpTool']);
        if (!tool)
          return `${name}: mcpTool is ${JSON.stringify(info['mcpTool'])}, which is not a tool`;
        if (tool.endpoint !== endpoint)
          return `${name} is ${endpoint}, and its mcpTool ${tool.endpoint}`;
        if (!Array.isArray(info['parameters'])) return `${name} has no parameters`;
      }
      return undefined;
    },
  },
  {
    id: 'introspect-types',
    says: 'introspect lists types.',
    level: 'must',
    judge: async (server) => {
      const { data } = await introspect(server, { query: 'types' });
      return Array.isArray(record(data)['types']) ? undefined : 'data.types is not a list';
    },
  },
  {
    id: 'introspect-unknown',
    says: 'An unknown name is answered with success and null.',
    level: 'must',
    judge: async (server) => {
      for (const [query, key] of [
        ['operations', 'operation'],
        ['types', 'type'],
      ] as const) {
        const { success, data } = await introspect(server, { query, name: NOBODY });
        if (success !== true || record(data)[key] !== null) return `${query} does not`;
      }
      return undefined;
    },
  },
  {
    id: 'unknown-operation',
    says: 'An unknown operation is refused with a code.',
    level: 'must',
    judge: async (server) => refusal(await server.ask(server.read, { operation: NOBODY })),
  },
  {
    id: 'missing-operation',
    says: 'A request without an operation is refused with a code.',
    level: 'must',
    judge: async (server) => refusal(await server.ask(server.read, {})),
  },
  {
    // Only reads are sent to the wrong endpoint: a server that does not check would run them.
    id: 'endpoint-mismatch',
    says: 'An operation at the wrong endpoint is refused, and the answer names the right tool.',
    level: 'must',
    judge: async (server) => {
      const other = server.tools.find(
        ({ endpoint, form }) => endpoint !== 'read' && form !== 'legacy',
      );
      const operation = readingOperation(server);
      if (!other || !operation) return SKIP;
      const answer = await server.ask(other, { operation, params: {} });
      const fault = refusal(answer, ['VALIDATION_ENDPOINT_MISMATCH']);
      if (fault !== undefined) return fault;
      return JSON.stringify(answer.error).includes(server.read.name)
        ? undefined
        : 'the right tool is not named';
    },
  },
  {
    id: 'unknown-parameter',
    says: 'An unknown parameter is refused.',
    level: 'must',
    judge: async (server) => {
      const operation = readingOperation(server, (required) => !required);
      if (operation === undefined) return SKIP;
      const answer = await server.ask(server.read, { operation, params: { [NOBODY]: 1 } });
      return refusal(answer, ['VALIDATION_UNKNOWN_PARAM']);
    },
  },
  {
    id: 'missing-parameter',
    says: 'A missing parameter is refused, by its name.',
    level: 'must',
    judge: async (server) => {
      const operation = readingOperation(server, (required) => required);
      if (operation === undefined) return SKIP;
      return refusal(await server.ask(server.read, { operation, params: {} }), [
        'VALIDATION_MISSING_PARAM',
      ]);
    },
  },
  {
    id: 'batch',
    says: 'A batch answers each of its operations, and counts them.',
    level: 'should',
    judge: async (server) => {
      const capabilities = record(record(record(server.list.data)['_protocol'])['capabilities']);
      if (capabilities['batch'] !== true) return SKIP;
      const item = { operation: 'introspect', params: { query: 'types' } };
      const answer = await server.ask(server.read, { operations: [item, { operation: NOBODY }] });
      const { total, succeeded, failed } = record(answer['summary']);
      const isRight = total === 2 && succeeded === 1 && failed === 1;
      return isRight ? undefined : `summary is ${JSON.stringify(answer['summary'])}`;
    },
  },
];

/** Sends introspection, and requests that the server must refuse. */
export async function answerChecks(server: CheckedServer): Promise<Check[]> {
  const { read } = server;
  if (!read) return RULES.map(({ id, says, level }) => ({ id, says, level, outcome: 'skipped' }));
  const list = await introspect({ ...server, read }, { query: 'operations' });
  const written = record(list.data)['operations'];
  const operations = Array.isArray(written) ? (written as Listed[]) : [];
  const details = new Map<string, Readonly<Record<string, unknown>>>();
  for (const { name } of operations.slice(0, MAX_DETAILS)) {
    const { data } = await introspect({ ...server, read }, { query: 'operations', name });
    const info = record(data)['operation'];
    if (typeof info === 'object' && info !== null) details.set(name, record(info));
  }
  const checks: Check[] = [];
  for (const { id, says, level, judge } of RULES) {
    const verdict = await judge({ ...server, read, list, operations, details });
    if (verdict === SKIP) checks.push({ id, says, level, outcome: 'skipped' });
    else if (verdict === undefined) checks.push({ id, says, level, outcome: 'passed' });
    else checks.push({ id, says, level, outcome: 'failed', detail: verdict });
  }
  return checks;
}

function introspect(
  { ask, read }: Pick<Known, 'ask' | 'read'>,
  params: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  return ask(read, { operation: 'introspect', params });
}

/** A reading operation with suitable parameters. `suits` gets whether it has a required one. */
function readingOperation(
  { operations, details }: Known,
  suits: (hasRequired: boolean) => boolean = () => true,
): string | undefined {
  return operations.find(({ name, endpoint }) => {
    const parameters = details.get(name)?.['parameters'];
    if (endpoint !== 'read' || name === 'introspect' || !Array.isArray(parameters)) return false;
    return suits(parameters.some((each) => record(each)['required'] === true));
  })?.name;
}

/** The fault of a refusal. `undefined` for a correct refusal, with one of `codes` if given. */
function refusal({ success, data, error }: Answer, codes?: readonly string[]): string | undefined {
  if (success !== false || !error) return 'it is not refused';
  if (data !== undefined) return 'the answer has both data and error';
  const code = String(error.code);
  if (!/^[A-Z][A-Z0-9_]*$/.test(code)) return `the code is ${code}`;
  if (codes && !codes.includes(code)) return `the code is ${code}, not ${codes.join(' or ')}`;
  return typeof error.message === 'string' && error.message !== ''
    ? undefined
    : 'there is no message';
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

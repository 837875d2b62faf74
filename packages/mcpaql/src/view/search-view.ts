/** Any MCP server as two tools: one finds operations by words, the other calls one. */

import { type HintSet, READ_ONLY_DEFAULT, toolTitle, withTitle } from '@callsign/annotations';
import {
  type Call,
  type Item,
  memberText,
  type Reply,
  resultOf,
  type Source,
} from '@callsign/core';
import { displayName as displayNameOf } from '@callsign/naming';

import { signatureOf } from '../introspect/signature.js';
import { unknownOperation } from '../introspect/suggest-operations.js';
import { envelopeReply, failure } from '../protocol/envelope.js';
import { ProtocolError } from '../protocol/protocol-error.js';
import { parseRequest } from '../protocol/request.js';
import { worstHints } from './classified-operations.js';
import {
  deriveSource,
  type Derived,
  type DerivedSource,
  type ToolRoute,
} from './derived-source.js';
import { createSearch } from '../introspect/operation-search.js';
import type { OperationSource, SourceOperation } from './operation-source.js';
import { sendInner } from './send-inner.js';
import { readDefinition } from './tool-definition.js';

export interface SearchViewOptions {
  /** The server's key. */
  readonly name: string;
  readonly displayName?: string;
}

export interface SearchView extends Source {
  close(): void;
}

interface Search extends Derived {
  readonly find: (call: Call) => Reply;
}

const DEFAULT_RESULTS = 5;
const MAX_RESULTS = 25;
const FIND_TOOL = 'find';
const CALL_TOOL = 'call';
const ADVICE = `Look it up with ${FIND_TOOL}.`;

const FIND_INPUT = {
  type: 'object',
  properties: {
    query: { type: 'string', description: 'What you want to do, in words; empty for all names.' },
    limit: { type: 'integer', minimum: 1, maximum: MAX_RESULTS, default: DEFAULT_RESULTS },
    format: { type: 'string', enum: ['compact', 'full'], default: 'compact' },
  },
};

const CALL_INPUT = {
  type: 'object',
  properties: {
    operation: { type: 'string', description: 'A name that find gave.' },
    params: { type: 'object', additionalProperties: true },
  },
  required: ['operation'],
};

export function createSearchView(source: OperationSource, options: SearchViewOptions): SearchView {
  const { name, displayName = displayNameOf(name) } = options;
  const derived: DerivedSource<Search> = deriveSource(source, (operations) => {
    const find = createFinder(operations);
    return { find, tools: operations.length === 0 ? [] : toolsFor(operations) };
  });
  return derived;

  function toolsFor(operations: readonly SourceOperation[]): readonly ToolRoute[] {
    const find = itemOf(displayName, {
      name: FIND_TOOL,
      title: 'Find',
      description: `Finds operations of ${displayName} (${operations.length} in all) and their parameters.`,
      inputSchema: FIND_INPUT,
      annotations: READ_ONLY_DEFAULT,
    });
    const call = itemOf(displayName, {
      name: CALL_TOOL,
      title: 'Call',
      description: `Calls one operation of ${displayName}. Find it first with ${FIND_TOOL}.`,
      inputSchema: CALL_INPUT,
      annotations: worstHints(operations),
    });
    return [
      { item: find, send: (asked) => guarded(() => derived.current(asked.sight).find(asked)) },
      { item: call, send: (asked) => guarded(() => callOne(asked)) },
    ];
  }

  async function callOne(call: Call): Promise<Reply> {
    const request = parseRequest(memberText(call.params, 'arguments') ?? '{}');
    if (request.kind === 'batch') {
      const message = "Call one operation at a time: send 'operation' and 'params'.";
      throw new ProtocolError('VALIDATION_INVALID_TYPE', message);
    }
    const { operation, params } = request.item;
    const seen = source.operations(call.sight).map((each) => each.name);
    if (!seen.includes(operation)) throw unknownOperation(operation, seen, ADVICE);
    return sendInner(source, operation, params, call, ADVICE);
  }
}

function createFinder(operations: readonly SourceOperation[]): (call: Call) => Reply {
  const known = operations.map((operation) => {
    const { title = '', ...definition } = readDefinition(operation.item);
    return { ...definition, name: operation.name, text: `${title} ${definition.description}` };
  });
  const search = createSearch(known);
  return function find(call) {
    const given = JSON.parse(memberText(call.params, 'arguments') ?? '{}') as Given;
    const { query = '', limit = DEFAULT_RESULTS, format = 'compact' } = given;
    if (typeof query !== 'string') {
      const message = "Parameter 'query' must be text: what you want to do, in words.";
      throw new ProtocolError('VALIDATION_INVALID_TYPE', message, { param_name: 'query' });
    }
    if (query.trim() === '') return answerOf({ names: known.map((each) => each.name) });
    const count = Math.min(Math.max(1, Number(limit) || DEFAULT_RESULTS), MAX_RESULTS);
    const found = search(query).slice(0, count);
    return answerOf({
      operations: found.map(({ name, description, parameters, definitions }) =>
        format === 'full'
          ? { name, description, parameters, ...(definitions === undefined ? {} : { definitions }) }
          : name + signatureOf({ description, parameters }),
      ),
      total: known.length,
    });
  };
}

interface Given {
  readonly query?: unknown;
  readonly limit?: unknown;
  readonly format?: unknown;
}

async function guarded(answer: () => Reply | Promise<Reply>): Promise<Reply> {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return envelopeReply(JSON.stringify(failure(error)), true);
  }
}

function answerOf(data: unknown): Reply {
  return resultOf({ content: [{ type: 'text', text: JSON.stringify(data) }] });
}

interface Definition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly annotations: HintSet;
}

function itemOf(displayName: string, definition: Definition): Item {
  const title = toolTitle({ displayName, title: definition.title })!;
  return { name: definition.name, json: JSON.stringify(withTitle(definition, title)) };
}

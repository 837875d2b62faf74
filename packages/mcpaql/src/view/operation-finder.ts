/** The tool `find` of a view: searches operations by words, best first, with their parameters. */

import { type Call, type Reply, resultOf } from '@callsign/core';
import { createSearch, type Search } from '@callsign/core/search';
import { type Risk, riskOf, RISKS } from '@callsign/effects';

import { NOTHING_FOUND } from '../introspect/nothing-found.js';
import { signatureOf } from '../introspect/signature.js';
import { ProtocolError } from '../protocol/protocol-error.js';
import type { SourceOperation } from './operation-source.js';
import { readDefinition, type ToolDefinition } from './tool-definition.js';

const DEFAULT_RESULTS = 5;
const MAX_RESULTS = 25;

export const FIND_INPUT: object = {
  type: 'object',
  properties: {
    query: {
      type: 'string',
      description:
        'Keywords that its name or description may have, such as "delete branch"; empty for an overview.',
    },
    limit: { type: 'integer', minimum: 1, maximum: MAX_RESULTS, default: DEFAULT_RESULTS },
    label: {
      type: 'string',
      enum: RISKS,
      description: 'Only operations with this label.',
    },
    format: { type: 'string', enum: ['compact', 'full'], default: 'compact' },
  },
};

interface Known extends ToolDefinition {
  readonly operation: SourceOperation;
}

/** The index is built at the first search. */
export function createFinder(operations: readonly SourceOperation[]): (call: Call) => Reply {
  let search: Search<Known> | undefined;
  return function find(call) {
    const { query, count, label, isFull } = readQuestion(call);
    const isWanted = ({ hints }: SourceOperation): boolean => {
      return label === undefined || riskOf(hints) === label;
    };
    if (query.trim() === '') return answerOf(overview(operations.filter(isWanted)));
    search ??= searchOver(operations);
    const matching = search(query).filter(({ thing }) => isWanted(thing.operation));
    const found = matching.slice(0, count);
    return answerOf({
      operations: found.map(({ thing }) => (isFull ? fullOf(thing) : lineOf(thing))),
      total: operations.length,
      ...(found.length === 0 ? { hint: adviceFor(label) } : {}),
    });
  };
}

function adviceFor(label: Risk | undefined): string {
  const wider = label === undefined ? '' : " Or leave out 'label'.";
  return `${NOTHING_FOUND}${wider} An empty query gives an overview.`;
}

/** The names of one server. For several servers, only the counts: all names would be too many. */
function overview(operations: readonly SourceOperation[]): object {
  const counts = countByServer(operations);
  if (counts.size < 2) return { names: operations.map(({ name }) => name) };
  return { servers: Object.fromEntries(counts), total: operations.length };
}

/** In the order of the servers. */
export function countByServer(operations: readonly SourceOperation[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { ref } of operations) counts.set(ref.server, (counts.get(ref.server) ?? 0) + 1);
  return counts;
}

function searchOver(operations: readonly SourceOperation[]): Search<Known> {
  const known = operations.map((operation) => ({
    operation,
    ...readDefinition(operation.item),
  }));
  return createSearch(known, ({ operation, title = '', description, parameters }) => {
    const { ref, hints } = operation;
    const reads = riskOf(hints) === 'read';
    return { name: ref.tool, server: ref.server, title, description, parameters, reads };
  });
}

interface Question {
  readonly query: string;
  readonly count: number;
  readonly label: Risk | undefined;
  readonly isFull: boolean;
}

function readQuestion(call: Call): Question {
  const given = JSON.parse(call.argumentsJson ?? '{}') as Record<string, unknown>;
  const { query = '', limit = DEFAULT_RESULTS, label, format = 'compact' } = given;
  if (typeof query !== 'string') {
    const message = 'Parameter \'query\' must be text: keywords, such as "delete branch".';
    throw new ProtocolError('VALIDATION_INVALID_TYPE', message, { param_name: 'query' });
  }
  const wanted = RISKS.find((risk) => risk === label);
  if (label !== undefined && wanted === undefined) {
    const message = `Parameter 'label' must be one of ${RISKS.join(', ')}.`;
    throw new ProtocolError('VALIDATION_INVALID_ENUM', message, { param_name: 'label' });
  }
  const count = Math.min(Math.max(1, Number(limit) || DEFAULT_RESULTS), MAX_RESULTS);
  return { query, count, label: wanted, isFull: format === 'full' };
}

function lineOf({ operation, description, parameters }: Known): string {
  return operation.name + signatureOf({ description, parameters });
}

function fullOf({ operation, description, parameters, definitions }: Known): object {
  const { name } = operation;
  return { name, description, parameters, ...(definitions === undefined ? {} : { definitions }) };
}

function answerOf(data: unknown): Reply {
  return resultOf({ content: [{ type: 'text', text: JSON.stringify(data) }] });
}

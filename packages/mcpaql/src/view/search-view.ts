/** Shows one server or many as two tools: one finds operations by words, the other calls one. */

import { type Call, type Item, type Reply, type Source } from '@callsign/core';
import { type HintSet, READ_ONLY_DEFAULT, toolTitle, withTitle } from '@callsign/effects';
import { displayName as displayNameOf } from '@callsign/naming';

import { exposedNames } from '../dispatch/exposed-names.js';
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
import { countByServer, createFinder, FIND_INPUT } from './operation-finder.js';
import type { OperationSource, SourceOperation } from './operation-source.js';
import { refuseInner, sendInner } from './send-inner.js';

/** The server or servers that a view shows. */
export interface SearchViewOptions {
  /** The server's key, or ours for a view over all servers. */
  readonly name: string;
  readonly displayName?: string;
  /** The display name of a server. Default: derived from its key. */
  readonly serverName?: (server: string) => string | undefined;
}

/** A Source with two tools. It follows the changes of its servers until it is closed. */
export interface SearchView extends Source {
  close(): void;
}

interface Search extends Derived {
  readonly find: (call: Call) => Reply;
}

const FIND_TOOL = 'find';
const CALL_TOOL = 'call';
const TOOL_NAMES: ReadonlyMap<string, string> = new Map(
  [FIND_TOOL, CALL_TOOL].map((name) => [name, name]),
);
/** Some models refuse longer descriptions, and some clients cut them. */
const MAX_CONTENTS = 960;

const CALL_INPUT = {
  type: 'object',
  properties: {
    operation: { type: 'string', description: 'A name that find gave.' },
    params: { type: 'object', additionalProperties: true },
  },
  required: ['operation'],
};

/** Without any operation there are no tools, so that a model does not search for nothing. */
export function createSearchView(source: OperationSource, options: SearchViewOptions): SearchView {
  const { name, displayName = displayNameOf(name), serverName = () => undefined } = options;
  const derived: DerivedSource<Search> = deriveSource(source, (operations) => {
    const find = createFinder(operations);
    return { find, tools: operations.length === 0 ? [] : toolsFor(operations) };
  });
  return derived;

  function toolsFor(operations: readonly SourceOperation[]): readonly ToolRoute[] {
    const find = itemOf(displayName, {
      name: FIND_TOOL,
      title: 'Find',
      description: `Finds operations and their parameters. ${contentsOf(operations)}`,
      inputSchema: FIND_INPUT,
      annotations: READ_ONLY_DEFAULT,
    });
    const call = itemOf(displayName, {
      name: CALL_TOOL,
      title: 'Call',
      description: `Calls one operation that the tool ${FIND_TOOL} gave.`,
      inputSchema: CALL_INPUT,
      annotations: worstHints(operations),
    });
    return [
      { item: find, send: (asked) => guarded(() => findSome(asked)) },
      { item: call, send: (asked) => guarded(() => callOne(asked)) },
    ];
  }

  /**
   * Lists the servers in the description: a model has no other way to know what it can search for.
   */
  function contentsOf(operations: readonly SourceOperation[]): string {
    const servers = Array.from(countByServer(operations), ([key, count]) => {
      const called = key === name ? displayName : displayNameOf(key, serverName(key));
      return `${called} (${count})`;
    });
    const text = `There are, by server: ${servers.join(', ')}.`;
    return text.length <= MAX_CONTENTS ? text : `${text.slice(0, MAX_CONTENTS - 1)}…`;
  }

  async function findSome(call: Call): Promise<Reply> {
    await source.whenListed?.(call.caller.client);
    return derived.current(call.sight).find(call);
  }

  async function callOne(call: Call): Promise<Reply> {
    const request = parseRequest(call.argumentsJson ?? '{}');
    if (request.kind === 'batch') {
      const message = "Call one operation at a time: send 'operation' and 'params'.";
      throw new ProtocolError('VALIDATION_INVALID_TYPE', message);
    }
    const { operation, params } = request.item;
    const names = (): readonly string[] => source.operations(call.sight).map((each) => each.name);
    let seen = names();
    if (!seen.includes(operation)) {
      // Its server may still be starting.
      await source.whenKnown?.(operation);
      seen = names();
    }
    const advice = `Look it up with ${exposedNames(call, TOOL_NAMES, CALL_TOOL).get(FIND_TOOL)}.`;
    if (!seen.includes(operation)) {
      const refused = refuseInner(source, operation, params, call);
      if (refused) return refused;
      throw unknownOperation(operation, seen, advice);
    }
    return sendInner(source, operation, params, call, advice);
  }
}

async function guarded(answer: () => Reply | Promise<Reply>): Promise<Reply> {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return envelopeReply(JSON.stringify(failure(error)), true);
  }
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

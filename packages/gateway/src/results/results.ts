/**
 * Changes results before clients get them, if the settings say so: secrets are removed, and long results are stored and
 * replaced by a preview. The gateway's tool `read_result` and a resource read what is stored.
 */

import {
  type Call,
  type Caller,
  CallsignError,
  type Log,
  type Module,
  type Reply,
  resultOf,
  toolErrorOf,
} from '@callsign/core';
import { READ_ONLY_DEFAULT } from '@callsign/effects';
import { OWN_SERVER_KEY } from '@callsign/naming';
import { RESULT_ID_PREFIX, type SessionRouting } from '@callsign/wire';
import { ownerOf } from '@callsign/wire/extensions';

import { hasPreviews, previewLimit, type ResultSettings } from '../config/result-settings.js';
import type { OwnTool } from '../own-tools/own-tools.js';
import { idIn, previewOf, readableText, URI_TEMPLATE } from './result-preview.js';
import { partsOf } from './result-parts.js';
import { askResult } from './result-thread.js';
import { checkedForSecrets } from './secret-results.js';
import { StoredResults, type StoredResult } from './stored-results.js';

export interface ResultsOptions {
  readonly settings: () => ResultSettings;
  /** The folder of all stored results. */
  readonly folder: string;
  readonly log: Log;
  /** The profile of a client. */
  readonly profileOf: (client: Caller['client']) => string;
  /** Whether a caller may call `read_result`. Without it, a preview would lose the rest. */
  readonly mayRead: (caller: Caller) => boolean;
  /** Marks the ids of stateless clients, whose next request may reach another instance. Default: there is one. */
  readonly routing?: SessionRouting | undefined;
}

export const READ_RESULT = 'read_result';
/** The most characters of an answer, for a client without a limit. */
const MOST = 50_000;
const MAX_EXPRESSION = 10_000;

const UNKNOWN =
  'No result is stored for you under this id: it has expired, or the id is wrong. Call the tool again that gave it.';
const ONE_OF = 'Give exactly one of "range", "lines" and "jmespath".';

const INPUT = {
  type: 'object',
  properties: {
    id: { type: 'string', description: 'The id from the preview.' },
    range: pair('The first character, from 0, and the one after the last.'),
    lines: pair('The first and the last line, from 1.'),
    jmespath: {
      type: 'string',
      description:
        'A JMESPath expression over the JSON of the result, such as "items[?size > `10`].name".',
    },
  },
  required: ['id'],
  additionalProperties: false,
};

export class Results {
  readonly #options: ResultsOptions;
  readonly #stored: StoredResults;
  /** The tool that reads on. */
  readonly tool: OwnTool;
  /** Innermost but for the limits on one attempt: records say what the client got. */
  readonly module: Module<ResultSettings>;

  constructor(options: ResultsOptions) {
    this.#options = options;
    this.#stored = new StoredResults(options);
    this.tool = {
      name: READ_RESULT,
      title: 'Read Result',
      description:
        'Reads on in a long result of another tool, of which you got a preview with an id. Give the id and one of range, lines and jmespath.',
      inputSchema: INPUT,
      annotations: READ_ONLY_DEFAULT,
      isOn: (profile) =>
        profile === undefined ? hasPreviews(options.settings()) : this.shortens(profile),
      call: (call) => this.#read(call),
      resource: {
        uriTemplate: URI_TEMPLATE,
        title: 'Stored Result',
        description: 'A long result of a tool, whole.',
        read: (call) => this.#readWhole(call),
      },
    };
    this.module = {
      name: 'results',
      create: ({ settings }) =>
        settings.secrets === 'off' && !hasPreviews(settings)
          ? undefined
          : { intercept: async (call, next) => this.passed(call, await next()) },
    };
  }

  /** Whether clients with a profile get previews of long results. */
  shortens(profile: string): boolean {
    return previewLimit(this.#options.settings(), profile) !== undefined;
  }

  /** What the client gets for a result. Also for results that come later, as those of tasks. */
  async passed(call: Call, reply: Reply): Promise<Reply> {
    // What we give out ourselves was checked when it was stored.
    if (call.target?.ref.server === OWN_SERVER_KEY) return reply;
    const checked = this.#checked(call, reply);
    // A program works on the whole result.
    const isForModel = call.target?.kind === 'tool' && !call.context.script;
    return isForModel ? this.#shortened(call, checked) : checked;
  }

  close(): void {
    this.#stored.close();
  }

  #checked(call: Call, reply: Reply): Reply {
    const { settings, log } = this.#options;
    const { secrets } = settings();
    if (secrets === 'off') return reply;
    const { json, count } = checkedForSecrets(reply.json);
    if (count === 0) return reply;
    const tool = call.target!.canonical;
    const what = `${count === 1 ? 'a value that looks' : `${count} values that look`} like a secret`;
    const done = { log: '', mask: ' They were masked.', block: ' It was not passed on.' }[secrets];
    log('warning', `The result of ${tool} contains ${what}.${done}`);
    if (secrets === 'log') return reply;
    if (secrets === 'mask') return { ...reply, json };
    const error = new CallsignError('result-blocked', { tool });
    if (call.target!.kind !== 'tool') throw error;
    return { ...toolErrorOf(error.message), fault: error };
  }

  async #shortened(call: Call, reply: Reply): Promise<Reply> {
    const { settings, profileOf, mayRead } = this.#options;
    const limit = previewLimit(settings(), profileOf(call.caller.client));
    if (limit === undefined || !reply.ok || reply.isDryRun || reply.json.length <= limit)
      return reply;
    const parts = partsOf(reply.json);
    if (!parts || parts.text.length + (parts.data?.length ?? 0) <= limit) return reply;
    if (!mayRead(call.caller)) return reply;
    const result: StoredResult = { text: readableText(parts), data: parts.data };
    const owner = resultOwner(call.caller);
    const stored = await this.#stored.add(owner, result);
    if (stored === undefined) return reply;
    const id = this.#idFor(call.caller, stored);
    const shape = await shapeIn(owner, parts.data ?? parts.text, limit);
    return previewOf(reply, { id, parts, shape, limit, keepMs: settings().keepMs });
  }

  #idFor({ era }: Caller, stored: string): string {
    const { routing } = this.#options;
    return routing && era === 'stateless' ? `${RESULT_ID_PREFIX}${routing.mark(stored)}` : stored;
  }

  #find(caller: Caller, id: string): Promise<StoredResult | undefined> {
    const { routing } = this.#options;
    const isMarked = routing && id.startsWith(RESULT_ID_PREFIX);
    const stored = isMarked ? routing.open(id.slice(RESULT_ID_PREFIX.length))?.text : id;
    return this.#stored.find(resultOwner(caller), stored ?? id);
  }

  async #read({ caller, arguments: given }: Call): Promise<Reply> {
    const { id, range, lines, jmespath, ...others } = (given ?? {}) as Record<string, unknown>;
    const asked = [range, lines, jmespath].filter((each) => each !== undefined);
    if (typeof id !== 'string') return toolErrorOf('Give the "id" from the preview.');
    if (asked.length !== 1 || Object.keys(others).length > 0) return toolErrorOf(ONE_OF);
    const { settings, profileOf } = this.#options;
    const most = previewLimit(settings(), profileOf(caller.client)) ?? MOST;
    const result = await this.#find(caller, id);
    if (!result) return toolErrorOf(UNKNOWN);
    if (range !== undefined) return rangeOf(result.text, range, most);
    if (lines !== undefined) return linesOf(result.text, lines, most);
    if (typeof jmespath !== 'string' || jmespath.length > MAX_EXPRESSION)
      return toolErrorOf(`"jmespath" must be a text of at most ${MAX_EXPRESSION} characters.`);
    return answerOf(resultOwner(caller), result, jmespath, most);
  }

  async #readWhole(call: Call): Promise<Reply> {
    const uri = call.nameForServer ?? call.name;
    if (call.method !== 'resources/read')
      throw new CallsignError('method-not-found', { method: call.method });
    const result = await this.#find(call.caller, idIn(uri));
    if (!result) throw new CallsignError('resource-not-found', { uri });
    const mimeType = result.data === undefined ? 'text/plain' : 'application/json';
    return resultOf({ contents: [{ uri, mimeType, text: result.data ?? result.text }] });
  }
}

/** The one who may read a result. A caller without a credential may only in its own session. */
function resultOwner(caller: Caller): string {
  const owner = ownerOf(caller);
  return owner === '' && caller.era === 'session' ? `\nsession:${caller.id}` : owner;
}

/** `undefined`: it is no JSON. */
async function shapeIn(owner: string, json: string, most: number): Promise<string | undefined> {
  if (!/^\s*[[{]/.test(json)) return undefined;
  const found = await askResult(owner, { json, most });
  if (!found.isJson) return undefined;
  return 'text' in found ? found.text : 'not known';
}

function pair(description: string): object {
  return { type: 'array', items: { type: 'integer' }, minItems: 2, maxItems: 2, description };
}

function pairIn(value: unknown, least: number): readonly [number, number] | undefined {
  if (!Array.isArray(value) || value.length !== 2) return undefined;
  const [first, last] = value as [unknown, unknown];
  if (!Number.isSafeInteger(first) || !Number.isSafeInteger(last)) return undefined;
  return (first as number) >= least && (last as number) >= (first as number)
    ? [first as number, last as number]
    : undefined;
}

function rangeOf(text: string, given: unknown, most: number): Reply {
  const range = pairIn(given, 0);
  if (!range)
    return toolErrorOf('"range" must be two whole numbers, the first not above the second.');
  const start = Math.min(range[0], text.length);
  const end = Math.min(range[1], text.length, start + most);
  const next =
    end < text.length
      ? ` The next part: "range": [${end}, ${Math.min(end + most, text.length)}].`
      : '';
  return answer(text.slice(start, end), `Characters ${start} to ${end} of ${text.length}.${next}`);
}

function linesOf(text: string, given: unknown, most: number): Reply {
  const range = pairIn(given, 1);
  if (!range)
    return toolErrorOf('"lines" must be two whole numbers from 1, the first not above the second.');
  const all = text.split('\n');
  const [first, last] = [range[0], Math.min(range[1], all.length)];
  const part = all.slice(first - 1, last).join('\n');
  const isCut = part.length > most;
  const note = `Lines ${first} to ${last} of ${all.length}.`;
  const advice = isCut
    ? ` Only the first ${most} characters of them: ask for fewer lines, or for a range.`
    : '';
  return answer(part.slice(0, most), note + advice);
}

async function answerOf(
  owner: string,
  { text, data }: StoredResult,
  expression: string,
  most: number,
): Promise<Reply> {
  const answered = await askResult(owner, { json: data ?? text, expression, most });
  if (!answered.isJson)
    return toolErrorOf('This result is no JSON. Read it by "range" or "lines".');
  if ('problem' in answered)
    return toolErrorOf(`The expression gave no answer: ${answered.problem}`);
  const isCut = answered.length > answered.text.length;
  const note = isCut
    ? `Only the first ${most} of ${answered.length} characters: narrow the expression, such as with [0:20].`
    : 'Everything that the expression finds.';
  return answer(answered.text, note);
}

function answer(text: string, note: string): Reply {
  return resultOf({ content: [text, note].map((each) => ({ type: 'text', text: each })) });
}

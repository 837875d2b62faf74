/** One request for a tool, a prompt or a resource. Immutable; its `context` holds the state. */

import { isProvenRead } from '@callsign/effects';

import { CallContext } from './call-context.js';
import type { Caller } from './caller.js';
import { memberText, membersOf, withMembers } from '../json/json-text.js';
import type { Sight } from './sight.js';
import type { Target } from './target.js';

/**
 * Positions of the name and the progress token in the parameters, quotes included; -1 if absent.
 */
export interface CallSpans {
  readonly nameStart: number;
  readonly nameEnd: number;
  readonly tokenStart: number;
  readonly tokenEnd: number;
}

/** A request as its listener received it. */
export interface CallOptions extends CallSpans {
  readonly method: string;
  /** The parameters as JSON text, exactly as received. */
  readonly params: string;
  /** The tool's or prompt's name, or the resource's URI. */
  readonly name: string;
  /** Its arguments as JSON text. Default: they are looked up when they are needed. */
  readonly argumentsJson?: string | undefined;
  /** Its answers to questions of the server. Used if `argumentsJson` is set. */
  readonly answersJson?: string | undefined;
  readonly caller: Caller;
  /** Default: a new context. */
  readonly context?: CallContext | undefined;
  /** The called item. Missing until a route has found it. */
  readonly target?: Target | undefined;
}

/** Changes for a call that is derived from another. */
export interface CallChanges {
  /** The caller behind another instance, once this instance has checked its credential too. */
  readonly caller?: Caller | undefined;
  readonly target?: Target | undefined;
  /** Other parameters. Name and progress token are found again in them. */
  readonly params?: string | undefined;
  /** The URI for the server, if the client sees another one. */
  readonly nameForServer?: string | undefined;
  /** The resource that is read, if its target is a template. */
  readonly subject?: Target | undefined;
  /** What the caller may see. Set only for tools that show other tools. */
  readonly sight?: Sight | undefined;
  /** Entries for the `_meta` of the request to the server, each as JSON text. */
  readonly carried?: Readonly<Record<string, string>> | undefined;
}

/** Derive changed calls with `with`; never modify one, since interceptors keep references to it. */
export class Call {
  readonly method: string;
  readonly params: string;
  readonly name: string;
  readonly caller: Caller;
  readonly context: CallContext;
  /** The target. Missing until a hub has found it. */
  readonly target: Target | undefined;
  /** Default: the server gets the name from its own route. */
  readonly nameForServer: string | undefined;
  /** The resource that is read, if the target is a template. */
  readonly subject: Target | undefined;
  /** Default: the caller may see everything, or the target shows nothing but itself. */
  readonly sight: Sight | undefined;
  readonly carried: Readonly<Record<string, string>> | undefined;
  readonly #argumentsJson: string | undefined;
  readonly #answersJson: string | undefined;
  readonly #nameStart: number;
  readonly #nameEnd: number;
  readonly #tokenStart: number;
  readonly #tokenEnd: number;

  constructor(options: CallOptions, changes?: CallChanges) {
    this.method = options.method;
    this.params = options.params;
    this.name = options.name;
    this.caller = options.caller;
    this.context = options.context ?? new CallContext();
    this.target = options.target;
    this.nameForServer = changes?.nameForServer;
    this.subject = changes?.subject;
    this.sight = changes?.sight;
    this.carried = changes?.carried;
    this.#argumentsJson = options.argumentsJson;
    this.#answersJson = options.answersJson;
    // Copied one by one and not kept as an object: the garbage collector copies every object that
    // a call in flight refers to.
    this.#nameStart = options.nameStart;
    this.#nameEnd = options.nameEnd;
    this.#tokenStart = options.tokenStart;
    this.#tokenEnd = options.tokenEnd;
  }

  /** This call with changes. Both share one context, so cancelling one cancels the other. */
  with(changes: CallChanges): Call {
    const { method, name, context } = this;
    const caller = changes.caller ?? this.caller;
    const params = changes.params ?? this.params;
    const isSame = changes.params === undefined;
    const argumentsJson = isSame ? this.#argumentsJson : undefined;
    const answersJson = isSame ? this.#answersJson : undefined;
    const spans = isSame
      ? {
          nameStart: this.#nameStart,
          nameEnd: this.#nameEnd,
          tokenStart: this.#tokenStart,
          tokenEnd: this.#tokenEnd,
        }
      : spansIn(params);
    const target = changes.target ?? this.target;
    return new Call(
      { method, params, name, argumentsJson, answersJson, caller, context, target, ...spans },
      {
        nameForServer: changes.nameForServer ?? this.nameForServer,
        subject: changes.subject ?? this.subject,
        sight: changes.sight ?? this.sight,
        carried: changes.carried ?? this.carried,
      },
    );
  }

  /** The arguments as JSON text. Of several, the last counts, as with `JSON.parse`. */
  get argumentsJson(): string | undefined {
    return this.#argumentsJson ?? memberText(this.params, 'arguments');
  }

  /** The arguments, parsed each time. A change of them changes nothing: pass `call.with({ params })` to `next`. */
  get arguments(): unknown {
    const json = this.argumentsJson;
    return json === undefined ? undefined : (JSON.parse(json) as unknown);
  }

  /**
   * All that the caller gives to the server: the arguments, and its answers to questions of the
   * server as one more member, `inputResponses`.
   */
  get givenJson(): string | undefined {
    const { argumentsJson, params } = this;
    const isRead = this.#argumentsJson !== undefined;
    const answers = isRead ? this.#answersJson : memberText(params, 'inputResponses');
    return answers === undefined ? argumentsJson : withAnswers(argumentsJson ?? '{}', answers);
  }

  /** Whether its label proves that it only reads. */
  get isProvenRead(): boolean {
    return this.target !== undefined && isProvenRead(this.target.hints);
  }

  /** Whether the client sent a progress token. */
  get wantsProgress(): boolean {
    return this.#tokenStart !== -1;
  }

  /**
   * The parameters for the server: with another name (JSON text) and progress token, and with the
   * `carried` entries in `_meta`. All other characters stay the same. `name` unset:
   * `nameForServer`, or else the caller's.
   */
  paramsWith(name: string | undefined, tokenJson: string): string {
    const spliced = this.#spliced(name, tokenJson);
    if (!this.carried || !spliced.startsWith('{')) return spliced;
    const meta = memberText(spliced, '_meta') ?? '{}';
    return meta.startsWith('{')
      ? withMembers(spliced, { _meta: withMembers(meta, this.carried) })
      : spliced;
  }

  #spliced(name: string | undefined, tokenJson: string): string {
    const { params, nameForServer } = this;
    const [nameStart, nameEnd] = [this.#nameStart, this.#nameEnd];
    const [tokenStart, tokenEnd] = [this.#tokenStart, this.#tokenEnd];
    const nameJson =
      name ?? (nameForServer === undefined ? undefined : JSON.stringify(nameForServer));
    const putName = nameJson !== undefined && nameStart !== -1;
    if (tokenStart === -1) {
      return putName ? params.slice(0, nameStart) + nameJson + params.slice(nameEnd) : params;
    }
    if (!putName) return params.slice(0, tokenStart) + tokenJson + params.slice(tokenEnd);
    return nameStart < tokenStart
      ? params.slice(0, nameStart) +
          nameJson +
          params.slice(nameEnd, tokenStart) +
          tokenJson +
          params.slice(tokenEnd)
      : params.slice(0, tokenStart) +
          tokenJson +
          params.slice(tokenEnd, nameStart) +
          nameJson +
          params.slice(nameEnd);
  }
}

/** Nothing is replaced: if there is such an argument, both are there. */
function withAnswers(argumentsJson: string, answers: string): string {
  const answered = `"inputResponses":${answers}}`;
  const own = argumentsJson.trim();
  if (!own.startsWith('{')) return `{"arguments":${own},${answered}`;
  const members = own.slice(0, -1).trimEnd();
  return members === '{' ? `{${answered}` : `${members},${answered}`;
}

/**
 * Finds the name or URI and the progress token. Only for calls that we make or change ourselves:
 * the wire finds them while it reads a message.
 */
export function spansIn(params: string): CallSpans {
  const members = membersOf(params);
  const name = members?.get('name') ?? members?.get('uri');
  const meta = members?.get('_meta');
  const token = meta && membersOf(params.slice(meta.start, meta.end))?.get('progressToken');
  return {
    nameStart: name?.start ?? -1,
    nameEnd: name?.end ?? -1,
    tokenStart: token ? meta.start + token.start : -1,
    tokenEnd: token ? meta.start + token.end : -1,
  };
}

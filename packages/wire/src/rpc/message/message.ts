/** One JSON-RPC message, scanned once for the fields that route it. The rest stays text. */

import { JsonScan, MAX_DEPTH, MAX_MEMBERS, NO_MORE, NOWHERE } from '@callsign/core';

/** A request, a notification or an answer. */
export interface Message {
  /** The id as JSON text, so that `1`, `"1"` and `1.0` stay distinct. */
  readonly id: string | undefined;
  readonly method: string | undefined;
  /** Parameters as text; `undefined` if there are none. */
  readonly params: string | undefined;
  readonly result: string | undefined;
  readonly error: string | undefined;
  /**
   * Positions within `params`; -1 if absent. Tools and prompts are called by `name`, resources by
   * `uri`.
   */
  readonly nameStart: number;
  readonly nameEnd: number;
  readonly uriStart: number;
  readonly uriEnd: number;
  readonly tokenStart: number;
  readonly tokenEnd: number;
  readonly metaStart: number;
  readonly metaEnd: number;
  readonly argumentsStart: number;
  readonly argumentsEnd: number;
  /** The answers to questions of the server. Stateless clients send them with the call. */
  readonly answersStart: number;
  readonly answersEnd: number;
  /** Whether it says `"jsonrpc": "2.0"`. Servers may leave it out; clients may not. */
  readonly hasVersion: boolean;
  /** Whether its id is `null`, which counts as no id. */
  readonly hasNullId: boolean;
}

/**
 * Keys that differ from ours only in case. Some servers ignore case and would read another name
 * than we do, so such messages are refused.
 */
const LOOK_ALIKE = /^(?:name|uri|arguments|inputResponses|requestState|_meta)$/iu;
const OPEN_BRACE = 123;
const QUOTE = 34;
const TOOLS_CALL = 'tools/call';
const TOOLS_CALL_JSON = `"${TOOLS_CALL}"`;

/**
 * Reads one message; `undefined` if the text is not one JSON object that can be routed. A duplicate
 * routing key is refused, since we and the receiver might read different ones. `ends`: the ends of
 * long values, if known.
 */
export function readMessage(text: string, ends?: ReadonlyMap<number, number>): Message | undefined {
  const read = readWithin(text, ends);
  return typeof read === 'string' ? undefined : read;
}

/** Reads one message, or names the limit that the text exceeds. Nothing is read after that. */
export function readWithin(
  text: string,
  ends?: ReadonlyMap<number, number>,
): Message | string | undefined {
  const scan = new JsonScan(text, ends);
  const read = new Reading();
  let at = scan.firstMember(scan.skipSpace(0));
  while (at >= 0) at = scan.nextMember(read.member(scan, at));
  if (scan.isTooDeep) return `it is nested more than ${MAX_DEPTH} levels deep`;
  if (read.hasTooMany) return `it, "params" or "_meta" has more than ${MAX_MEMBERS} members`;
  if (at !== NO_MORE || scan.skipSpace(scan.objectEnd) !== text.length) return undefined;
  const isMessage =
    read.method !== undefined || read.result !== undefined || read.error !== undefined;
  return isMessage ? read : undefined;
}

/** The value of a JSON string. */
export function stringAt(text: string, start: number, end: number): string {
  const inner = text.slice(start + 1, end - 1);
  return inner.includes('\\') ? (JSON.parse(`"${inner}"`) as string) : inner;
}

/**
 * A message while it is read. Each method reads a value and returns its end, or `NOWHERE`. A class
 * with all fields from the start keeps one shape, which is faster.
 */
class Reading implements Message {
  id: string | undefined = undefined;
  method: string | undefined = undefined;
  params: string | undefined = undefined;
  result: string | undefined = undefined;
  error: string | undefined = undefined;
  nameStart: number = NOWHERE;
  nameEnd: number = NOWHERE;
  uriStart: number = NOWHERE;
  uriEnd: number = NOWHERE;
  tokenStart: number = NOWHERE;
  tokenEnd: number = NOWHERE;
  metaStart: number = NOWHERE;
  metaEnd: number = NOWHERE;
  argumentsStart: number = NOWHERE;
  argumentsEnd: number = NOWHERE;
  answersStart: number = NOWHERE;
  answersEnd: number = NOWHERE;
  hasVersion = false;
  hasNullId = false;
  /** Whether an object had more members than are read. */
  hasTooMany = false;
  #hasId = false;
  #members = 0;

  member(scan: JsonScan, start: number): number {
    const { key, text } = scan;
    if (++this.#members > MAX_MEMBERS) return this.#tooMany();
    if (key === 'params') return this.params === undefined ? this.#params(scan, start) : NOWHERE;
    const end = scan.skipValue(start);
    if (end === NOWHERE) return NOWHERE;
    switch (key) {
      case 'jsonrpc':
        // Another version is another protocol.
        this.hasVersion = text.slice(start, end) === '"2.0"';
        return this.hasVersion ? end : NOWHERE;
      case 'id':
        if (this.#hasId) return NOWHERE;
        this.#hasId = true;
        this.hasNullId = text.charCodeAt(start) === 110;
        if (!this.hasNullId) this.id = text.slice(start, end);
        return end;
      case 'method':
        if (this.method !== undefined || text.charCodeAt(start) !== QUOTE) return NOWHERE;
        // Nearly all requests are this one. A constant has its hash already, for every later look-up.
        this.method = text.startsWith(TOOLS_CALL_JSON, start)
          ? TOOLS_CALL
          : stringAt(text, start, end);
        return end;
      case 'result':
        if (this.result !== undefined) return NOWHERE;
        this.result = text.slice(start, end);
        return end;
      case 'error':
        if (this.error !== undefined) return NOWHERE;
        this.error = text.slice(start, end);
        return end;
      default:
        return end;
    }
  }

  /** Positions are relative to the start of the parameters. */
  #params(scan: JsonScan, start: number): number {
    const { text } = scan;
    let end = NOWHERE;
    if (text.charCodeAt(start) !== OPEN_BRACE) end = scan.skipValue(start);
    else {
      let at = scan.firstMember(start);
      let members = 0;
      while (at >= 0)
        at =
          ++members > MAX_MEMBERS ? this.#tooMany() : scan.nextMember(this.#param(scan, at, start));
      if (at === NO_MORE) end = scan.objectEnd;
    }
    if (end !== NOWHERE) this.params = text.slice(start, end);
    return end;
  }

  #param(scan: JsonScan, start: number, from: number): number {
    const { key } = scan;
    if (key === '_meta') {
      if (this.metaStart !== NOWHERE) return NOWHERE;
      const end = this.#meta(scan, start, from);
      this.metaStart = start - from;
      this.metaEnd = end - from;
      return end;
    }
    const end = scan.skipValue(start);
    if (key === 'name') {
      if (this.nameStart !== NOWHERE) return NOWHERE;
      this.nameStart = start - from;
      this.nameEnd = end - from;
    } else if (key === 'uri') {
      if (this.uriStart !== NOWHERE) return NOWHERE;
      this.uriStart = start - from;
      this.uriEnd = end - from;
    } else if (key === 'arguments') {
      if (this.argumentsStart !== NOWHERE) return NOWHERE;
      this.argumentsStart = start - from;
      this.argumentsEnd = end - from;
    } else if (key === 'inputResponses') {
      if (this.answersStart !== NOWHERE) return NOWHERE;
      this.answersStart = start - from;
      this.answersEnd = end - from;
    } else if (key !== 'requestState' && LOOK_ALIKE.test(key)) return NOWHERE;
    return end;
  }

  #meta(scan: JsonScan, start: number, from: number): number {
    if (scan.text.charCodeAt(start) !== OPEN_BRACE) return scan.skipValue(start);
    let at = scan.firstMember(start);
    let members = 0;
    while (at >= 0) {
      if (++members > MAX_MEMBERS) return this.#tooMany();
      const isToken = scan.key === 'progressToken';
      const end = scan.skipValue(at);
      if (isToken) {
        if (this.tokenStart !== NOWHERE) return NOWHERE;
        this.tokenStart = at - from;
        this.tokenEnd = end - from;
      }
      at = scan.nextMember(end);
    }
    return at === NO_MORE ? scan.objectEnd : NOWHERE;
  }

  #tooMany(): number {
    this.hasTooMany = true;
    return NOWHERE;
  }
}

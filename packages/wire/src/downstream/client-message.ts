/** Parses a client's message strictly. Says what is wrong with a message that is refused. */

import { elementsOf, isObject } from '@callsign/core';

import { type Message, readWithin } from '../rpc/message/message.js';
import {
  errorJson,
  INVALID_PARAMS,
  INVALID_REQUEST,
  PARSE_ERROR,
} from '../rpc/message/rpc-error.js';
import { errorText } from '../rpc/message/rpc-text.js';
import { EDGE, requestId } from '../rpc/stream/edge-id.js';

/** Messages in a batch. */
const MAX_BATCH = 100;
const QUOTE = 34;
const MINUS = 45;
const ZERO = 48;
const NINE = 57;
const OPEN_BRACE = 123;
/** Some systems write it before a text. */
const BYTE_ORDER_MARK = '\ufeff';

/** A text that is refused, and why. */
export class BadMessage {
  /** The id of the message as JSON text; `undefined` if it cannot be found. */
  readonly id: string | undefined;
  readonly code: number;
  readonly message: string;
  /** A notification never gets a reply, even if it is wrong. */
  readonly isNotification: boolean;

  constructor(code: number, message: string, id?: string, isNotification: boolean = false) {
    this.code = code;
    this.message = message;
    this.id = id;
    this.isNotification = isNotification;
  }

  /** The reply to the client. */
  get reply(): string {
    return errorText(this.id, errorJson(this.code, this.message));
  }
}

/** `ends`: the ends of long values, if known. */
export function readClientMessage(
  text: string,
  ends?: ReadonlyMap<number, number>,
): Message | BadMessage {
  const json = withoutMark(text);
  const message = readWithin(json, json === text ? ends : undefined);
  if (typeof message === 'string') return beyond(message, json);
  return message && isStrict(message) ? message : whatIsWrong(json);
}

/** For a message beyond a limit. Parsing all of it could take a second. */
function beyond(limit: string, json: string): BadMessage {
  const id = requestId(json.slice(0, EDGE), json.slice(-EDGE));
  return new BadMessage(INVALID_REQUEST, `Invalid Request: ${limit}`, id);
}

/**
 * The texts of the messages in a batch, an array that clients of version 2025-03-26 may send.
 * `undefined`: the text is not a batch.
 */
export function batchIn(text: string): readonly string[] | BadMessage | undefined {
  // A byte order mark counts as white space here.
  if (text.charCodeAt(0) === OPEN_BRACE || !text.trimStart().startsWith('[')) return undefined;
  const elements = elementsOf(withoutMark(text));
  if (!elements) return new BadMessage(PARSE_ERROR, 'Parse error: the text is not valid JSON');
  if (elements.length > 0 && elements.length <= MAX_BATCH) return elements;
  const limits = `Invalid Request: a batch has 1 to ${MAX_BATCH} messages`;
  return new BadMessage(INVALID_REQUEST, limits);
}

function withoutMark(text: string): string {
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

/** For a message over the limit. `id` is JSON text, if it is known. */
export function tooLong(maxBytes: number, id?: string): BadMessage {
  const message = `Invalid Request: a message may have at most ${maxBytes} bytes`;
  return new BadMessage(INVALID_REQUEST, message, id);
}

function isStrict({ hasVersion, hasNullId, id, method, params }: Message): boolean {
  // An error without an id is the client's answer to one of our messages that it could not read.
  const hasGoodId = id === undefined ? !hasNullId || method === undefined : isId(id);
  // Some clients write `null` if they have no parameters.
  const hasGoodParams = params === undefined || params.startsWith('{') || params === 'null';
  return hasVersion && hasGoodId && hasGoodParams;
}

/** Whether it is a string or a number. `id` is valid JSON. */
function isId(id: string): boolean {
  const first = id.charCodeAt(0);
  return first === QUOTE || first === MINUS || (first >= ZERO && first <= NINE);
}

/** Parses the whole text. Only for messages that are refused. */
function whatIsWrong(json: string): BadMessage {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return new BadMessage(PARSE_ERROR, 'Parse error: the text is not valid JSON');
  }
  if (!isObject(value)) {
    return new BadMessage(INVALID_REQUEST, 'Invalid Request: a message is a JSON object');
  }
  const { jsonrpc, id, method, params } = value;
  const isGoodId = typeof id === 'string' || (typeof id === 'number' && Number.isFinite(id));
  const known = isGoodId ? JSON.stringify(id) : undefined;
  const isNotification = jsonrpc === '2.0' && id === undefined && typeof method === 'string';
  const invalid = (what: string): BadMessage =>
    new BadMessage(INVALID_REQUEST, `Invalid Request: ${what}`, known, isNotification);
  if (jsonrpc !== '2.0') return invalid('"jsonrpc" must be "2.0"');
  if (id !== undefined && !isGoodId) return invalid('"id" must be a string or a number');
  if (typeof method !== 'string') return invalid('"method" must be a string');
  if (Array.isArray(params)) {
    const wrong = 'Invalid params: "params" must be an object';
    return new BadMessage(INVALID_PARAMS, wrong, known, isNotification);
  }
  if (params !== undefined && typeof params !== 'object') {
    return invalid('"params" must be an object');
  }
  return invalid('one of its keys occurs twice or in another case');
}

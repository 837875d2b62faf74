/** Parses a client's message strictly. Says what is wrong with a message that is refused. */

import { isObject } from '@callsign/core';

import { type Message, readMessage } from '../rpc/message/message.js';
import {
  errorJson,
  INVALID_PARAMS,
  INVALID_REQUEST,
  PARSE_ERROR,
} from '../rpc/message/rpc-error.js';
import { errorText } from '../rpc/message/rpc-text.js';

const QUOTE = 34;
const MINUS = 45;
const ZERO = 48;
const NINE = 57;
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

/** `hasControl` and `ends` as for any message. */
export function readClientMessage(
  text: string,
  hasControl?: boolean,
  ends?: ReadonlyMap<number, number>,
): Message | BadMessage {
  const json = withoutMark(text);
  const message = readMessage(json, hasControl, json === text ? ends : undefined);
  return message && isStrict(message) ? message : whatIsWrong(json);
}

export function withoutMark(text: string): string {
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
  return invalid('it is nested too deeply, or one of its keys occurs twice or in another case');
}

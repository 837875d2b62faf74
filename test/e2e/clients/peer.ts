/** A raw client: writes every byte of its requests itself, and keeps every byte of the answers. */

export type Era = 'session' | 'stateless';

export interface Note {
  readonly method: string;
  /** As JSON text. */
  readonly params: string | undefined;
}

export type Question = Note;

export interface Answer {
  /** The whole message as received. */
  readonly text: string;
  /** The text of the `result` or the `error`. */
  readonly result: string | undefined;
  readonly error: string | undefined;
  /** Earlier messages that belong to it or to no request. */
  readonly notes: readonly Note[];
  /** The questions during the call, in either era's form. */
  readonly questions: readonly Question[];
}

export interface ClientOptions {
  readonly name?: string;
  /** As JSON text. */
  readonly capabilities?: string;
  /** The result that answers a question, as JSON text. */
  readonly answer?: (question: Question) => string | Promise<string>;
  /** The error that refuses one. */
  readonly refuse?: (question: Question) => string;
}

export interface Peer {
  readonly era: Era;
  /** All notifications so far. */
  readonly notes: readonly Note[];
  /** Performs the handshake, if the era has one. */
  open(): Promise<Answer>;
  /** `members` and `meta` are members of `params` and of its `_meta`: JSON text without the braces. */
  request(method: string, members?: string, meta?: string): Promise<Answer>;
  notify(method: string, members?: string): Promise<void>;
  close(): Promise<void>;
}

const META = 'io.modelcontextprotocol';
const ALL = '{"sampling":{},"elicitation":{"form":{},"url":{}},"roots":{"listChanged":true}}';

export const STATELESS_VERSION = '2026-07-28';
export const SESSION_VERSION = '2025-11-25';

function clientInfo({ name = 'raw-peer' }: ClientOptions): string {
  return `{"name":${JSON.stringify(name)},"version":"1"}`;
}

export function initializeMembers(
  client: ClientOptions,
  version: string = SESSION_VERSION,
): string {
  return `"protocolVersion":"${version}","capabilities":${client.capabilities ?? ALL},"clientInfo":${clientInfo(client)}`;
}

/** The client information in each request of the stateless era. */
export function envelope(client: ClientOptions, version: string = STATELESS_VERSION): string {
  return `"${META}/protocolVersion":"${version}","${META}/clientCapabilities":${client.capabilities ?? ALL},"${META}/clientInfo":${clientInfo(client)}`;
}

/** A request as text. Empty `_meta` and `params` are left out. */
export function requestText(id: string, method: string, members: string, meta: string): string {
  const params = [members, meta === '' ? '' : `"_meta":{${meta}}`].filter((part) => part !== '');
  const tail = params.length > 0 ? `,"params":{${params.join(',')}}` : '';
  return `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)}${tail}}`;
}

export function notificationText(method: string, members: string): string {
  const tail = members === '' ? '' : `,"params":{${members}}`;
  return `{"jsonrpc":"2.0","method":${JSON.stringify(method)}${tail}}`;
}

/**
 * In the stateless era, answers that ask for input are followed by retries until the call is done.
 */
export async function complete(
  peer: Peer,
  client: ClientOptions,
  [method, members = '', meta = '']: readonly [
    method: string,
    members?: string | undefined,
    meta?: string | undefined,
  ],
): Promise<Answer> {
  let answer = await peer.request(method, members, meta);
  const questions: Question[] = [...answer.questions];
  const notes = [...answer.notes];
  for (;;) {
    const result = answer.result === undefined ? undefined : JSON.parse(answer.result);
    if (result?.resultType !== 'input_required') return { ...answer, notes, questions };
    const responses: string[] = [];
    for (const [key, asked] of Object.entries<{ method: string; params?: object }>(
      result.inputRequests ?? {},
    )) {
      const question = { method: asked.method, params: JSON.stringify(asked.params) };
      questions.push(question);
      responses.push(`${JSON.stringify(key)}:${await client.answer!(question)}`);
    }
    const state =
      result.requestState === undefined
        ? ''
        : `,"requestState":${JSON.stringify(result.requestState)}`;
    answer = await peer.request(
      method,
      [members, `"inputResponses":{${responses.join(',')}}${state}`].filter(Boolean).join(','),
      meta,
    );
    notes.push(...answer.notes);
  }
}

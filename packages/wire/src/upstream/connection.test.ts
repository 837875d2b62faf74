import { Call, type Question, type Reply } from '@callsign/core';
import { describe, expect, it } from 'vitest';

import type { ChannelEvents } from '../rpc/stream/channel.js';
import { Connection } from './connection.js';

interface Sent {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly data: { readonly code: string } };
}

const unanswered = (): Promise<Reply> => new Promise(() => undefined);

/** A connection over a channel that the test reads and writes. */
function connected(ask: (question: Question) => Promise<Reply> = unanswered) {
  const sent: Sent[] = [];
  const asked: Question[] = [];
  const state = { backlog: 0, closings: 0, closed: '' };
  let heard: ChannelEvents | undefined;
  const connection = new Connection({
    server: 's',
    open: (events) => {
      heard = events;
      return {
        get backlog() {
          return state.backlog;
        },
        send: (text: string) => void sent.push(JSON.parse(text)),
        abandon: () => false,
        close: () => {
          state.closings++;
          return Promise.resolve();
        },
      };
    },
    events: {
      onNotification: () => undefined,
      onQuestion: (question) => {
        asked.push(question);
        return ask(question);
      },
      onClose: (reason) => void (state.closed = reason),
    },
    maxPending: 10,
    maxBacklog: 1_000,
  });
  const hear = (text: string, about?: number) => heard!.onText(text, about);
  return { connection, sent, asked, state, hear };
}

const FORM = '"method":"elicitation/create","params":{"message":"?"}';

function callOf(
  params = '{}',
  place = { nameStart: -1, nameEnd: -1, tokenStart: -1, tokenEnd: -1 },
) {
  const caller = { id: 'c', era: 'session', client: { name: 'c', version: '1' } } as never;
  return new Call({ method: 'tools/call', params, name: 't', caller, ...place });
}

const idOf = (sent: readonly Sent[], at = 0): number => sent[at]!.id as number;
const answerTo = (sent: readonly Sent[], at = 0): string => answer(String(idOf(sent, at)), 1);
const answer = (id: string, n: number): string =>
  `{"jsonrpc":"2.0","id":${id},"result":{"n":${n}}}`;
/** How servers write our id, where N is its digits. The official clients accept all of these. */
const OTHER_SPELLINGS = ['N', 'N.0', 'Ne0', 'N0e-1', '"N"'];
const OTHER_IDS = ['1N', '"1N"', 'N.5', 'null', '[N]', '"one"', '0', '1'];
const written = (spelling: string, { id }: Sent): string => spelling.replaceAll('N', String(id));

describe('an id', () => {
  it.each(OTHER_SPELLINGS)('is ours in any spelling: %s answers N', async (spelling) => {
    const { connection, sent, hear } = connected();
    const reply = connection.request('ping', undefined, 60_000);
    expect(hear(answer(written(spelling, sent[0]!), 1))).toBe(true);
    expect(await reply).toEqual({ ok: true, json: '{"n":1}' });
    expect(hear(answer(written('N', sent[0]!), 2))).toBe(false);
  });

  it.each(OTHER_IDS)('is not ours: %s does not answer N', async (spelling) => {
    const { connection, sent, hear } = connected();
    const reply = connection.request('ping', undefined, 60_000);
    expect(hear(answer(written(spelling, sent[0]!), 1))).toBe(false);
    expect(hear(answer(written('N', sent[0]!), 2))).toBe(true);
    expect(await reply).toEqual({ ok: true, json: '{"n":2}' });
  });

  it.each([
    ...OTHER_SPELLINGS.map((token) => [token, true] as const),
    ...OTHER_IDS.map((token) => [token, false] as const),
  ])('as a progress token %s is ours: %s', async (spelling, isOurs) => {
    const { connection, sent, hear } = connected();
    const params = '{"name":"t","_meta":{"progressToken":"p"}}';
    const at = params.indexOf('"p"');
    const place = { nameStart: 8, nameEnd: 11, tokenStart: at, tokenEnd: at + 3 };
    const call = callOf(params, place);
    const reported: string[] = [];
    call.context.progress = (text) => void reported.push(text);
    const reply = connection.forward(call, '"t"');
    expect(sent[0]!.params).toMatchObject({ _meta: { progressToken: sent[0]!.id } });
    const token = written(spelling, sent[0]!);
    const reports = `{"progressToken":${token}}`;
    expect(hear(`{"jsonrpc":"2.0","method":"notifications/progress","params":${reports}}`)).toBe(
      isOurs,
    );
    expect(reported).toEqual(isOurs ? [reports] : []);
    hear(answer(written('N', sent[0]!), 1));
    await reply;
  });
});

describe('an answer that cannot be read', () => {
  it.each([
    ['{"jsonrpc":"2.0","id":N}', false],
    ['{"jsonrpc":"2.0","id":N,"id":N,"result":{}}', false],
    ['{"jsonrpc":"2.0","id":N}', true],
    ['{"jsonrpc":"2.0","id":7,"id":8,"result":{"method":1}}', true],
    ['{"jsonrpc":"2.0","result":{"a":,"b":2},"id":N}', true],
  ])('ends its request: %s, if the channel knows the request: %s', async (text, isKnown) => {
    const { connection, sent, hear } = connected();
    const reply = connection.request('tools/list', undefined, 60_000);
    hear(written(text, sent[0]!), isKnown ? idOf(sent) : undefined);
    expect(await reply).toMatchObject({ ok: false, fault: { code: 'answer-unreadable' } });
  });

  it.each(['ping', '{}', '[]', '{"jsonrpc":"2.0","id":null}', '{"method":5}'])(
    'is something else: %s',
    async (text) => {
      const { connection, sent, hear } = connected();
      const reply = connection.request('tools/list', undefined, 60_000);
      expect(hear(text, idOf(sent))).toBe(false);
      hear(answerTo(sent), idOf(sent));
      expect(await reply).toMatchObject({ ok: true });
      expect(sent).toHaveLength(1);
    },
  );
});

describe('a question', () => {
  it.each([
    ['"method":"elicitation/create","params":5', -32_602],
    ['"method":"elicitation/create","params":[]', -32_602],
    ['"method":{"x":1},"params":{}', -32_600],
    ['"method":"elicitation/create","params":{},"params":{}', -32_600],
  ])('that cannot be read gets an error: %s', (members, code) => {
    const { sent, hear } = connected();
    hear(`{"jsonrpc":"2.0","id":"q",${members}}`);
    expect(sent).toMatchObject([{ id: 'q', error: { code } }]);
  });

  it.each([false, true])('is taken back by the server: request known %s', async (isKnown) => {
    const taken: string[] = [];
    const { connection, sent, hear } = connected(async ({ withdrawn }) => {
      taken.push('asked');
      await withdrawn;
      taken.push('back');
      return { ok: true, json: '{}' };
    });
    const reply = connection.forward(callOf(), '"a"');
    const about = isKnown ? idOf(sent) : undefined;
    hear(`{"jsonrpc":"2.0","id":4,${FORM}}`, about);
    await expect.poll(() => taken).toEqual(['asked']);
    const cancelled = '"method":"notifications/cancelled","params":{"requestId":4}';
    expect(hear(`{"jsonrpc":"2.0",${cancelled}}`)).toBe(true);
    expect(hear(`{"jsonrpc":"2.0",${cancelled}}`)).toBe(false);
    await expect.poll(() => taken).toEqual(['asked', 'back']);
    // Taken back before the client could be asked.
    hear(`{"jsonrpc":"2.0","id":4,${FORM}}`, about);
    expect(hear(`{"jsonrpc":"2.0",${cancelled}}`)).toBe(true);
    hear(answerTo(sent));
    await reply;
    expect(taken).toEqual(['asked', 'back']);
    // The server does not wait for an answer to it.
    expect(sent.map(({ method }) => method)).toEqual(['tools/call']);
  });

  it.each([
    ['elicitation/create', {}, true],
    ['roots/list', {}, false],
    ['elicitation/create', { 'io.modelcontextprotocol/related-task': { taskId: 't' } }, false],
  ])('ends with the last call that may have asked: %s, %j: %s', async (method, meta, isEnded) => {
    const told: string[] = [];
    const { connection, sent, hear } = connected(({ withdrawn }) => {
      void withdrawn?.then(() => told.push('withdrawn'));
      return new Promise(() => undefined);
    });
    const [first, second] = ['"a"', '"b"'].map((name) => connection.forward(callOf(), name));
    const params = JSON.stringify({ message: '?', _meta: meta });
    hear(`{"jsonrpc":"2.0","id":4,"method":"${method}","params":${params}}`);
    hear(answerTo(sent));
    await first;
    expect(told).toEqual([]);
    hear(answerTo(sent, 1));
    // The client hears of it before the answer.
    void second!.then(() => told.push('answered'));
    await second;
    expect(told).toEqual(isEnded ? ['withdrawn', 'answered'] : ['answered']);
  });

  it('ends with its server', async () => {
    const taken: string[] = [];
    const { connection, hear } = connected(async ({ withdrawn }) => {
      taken.push('asked');
      await withdrawn;
      taken.push('back');
      return { ok: true, json: '{}' };
    });
    hear('{"jsonrpc":"2.0","id":4,"method":"roots/list"}');
    await expect.poll(() => taken).toEqual(['asked']);
    await connection.close();
    await expect.poll(() => taken).toEqual(['asked', 'back']);
  });
});

describe('a server that asks too much', () => {
  const QUESTION = '{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{}}';
  const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
  const FLOOD = 10_000;

  it('has few open questions; the others are refused at once, and it is read slowly', async () => {
    const { connection, sent, asked, hear } = connected();
    const reply = connection.forward(callOf(), '"t"');
    const awaited = Array.from({ length: FLOOD }, () => hear(QUESTION));
    await Promise.resolve();
    // One more than 64, for the call under way.
    expect(asked).toHaveLength(65);
    expect(awaited.lastIndexOf(true)).toBe(64);
    const refused = sent.filter(({ error }) => error?.data.code === 'too-many');
    expect(refused).toHaveLength(FLOOD - 65);
    hear(answerTo(sent));
    await reply;
    // The call has ended, so its questions do not count any more.
    const next = connection.forward(callOf(), '"t"');
    expect(hear(QUESTION)).toBe(true);
    hear(answerTo(sent, sent.length - 1));
    await next;
  });

  it('without a call under way is read slowly', async () => {
    const { asked, hear } = connected();
    expect(hear(QUESTION)).toBe(false);
    await Promise.resolve();
    expect(asked).toHaveLength(1);
  });

  it('about a call that has ended is told so', () => {
    const { sent, hear } = connected();
    expect(hear(QUESTION, 7)).toBe(false);
    expect(sent[0]).toMatchObject({ error: { data: { code: 'call-cancelled' } } });
  });

  it.each([
    ['ping', PING],
    ['a question', QUESTION],
  ])('and does not read the answers is ended: %s', async (_, text) => {
    const { connection, sent, state, hear } = connected();
    for (let n = 0; n < 100; n++) hear(text);
    const before = sent.length;
    state.backlog = 1_001;
    connection.notify('notifications/roots/list_changed');
    expect(sent).toHaveLength(before);
    expect(state.closings).toBe(0);
    hear(text);
    hear(text);
    expect(sent).toHaveLength(before);
    expect(state).toMatchObject({ closings: 1, closed: expect.stringContaining('does not read') });
  });

  it('and reports progress to a client that is far behind is read slowly', async () => {
    const { connection, sent, hear } = connected();
    const call = callOf();
    let isBehind = false;
    call.context.progress = () => !isBehind;
    const reply = connection.forward(call, '"t"');
    const text = `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${idOf(sent)}}}`;
    expect(hear(text)).toBe(true);
    isBehind = true;
    expect(hear(text)).toBe(false);
    hear(answerTo(sent));
    await reply;
  });
});

describe('a call that was stopped', () => {
  it('is not sent, even after a wait that did not notice it (K4)', async () => {
    const { connection, sent } = connected();
    const call = callOf();
    call.context.stop('It took too long.');
    expect(call.context.isCancelled).toBe(false);
    const reply = await connection.forward(call, '"t"');
    expect(reply).toMatchObject({ fault: { code: 'call-cancelled' } });
    expect(sent).toEqual([]);
  });
});

import { once } from 'node:events';

import { describe, expect, it } from 'vitest';

import { answerTo, callOf, open, openListener, requestOf } from './testing/raw-requests.js';
import { INITIALIZE } from './testing/guarded-listener.js';

const CALL = callOf('echo', { text: 'hä' });
const USUAL = requestOf(CALL);
const OPENING = JSON.stringify({ jsonrpc: '2.0', ...INITIALIZE });

/** Requests as text, and what they get: a status for each answer, and whether the connection is closed. */
const REQUESTS: Readonly<Record<string, readonly [request: string, answer: string]>> = {
  usual: [USUAL, '200'],
  'a session': [requestOf(OPENING, { 'MCP-Protocol-Version': '2025-11-25' }), '200'],
  'a notification': [
    requestOf('{"jsonrpc":"2.0","method":"notifications/x"}', {
      'Mcp-Method': 'notifications/x',
    }),
    '202',
  ],
  'a wrong header': [requestOf(CALL, { 'Mcp-Name': 'other' }), '400'],
  'an unknown tool': [requestOf(callOf('nothing')), '200'],
  'bad JSON': [requestOf('{"jsonrpc":'), '400'],
  'no JSON at all': [requestOf(''), '400'],
  'a batch': [requestOf(`[${CALL},${CALL}]`), '400'],
  'not UTF-8': [requestOf('{"jsonrpc":"2.0","id":1,"method":"\u0000"}'), '400'],
  'another path': [USUAL.replace('/mcp', '/mcp2'), '404'],
  'the path with a query': [USUAL.replace('/mcp', '/mcp?a=b'), '200'],
  'a whole URL': [USUAL.replace('/mcp', 'http://127.0.0.1/mcp'), '200'],
  'a small method': [USUAL.replace('POST', 'post'), '400 closed'],
  'GET with a body': [USUAL.replace('POST', 'GET'), '400'],
  'HTTP/1.0': [USUAL.replace('HTTP/1.1', 'HTTP/1.0'), '200 closed'],
  'HTTP/2.0': [USUAL.replace('HTTP/1.1', 'HTTP/2.0'), '200 closed'],
  'two spaces': [USUAL.replace('POST ', 'POST  '), '200'],
  'an empty line first': [`\r\n${USUAL}`, '200'],
  'another host': [requestOf(CALL, { Host: 'evil.example' }), '403'],
  'no host': [USUAL.replace('Host: 127.0.0.1\r\n', ''), '400 closed'],
  'an origin': [requestOf(CALL, { Origin: 'http://127.0.0.1' }), '200'],
  'a bad origin': [requestOf(CALL, { Origin: 'http://evil.example' }), '403'],
  'another type': [requestOf(CALL, { 'Content-Type': 'text/plain' }), '415'],
  'a type with parameters': [
    requestOf(CALL, { 'Content-Type': 'application/json; charset=utf-8' }),
    '200',
  ],
  'connection: close': [requestOf(CALL, { Connection: 'close' }), '200 closed'],
  'connection: keep-alive': [requestOf(CALL, { Connection: 'Keep-Alive' }), '200'],
  'an upgrade': [requestOf(CALL, { Connection: 'Upgrade', Upgrade: 'websocket' }), '200'],
  'expect: 100-continue': [requestOf(CALL, { Expect: '100-continue' }), '100 200'],
  'expect: 100-continue for a body that is too large': [
    requestOf('', { Expect: '100-continue', 'Content-Length': '99000000' }),
    '413 closed',
  ],
  'expect: something': [requestOf(CALL, { Expect: 'something' }), '417'],
  'no length': [USUAL.replace(/Content-Length: \d+\r\n/, ''), '400 closed'],
  'a length with a sign': [
    requestOf(CALL, { 'Content-Length': `+${Buffer.byteLength(CALL)}` }),
    '400 closed',
  ],
  'a hexadecimal length': [requestOf(CALL, { 'Content-Length': '0x10' }), '400 closed'],
  'a negative length': [requestOf(CALL, { 'Content-Length': '-1' }), '400 closed'],
  'a length of many digits': [requestOf(CALL, { 'Content-Length': '9'.repeat(30) }), '400 closed'],
  'a length that is too large': [requestOf(CALL, { 'Content-Length': '999999999' }), 'none'],
  'a shorter length': [requestOf(CALL, { 'Content-Length': '10' }), '400 closed'],
  'a list of lengths': [requestOf(CALL, { 'Content-Length': '5, 5' }), '400 closed'],
  'two lengths': [requestOf(CALL, { 'content-length': '5' }), '400 closed'],
  'length and chunks': [requestOf(CALL, { 'Transfer-Encoding': 'chunked' }), '400 closed'],
  'length and odd chunks': [requestOf(CALL, { 'Transfer-Encoding': 'xchunked' }), '400 closed'],
  chunks: [
    `${requestOf('', { 'Transfer-Encoding': 'chunked' }).replace(/Content-Length: 0\r\n/, '')}2\r\n{}\r\n0\r\n\r\n`,
    '400',
  ],
  'a space before the colon': [USUAL.replace('Accept:', 'Accept :'), '400 closed'],
  'a folded line': [USUAL.replace('Accept: ', 'Accept:\r\n '), '400 closed'],
  'a bare line feed': [USUAL.replace('Accept: ', 'X-A: b\nAccept: '), '400 closed'],
  'a bare carriage return': [USUAL.replace('Accept: ', 'X-A: b\rAccept: '), '400 closed'],
  'line feeds only': [USUAL.replaceAll('\r\n', '\n'), '400 closed'],
  'a null byte': [requestOf(CALL, { 'X-A': 'b\0c' }), '400 closed'],
  'a header in Latin-1': [requestOf(callOf('echo'), { 'X-A': '\u00e4' }), '200'],
  'a line without a colon': [USUAL.replace('Accept: ', 'nothing\r\nAccept: '), '400 closed'],
  'an empty name': [USUAL.replace('Accept: ', ': nothing\r\nAccept: '), '400 closed'],
  'an empty value': [requestOf(CALL, { 'X-A': '' }), '200'],
  'the same header twice': [USUAL.replace('Accept: ', 'Mcp-Name: other\r\nAccept: '), '400'],
  'two hosts': [USUAL.replace('Accept: ', 'Host: evil.example\r\nAccept: '), '403'],
  'names that objects have': [
    requestOf(CALL, { __proto: 'a', constructor: 'b', toString: 'c' }),
    '200',
  ],
  'a prototype': [USUAL.replace('Accept: ', '__proto__: x\r\nAccept: '), '200'],
  'tabs around a value': [
    requestOf(CALL, { Accept: '\tapplication/json, text/event-stream\t' }),
    '200',
  ],
  'a head of 7 KB': [requestOf(CALL, { 'X-A': 'a'.repeat(7_000) }), '200'],
  'a head of 12 KB': [requestOf(CALL, { 'X-A': 'a'.repeat(12_000) }), '200'],
  'a head of 40 KB': [requestOf(CALL, { 'X-A': 'a'.repeat(40_000) }), '431 closed'],
  'two at once': [USUAL + USUAL, '200 200'],
  'a usual one and an odd one': [USUAL + USUAL.replace('POST', 'PUT'), '200 405'],
  'a usual one and rubbish': [`${USUAL}rubbish\r\n\r\n`, '400 closed'],
  'a long answer': [requestOf(callOf('long')), '200'],
  'a long answer and another request': [requestOf(callOf('long')) + USUAL, '200 200'],
  'a request and a long answer': [USUAL + requestOf(callOf('long')), '200 200'],
  'two long answers': [requestOf(callOf('long')) + requestOf(callOf('long')), '200 200'],
  TLS: ['\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003', '400 closed'],
};

/** The status of each answer, and whether the connection was closed. */
function statusesIn(answer: string): string {
  const statuses = Array.from(answer.matchAll(/HTTP\/1\.1 (\d+)/g), ([, status]) => status);
  if (answer.endsWith('(closed)')) statuses.push('closed');
  return statuses.join(' ') || 'none';
}

describe('a request with raw bytes', () => {
  it.each(Object.entries(REQUESTS))('is answered as it should be: %s', async (name, request) => {
    const [text, expected] = request;
    const { port } = await openListener();
    const bytes = Buffer.from(text, name.includes('Latin-1') ? 'latin1' : 'utf8');
    expect(statusesIn(await answerTo(port, [bytes]))).toBe(expected);
  });

  it('is answered the same, wherever its bytes are cut', async () => {
    const { port } = await openListener();
    const bytes = Buffer.from(USUAL);
    const expected = await answerTo(port, [bytes]);
    const end = bytes.indexOf('\r\n\r\n') + 4;
    const cuts = [1, 5, 19, 20, 21, 40, end - 3, end - 1, end, end + 1, bytes.length - 1];
    const answers = await Promise.all(
      cuts.map((cut) => answerTo(port, [bytes.subarray(0, cut), bytes.subarray(cut)])),
    );
    for (const [i, answer] of answers.entries()) expect(answer, `cut at ${cuts[i]}`).toBe(expected);
  });
});

describe('several requests on one connection', () => {
  it('are answered in their order, usual and odd', async () => {
    const { port } = await openListener();
    const requests = [1, 2, 3, 4, 5].map((n) => {
      const request = requestOf(callOf('echo', { n }));
      return n === 4 ? request.replace('/mcp', '/mcp?odd') : request;
    });
    const answers = await answerTo(port, requests);
    expect(answers.match(/\\"n\\":\d/g)).toEqual([1, 2, 3, 4, 5].map((n) => `\\"n\\":${n}`));
  });

  it('go on after an answer that has several messages', async () => {
    const { port } = await openListener();
    const answers = await answerTo(port, [requestOf(callOf('chatty')), USUAL]);
    expect(answers).toContain('notifications/progress');
    expect(statusesIn(answers)).toBe('200 200');
  });

  it('wait for the answer to the last one', async () => {
    const { port, hanging } = await openListener();
    const socket = open(port);
    socket.write(requestOf(callOf('hang')));
    await expect.poll(() => hanging.calls).toBe(1);
    socket.write(USUAL);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(socket.bytesRead).toBe(0);
    socket.destroy();
    await expect.poll(() => hanging.cancelled).toHaveLength(1);
  });

  it('are all cancelled if the client leaves', async () => {
    const { port, hanging } = await openListener();
    const socket = open(port);
    socket.write(requestOf(callOf('hang')).repeat(20));
    await expect.poll(() => hanging.calls).toBe(20);
    socket.destroy();
    await expect.poll(() => hanging.cancelled).toHaveLength(20);
  });

  it('begin a few at a time if they are very many, so that other clients do not wait', async () => {
    const { port, hanging } = await openListener();
    const socket = open(port);
    socket.write(requestOf(callOf('hang')).repeat(300));
    await expect.poll(() => hanging.calls).toBeGreaterThan(0);
    expect(await answerTo(port, [USUAL])).toMatch(/^HTTP\/1\.1 200 /);
    expect(hanging.calls).toBeLessThan(100);
    socket.destroy();
    await expect.poll(() => hanging.cancelled.length).toBe(hanging.calls);
  });

  it.each([1, 30, 400, 17_000, 60_001])(
    'are all answered if they are very many, cut after %d bytes',
    async (cut) => {
      const { port } = await openListener();
      const requests = Array.from({ length: 250 }, (_, n) => {
        const request = requestOf(n % 50 === 7 ? callOf('long') : callOf('echo', { n }));
        return n === 200 ? request.replace('/mcp', '/mcp?odd') : request;
      });
      const bytes = Buffer.from(requests.join(''));
      const start = Buffer.byteLength(requests.slice(0, 60).join(''));
      const socket = open(port);
      let text = '';
      socket.setEncoding('utf8').on('data', (more: string) => (text += more));
      for (const chunk of [bytes.subarray(0, start + cut), bytes.subarray(start + cut)]) {
        socket.write(chunk);
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      await expect.poll(() => text.split('HTTP/1.1 200').length - 1).toBe(250);
      const numbers = Array.from({ length: 250 }, (_, n) => n).filter((n) => n % 50 !== 7);
      await expect
        .poll(() => Array.from(text.matchAll(/\\"n\\":(\d+)/g), ([, n]) => Number(n)))
        .toEqual(numbers);
    },
  );
});

describe('a client that leaves', () => {
  it('has its call cancelled', async () => {
    const { port, hanging } = await openListener();
    const socket = open(port);
    socket.write(requestOf(callOf('hang')));
    await expect.poll(() => hanging.calls).toBe(1);
    socket.destroy();
    await expect.poll(() => hanging.cancelled).toHaveLength(1);
  });

  it('has its call cancelled if it leaves after it has ended its side', async () => {
    const { port, hanging } = await openListener();
    const socket = open(port);
    socket.end(requestOf(callOf('hang')));
    await expect.poll(() => hanging.calls).toBe(1);
    await once(socket.resume(), 'data');
    expect(hanging.cancelled).toHaveLength(0);
    socket.destroy();
    await expect.poll(() => hanging.cancelled).toHaveLength(1);
  });

  it.each(['head only', 'head and half of the body'])(
    'has its connection closed if it sends no more: %s',
    async (name) => {
      const { port } = await openListener();
      const socket = open(port);
      const start = USUAL.indexOf('\r\n\r\n') + 4;
      socket.resume().end(USUAL.slice(0, start + (name === 'head only' ? 0 : 50)));
      await once(socket, 'close');
      expect(await answerTo(port, [USUAL])).toMatch(/^HTTP\/1\.1 200 /);
    },
  );
});

describe('a client that ends its side after its request', () => {
  const heardBy = async (port: number, request: string): Promise<string> => {
    const socket = open(port);
    let heard = '';
    socket.setEncoding('utf8').on('data', (data: string) => (heard += data));
    socket.end(request);
    await once(socket, 'close');
    return heard;
  };

  it('gets its answer, and nothing else if that comes soon (G17)', async () => {
    const { port } = await openListener();
    const heard = await heardBy(port, USUAL);
    expect(statusesIn(heard)).toBe('200');
    expect(heard).toContain('hä');
    expect(statusesIn(await heardBy(port, USUAL + USUAL))).toBe('200 200');
  });

  it('gets an answer that comes late, or as a stream (G17)', async () => {
    const { port } = await openListener();
    const heard = await heardBy(port, requestOf(callOf('slow')));
    expect(statusesIn(heard)).toMatch(/^102 (?:102 )*200$/);
    const stream = await heardBy(port, requestOf(callOf('slow_chat')));
    expect(stream).toContain(': \n\n');
    expect(stream).toContain('done');
  });
});

it('asks for a credential once per request, at once and later', async () => {
  let asked = 0;
  const { port } = await openListener({
    authenticate({ headers: { authorization } }) {
      asked++;
      if (authorization === 'Bearer ann') return { name: 'ann', roles: [] };
      const refused = { status: 401, challenge: 'Bearer', message: 'Who is it?' } as const;
      return authorization === undefined ? refused : Promise.resolve(refused);
    },
  });
  for (const [authorization, status] of [
    [undefined, '401'],
    ['Bearer ann', '200'],
    ['Bearer bob', '401'],
  ] as const) {
    const request = requestOf(CALL, authorization ? { authorization } : {});
    expect(statusesIn(await answerTo(port, [request]))).toBe(status);
  }
  expect(asked).toBe(3);
});

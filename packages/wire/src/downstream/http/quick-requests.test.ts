import { once } from 'node:events';

import { describe, expect, it } from 'vitest';

import { answerTo, callOf, open, openBothReaders, requestOf } from './testing/both-readers.js';
import { INITIALIZE } from './testing/guarded-listener.js';

const CALL = callOf('echo', { text: 'hä' });
const USUAL = requestOf(CALL);
const OPENING = JSON.stringify({ jsonrpc: '2.0', ...INITIALIZE });

/** What a request may look like besides the usual. */
const REQUESTS: Readonly<Record<string, string>> = {
  usual: USUAL,
  'a session': requestOf(OPENING, { 'MCP-Protocol-Version': '2025-11-25' }),
  'a notification': requestOf('{"jsonrpc":"2.0","method":"notifications/x"}', {
    'Mcp-Method': 'notifications/x',
  }),
  'a wrong header': requestOf(CALL, { 'Mcp-Name': 'other' }),
  'an unknown tool': requestOf(callOf('nothing')),
  'bad JSON': requestOf('{"jsonrpc":'),
  'no JSON at all': requestOf(''),
  'a batch': requestOf(`[${CALL},${CALL}]`),
  'not UTF-8': requestOf('{"jsonrpc":"2.0","id":1,"method":"\u0000"}'),
  'another path': USUAL.replace('/mcp', '/mcp2'),
  'the path with a query': USUAL.replace('/mcp', '/mcp?a=b'),
  'a whole URL': USUAL.replace('/mcp', 'http://127.0.0.1/mcp'),
  'a small method': USUAL.replace('POST', 'post'),
  'GET with a body': USUAL.replace('POST', 'GET'),
  'HTTP/1.0': USUAL.replace('HTTP/1.1', 'HTTP/1.0'),
  'HTTP/2.0': USUAL.replace('HTTP/1.1', 'HTTP/2.0'),
  'two spaces': USUAL.replace('POST ', 'POST  '),
  'an empty line first': `\r\n${USUAL}`,
  'another host': requestOf(CALL, { Host: 'evil.example' }),
  'no host': USUAL.replace('Host: 127.0.0.1\r\n', ''),
  'an origin': requestOf(CALL, { Origin: 'http://127.0.0.1' }),
  'a bad origin': requestOf(CALL, { Origin: 'http://evil.example' }),
  'another type': requestOf(CALL, { 'Content-Type': 'text/plain' }),
  'a type with parameters': requestOf(CALL, { 'Content-Type': 'application/json; charset=utf-8' }),
  'connection: close': requestOf(CALL, { Connection: 'close' }),
  'connection: keep-alive': requestOf(CALL, { Connection: 'Keep-Alive' }),
  'an upgrade': requestOf(CALL, { Connection: 'Upgrade', Upgrade: 'websocket' }),
  'expect: 100-continue': requestOf(CALL, { Expect: '100-continue' }),
  'expect: something': requestOf(CALL, { Expect: 'something' }),
  'no length': USUAL.replace(/Content-Length: \d+\r\n/, ''),
  'a length with a sign': requestOf(CALL, { 'Content-Length': `+${Buffer.byteLength(CALL)}` }),
  'a hexadecimal length': requestOf(CALL, { 'Content-Length': '0x10' }),
  'a negative length': requestOf(CALL, { 'Content-Length': '-1' }),
  'a length of many digits': requestOf(CALL, { 'Content-Length': '9'.repeat(30) }),
  'a length that is too large': requestOf(CALL, { 'Content-Length': '999999999' }),
  'a shorter length': requestOf(CALL, { 'Content-Length': '10' }),
  'a list of lengths': requestOf(CALL, { 'Content-Length': '5, 5' }),
  'two lengths': requestOf(CALL, { 'content-length': '5' }),
  'length and chunks': requestOf(CALL, { 'Transfer-Encoding': 'chunked' }),
  'length and odd chunks': requestOf(CALL, { 'Transfer-Encoding': 'xchunked' }),
  chunks: `${requestOf('', { 'Transfer-Encoding': 'chunked' }).replace(/Content-Length: 0\r\n/, '')}2\r\n{}\r\n0\r\n\r\n`,
  'a space before the colon': USUAL.replace('Accept:', 'Accept :'),
  'a folded line': USUAL.replace('Accept: ', 'Accept:\r\n '),
  'a bare line feed': USUAL.replace('Accept: ', 'X-A: b\nAccept: '),
  'a bare carriage return': USUAL.replace('Accept: ', 'X-A: b\rAccept: '),
  'line feeds only': USUAL.replaceAll('\r\n', '\n'),
  'a null byte': requestOf(CALL, { 'X-A': 'b\0c' }),
  'a header in Latin-1': requestOf(callOf('echo'), { 'X-A': '\u00e4' }),
  'a line without a colon': USUAL.replace('Accept: ', 'nothing\r\nAccept: '),
  'an empty name': USUAL.replace('Accept: ', ': nothing\r\nAccept: '),
  'an empty value': requestOf(CALL, { 'X-A': '' }),
  'the same header twice': USUAL.replace('Accept: ', 'Mcp-Name: other\r\nAccept: '),
  'two hosts': USUAL.replace('Accept: ', 'Host: evil.example\r\nAccept: '),
  'names that objects have': requestOf(CALL, { __proto: 'a', constructor: 'b', toString: 'c' }),
  'a prototype': USUAL.replace('Accept: ', '__proto__: x\r\nAccept: '),
  'tabs around a value': requestOf(CALL, { Accept: '\tapplication/json, text/event-stream\t' }),
  'a head of 7 KB': requestOf(CALL, { 'X-A': 'a'.repeat(7_000) }),
  'a head of 12 KB': requestOf(CALL, { 'X-A': 'a'.repeat(12_000) }),
  'a head of 40 KB': requestOf(CALL, { 'X-A': 'a'.repeat(40_000) }),
  'two at once': USUAL + USUAL,
  'a usual one and an odd one': USUAL + USUAL.replace('POST', 'PUT'),
  'a usual one and rubbish': `${USUAL}rubbish\r\n\r\n`,
  'a long answer': requestOf(callOf('long')),
  'a long answer and another request': requestOf(callOf('long')) + USUAL,
  'a request and a long answer': USUAL + requestOf(callOf('long')),
  'two long answers': requestOf(callOf('long')) + requestOf(callOf('long')),
  TLS: '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
};

/** Ids of sessions differ. */
function masked(answer: string): string {
  return answer.replaceAll(/^mcp-session-id: .*$/gim, 'mcp-session-id: x');
}

/** Reads until there are so many whole answers, however long that takes. */
async function answersTo(port: number, chunks: readonly Buffer[], count: number): Promise<string> {
  const socket = open(port);
  let text = '';
  socket.setEncoding('utf8').on('data', (more: string) => (text += more));
  for (const chunk of chunks) {
    socket.write(chunk);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await expect
    .poll(() => text.split('HTTP/1.1 200').length - 1 === count && text.endsWith('}'))
    .toBe(true);
  return text.replaceAll(/^Date: .*$/gm, 'Date: now');
}

describe('a connection that answers usual requests itself', () => {
  it.each(Object.keys(REQUESTS))('answers as Node does: %s', async (name) => {
    const { quick, node } = await openBothReaders();
    const bytes = Buffer.from(REQUESTS[name]!, name.includes('Latin-1') ? 'latin1' : 'utf8');
    const [ours, theirs] = await Promise.all([answerTo(quick, [bytes]), answerTo(node, [bytes])]);
    expect(masked(ours)).toBe(masked(theirs));
  });

  it('answers as Node does, wherever the bytes are cut', async () => {
    const { quick, node } = await openBothReaders();
    const bytes = Buffer.from(USUAL);
    const expected = await answerTo(node, [bytes]);
    const end = bytes.indexOf('\r\n\r\n') + 4;
    const cuts = [1, 5, 19, 20, 21, 40, end - 3, end - 1, end, end + 1, bytes.length - 1];
    const answers = await Promise.all(
      cuts.map((cut) => answerTo(quick, [bytes.subarray(0, cut), bytes.subarray(cut)])),
    );
    for (const [i, answer] of answers.entries()) {
      expect(masked(answer), `cut at ${cuts[i]}`).toBe(masked(expected));
    }
    const third = Math.floor((bytes.length - end) / 3);
    const parts = [0, end, end + third, end + 2 * third].map((start, i, all) =>
      bytes.subarray(start, all[i + 1]),
    );
    expect(masked(await answerTo(quick, parts))).toBe(masked(expected));
  });

  it('answers one request after another, usual and odd, in their order', async () => {
    const { quick, node } = await openBothReaders();
    const requests = [1, 2, 3, 4, 5].map((n) => {
      const request = requestOf(callOf('echo', { n }));
      return n === 4 ? request.replace('/mcp', '/mcp?odd') : request;
    });
    const both = await Promise.all([answerTo(quick, requests), answerTo(node, requests)]);
    expect(masked(both[0])).toBe(masked(both[1]));
    expect(both[0].match(/\\"n\\":\d/g)).toEqual([1, 2, 3, 4, 5].map((n) => `\\"n\\":${n}`));
  });

  it('streams an answer that has several messages, and goes on afterwards', async () => {
    const { quick, node } = await openBothReaders();
    const requests = [requestOf(callOf('chatty')), USUAL];
    const [ours, theirs] = await Promise.all([answerTo(quick, requests), answerTo(node, requests)]);
    expect(ours).toContain('notifications/progress');
    expect(masked(ours)).toBe(masked(theirs));
  });

  it('lets a request wait that comes before the answer to the last one', async () => {
    const { quick, hanging } = await openBothReaders();
    const socket = open(quick);
    socket.write(requestOf(callOf('hang')));
    await expect.poll(() => hanging.calls).toBe(1);
    socket.write(USUAL);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(socket.bytesRead).toBe(0);
    socket.destroy();
    await expect.poll(() => hanging.cancelled).toHaveLength(1);
  });

  it.each(['destroy', 'end'] as const)(
    'cancels the call of a client that leaves: %s',
    async (leave) => {
      const { quick, hanging } = await openBothReaders();
      const socket = open(quick);
      socket.write(requestOf(callOf('hang')));
      await expect.poll(() => hanging.calls).toBe(1);
      socket[leave]();
      await expect.poll(() => hanging.cancelled).toHaveLength(1);
      if (!socket.closed) await once(socket, 'close');
    },
  );

  it('cancels all calls of a client that sends several at once and leaves', async () => {
    const { quick, hanging } = await openBothReaders();
    const socket = open(quick);
    socket.write(requestOf(callOf('hang')).repeat(20));
    await expect.poll(() => hanging.calls).toBe(20);
    socket.destroy();
    await expect.poll(() => hanging.cancelled).toHaveLength(20);
  });

  it('handles very many requests at once one by one, so that other clients do not wait', async () => {
    const { quick, hanging } = await openBothReaders();
    const socket = open(quick);
    socket.write(requestOf(callOf('hang')).repeat(100));
    await expect.poll(() => hanging.calls).toBe(1);
    expect(await answerTo(quick, [USUAL])).toMatch(/^HTTP\/1\.1 200 /);
    expect(hanging.calls).toBe(1);
    socket.destroy();
    await expect.poll(() => hanging.cancelled).toHaveLength(1);
  });

  it('begins some of very many unusual requests, and the others after them', async () => {
    const { quick, hanging } = await openBothReaders();
    const socket = open(quick);
    const unusual = requestOf(callOf('hang')).replace('/mcp', '/mcp?odd');
    socket.write(unusual.repeat(300));
    await expect.poll(() => hanging.calls).toBeGreaterThan(0);
    expect(await answerTo(quick, [USUAL])).toMatch(/^HTTP\/1\.1 200 /);
    expect(hanging.calls).toBeLessThan(100);
    socket.destroy();
    await expect.poll(() => hanging.cancelled.length).toBe(hanging.calls);
  });

  it.each([1, 30, 400, 17_000, 60_001])(
    'answers very many requests as Node does, cut after %d bytes of them',
    async (cut) => {
      const { quick, node } = await openBothReaders();
      const requests = Array.from({ length: 250 }, (_, n) => {
        const request = requestOf(n % 50 === 7 ? callOf('long') : callOf('echo', { n }));
        return n === 200 ? request.replace('/mcp', '/mcp?odd') : request;
      });
      const bytes = Buffer.from(requests.join(''));
      const start = Buffer.byteLength(requests.slice(0, 60).join(''));
      const chunks = [bytes.subarray(0, start + cut), bytes.subarray(start + cut)];
      const [ours, theirs] = await Promise.all([
        answersTo(quick, chunks, 250),
        answersTo(node, chunks, 250),
      ]);
      expect(ours === theirs).toBe(true);
    },
  );

  it.each(['head only', 'head and half of the body'])(
    'closes the connection of a client that sends no more: %s',
    async (name) => {
      const { quick } = await openBothReaders();
      const socket = open(quick);
      const start = USUAL.indexOf('\r\n\r\n') + 4;
      socket.resume().end(USUAL.slice(0, start + (name === 'head only' ? 0 : 50)));
      await once(socket, 'close');
      expect(await answerTo(quick, [USUAL])).toMatch(/^HTTP\/1\.1 200 /);
    },
  );

  it('asks for a credential, at once and later, without reading the request twice', async () => {
    let asked = 0;
    const { quick, node } = await openBothReaders({
      authenticate({ headers: { authorization } }) {
        asked++;
        if (authorization === 'Bearer ann') return { name: 'ann', roles: [] };
        const refused = { status: 401, challenge: 'Bearer', message: 'Who is it?' } as const;
        return authorization === undefined ? refused : Promise.resolve(refused);
      },
    });
    for (const authorization of [undefined, 'Bearer ann', 'Bearer bob']) {
      const request = requestOf(CALL, authorization ? { authorization } : {});
      expect(await answerTo(quick, [request])).toBe(await answerTo(node, [request]));
    }
    expect(asked).toBe(6);
  });
});

/** What real clients write on a pipe: byte order marks, unusual ids and spacing, missing values. */

import { setTimeout as pause } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { shows } from '../../requirements/shows.js';
import { TestGateway } from './gateway.js';
import { rawMember, type Json } from './json-tree.js';
import type { Pipe } from './pipe-peer.js';
import { fixture } from './servers.js';

let gateway: TestGateway;
let pipe: Pipe;

beforeAll(async () => {
  gateway = new TestGateway('stdio', { servers: { plain: fixture('plain-child') } });
  pipe = gateway.pipe;
  await gateway.connect('session');
});
afterAll(() => gateway.stop());

/** Writes bytes and returns the answer to an id. */
async function ask(text: string | Buffer, id: string): Promise<Json> {
  const answered = pipe.line((line) => rawMember(line, 'id') === id);
  pipe.write(text);
  return JSON.parse(await answered);
}

const echo = (id: string, args = '{"a":1}'): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"plain:echo","arguments":${args}}}`;

describe('a line', () => {
  it('may begin with a byte order mark', async () => {
    const text = Buffer.concat([
      Buffer.from([0xef, 0xbb, 0xbf]),
      Buffer.from(`${echo('"bom"')}\n`),
    ]);
    expect(await ask(text, '"bom"')).toHaveProperty('result.structuredContent', { a: 1 });
  });

  it('may end as lines on Windows do', async () => {
    expect(await ask(`${echo('"crlf"')}\r\n`, '"crlf"')).toHaveProperty('result');
    expect(await ask(`\r\n\n \n${echo('"after"')}\r\n`, '"after"')).toHaveProperty('result');
  });

  it('may come in pieces, and several in one', async () => {
    const text = `${echo('"p1"')}\n${echo('"p2"', '{"é":"🚀"}')}\n`;
    const bytes = Buffer.from(text);
    const answered = Promise.all(
      ['"p1"', '"p2"'].map((id) => pipe.line((line) => rawMember(line, 'id') === id)),
    );
    const cut = bytes.indexOf(Buffer.from('🚀')) + 2;
    pipe.write(bytes.subarray(0, cut));
    // So that the gateway reads the pieces one by one; joined, they must give the same.
    await pause(20);
    pipe.write(bytes.subarray(cut));
    expect((await answered)[1]).toContain('🚀');
  });

  it('of five megabytes passes in both directions', async () => {
    const long = 'é'.repeat(2_500_000);
    const answer = await ask(`${echo('"long"', `{"long":"${long}"}`)}\n`, '"long"');
    expect(answer.result.structuredContent.long === long).toBe(true);
  });

  it('that is not a message is refused, and the next one is read', async () => {
    const refused = pipe.line((line) => line.includes('-32700'));
    const answer = ask(`{"jsonrpc":"2.0","id":1,\n${echo('"next"')}\n`, '"next"');
    expect(JSON.parse(await refused)).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32700, message: expect.stringContaining('Parse error') },
    });
    expect(await answer).toHaveProperty('result');
  });

  it.each([
    ['[1,2]', null],
    ['"text"', null],
    ['7', null],
    ['null', null],
    ['[]', null],
    ['{}', null],
    ['{"jsonrpc":"2.0","id":5}', 5],
  ])('%s is refused and does no harm', async (text, id) => {
    const refused = pipe.line((line) => line.includes('-32600'));
    pipe.write(`${text}\n`);
    expect(JSON.parse(await refused)).toHaveProperty('id', id);
    expect(await ask(`${echo('"alive"')}\n`, '"alive"')).toHaveProperty('result');
  });
});

describe('an id', () => {
  const long = `"${'x'.repeat(20_000)}"`;
  it.each([
    '0',
    '-7',
    '1.5',
    '1e3',
    '12345678901234567890',
    '""',
    '"1"',
    '"\\u00e9 é \\" 🚀"',
    long,
  ])('%s is returned as it was written', async (id) => {
    expect(await ask(`${echo(id)}\n`, id)).toHaveProperty('result');
    const text = `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"plain:none"}}`;
    expect(await ask(`${text}\n`, id)).toHaveProperty('error.code', -32602);
  });

  it.each(['{}', '[1]', 'true', 'null'])('%s is invalid, and is refused', async (id) => {
    const refused = pipe.line((line) => line.includes('-32600'));
    pipe.write(`${echo(id)}\n`);
    expect(JSON.parse(await refused)).toHaveProperty('id', null);
  });

  it('in use is refused, and the first request is still answered', async () => {
    const lines: string[] = [];
    const stop = pipe.onLine((line) => lines.push(line));
    const slow = `{"jsonrpc":"2.0","id":"twice","method":"tools/call","params":{"name":"plain:sleep","arguments":{"ms":150}}}`;
    pipe.write(`${slow}\n${echo('"twice"')}\n`);
    await expect.poll(() => lines.length).toBe(2);
    stop();
    expect(JSON.parse(lines[0]!)).toHaveProperty('error.code', -32600);
    expect(lines[1]).toContain('Slept 150 ms.');
  });

  it('may be used again after its answer, and at once after it was cancelled', async () => {
    const call = (name: string, ms: number): string =>
      `{"jsonrpc":"2.0","id":"again","method":"tools/call","params":{"name":"plain:${name}","arguments":{"ms":${ms}}}}\n`;
    const cancel =
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"again"}}\n';
    expect(await ask(call('sleep', 1), '"again"')).toHaveProperty('result');
    const answer = await ask(`${call('sleep', 60_000)}${cancel}${call('sleep', 30)}`, '"again"');
    expect(answer.result.content[0].text).toBe('Slept 30 ms.');
    // The second use is cancelled like any other.
    const lines: string[] = [];
    const stop = pipe.onLine((line) => lines.push(line));
    pipe.write(`${call('sleep', 60_000)}${cancel}${call('sleep', 60_000)}`);
    await ask(`${echo('"running"')}\n`, '"running"');
    pipe.write(cancel);
    await ask(`${echo('"over"')}\n`, '"over"');
    stop();
    expect(lines.map((line) => rawMember(line, 'id'))).toEqual(['"running"', '"over"']);
  });
});

describe('parameters', () => {
  it(
    'reach the server unchanged, except for the name',
    shows('FR-007', async () => {
      const params = [
        '{"name":"plain:request"}',
        '{"name":"plain:request","arguments":{}}',
        '{ "arguments" : { "z":1,"a":12345678901234567890 } , "name" : "plain:request" , "x-extra":[1 ,2] }',
        '{"_meta":{"com.example/a":1.10,"traceparent":"00"},"name":"plain:request","task":{"ttl":1E2}}',
        '{"n\\u0061me":"plain:request","arguments":{"uri":"x","name":"y"}}',
        '{"uri":"plain://static","name":"plain:request"}',
      ];
      for (const text of params) {
        const answer = await ask(
          `{"method":"tools/call","x-top":1,"id":"letter","params":${text},"jsonrpc":"2.0"}\n`,
          '"letter"',
        );
        const arrived = rawMember(answer.result.content[0].text, 'params');
        expect(arrived).toBe(text.replace('plain:request', 'request'));
      }
    }),
  );

  it('of null or of another type do not crash', async () => {
    const request = (method: string, params: string): string =>
      `{"jsonrpc":"2.0","id":"shape","method":"${method}","params":${params}}\n`;
    for (const method of ['tools/list', 'ping']) {
      expect(await ask(request(method, 'null'), '"shape"'), method).toHaveProperty('result');
    }
    for (const [params, code] of [
      ['null', -32602],
      ['[]', -32602],
      ['7', -32600],
      ['"x"', -32600],
    ] as const) {
      for (const method of [
        'tools/call',
        'prompts/get',
        'resources/read',
        'completion/complete',
        'initialize',
        'logging/setLevel',
      ]) {
        const answer = await ask(request(method, params), '"shape"');
        expect(answer, method).toHaveProperty('error.code', code);
      }
    }
    const bare = await ask('{"jsonrpc":"2.0","id":"bare","method":"tools/call"}\n', '"bare"');
    expect(bare).toHaveProperty('error.code', -32602);
  });

  it('of notifications may be missing, null, or unknown', async () => {
    for (const method of [
      'cancelled',
      'initialized',
      'roots/list_changed',
      'progress',
      'unheard',
    ]) {
      for (const params of ['', ',"params":null', ',"params":{}', ',"params":[1]']) {
        pipe.write(`{"jsonrpc":"2.0","method":"notifications/${method}"${params}}\n`);
      }
    }
    expect(await ask(`${echo('"heard"')}\n`, '"heard"')).toHaveProperty('result');
  });

  it('that name a thing twice are refused: we and the server might read different ones', async () => {
    const answer = await ask(
      '{"jsonrpc":"2.0","id":"two","method":"tools/call","params":{"name":"plain:echo","name":"plain:crash"}}\n',
      '"two"',
    );
    expect(answer).toHaveProperty('error.code', -32600);
  });

  it('call a tool by its name and read a resource by its URI, with any other members', async () => {
    const read = await ask(
      '{"jsonrpc":"2.0","id":"r","method":"resources/read","params":{"name":"plain:echo","uri":"plain://static"}}\n',
      '"r"',
    );
    expect(read.result.contents[0].text).toBe('This never changes');
    const call = await ask(
      '{"jsonrpc":"2.0","id":"c","method":"tools/call","params":{"uri":"plain:echo"}}\n',
      '"c"',
    );
    expect(call).toHaveProperty('error.message', 'Invalid params: name must be a string');
  });

  it('may be nested deeply, and do not crash if nested too deeply', async () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    const answer = await ask(`${echo('"deep"', `{"d":${nested(400)}}`)}\n`, '"deep"');
    expect(JSON.stringify(answer.result.structuredContent.d)).toBe(nested(400));
    const deep = await ask(`${echo('"too deep"', `{"d":${nested(100_000)}}`)}\n`, '"too deep"');
    expect(deep).toHaveProperty('error.code', -32600);
    expect(await ask(`${echo('"alive"')}\n`, '"alive"')).toHaveProperty('result');
  });
});

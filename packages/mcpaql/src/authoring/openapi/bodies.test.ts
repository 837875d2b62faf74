import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { deskFor, send } from '../../../../../test/adapters/desk.js';
import { type Answerer, startTarget } from '../../../../../test/adapters/target.js';
import { parseAdapter } from '../../adapter/parse-adapter.js';
import { readEnvelope, type ToolResult } from '../../protocol/envelope.js';
import { createAdapterSource } from '../../source/adapter-source.js';
import { reviewAdapter } from '../imported/review-adapter.js';
import { adapterFromOpenApi } from './import-openapi.js';

/** One reviewed operation `do_it` with a real target. `files` are folders for uploads. */
async function operationOf(
  line: string,
  operation: object,
  { files = [] as string[], answer = undefined as Answerer | undefined } = {},
) {
  const [method, path] = line.split(' ') as [string, string];
  const responses = { 200: { description: 'Fine' } };
  const imported = adapterFromOpenApi(
    JSON.stringify({
      openapi: '3.0.0',
      info: { title: 'Bodies', version: '1.0.0' },
      servers: [{ url: 'https://bodies.example' }],
      paths: {
        [path]: { [method.toLowerCase()]: { operationId: 'doIt', responses, ...operation } },
      },
    }),
  );
  if (!imported.ok) throw new Error(JSON.stringify(imported.report.findings));
  const review = reviewAdapter(imported.adapter, 'a.md');
  const text = review.ok ? review.accept(['do_it']) : '';
  const withFiles = text.replace(
    'transport: http\n',
    () => `transport: http\n  files: ${JSON.stringify(files)}\n`,
  );
  const parsed = parseAdapter(withFiles, 'a.md');
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const target = await startTarget(answer);
  const desk = deskFor(createAdapterSource(parsed.adapter, { env: {}, baseUrl: target.origin }));
  const { endpoint } = parsed.adapter.operations.get('do_it')!;
  const call = (params: object) => desk.ask(endpoint, { operation: 'do_it', params });
  const ask = async (args: object): Promise<ToolResult> => {
    const { json } = await send(desk.source, desk.tool(endpoint), args);
    return JSON.parse(json) as ToolResult;
  };
  return { adapter: parsed.adapter, target, call, ask, findings: imported.report.findings };
}

const body = (type: string, schema: object, required = false) => ({
  requestBody: { required, content: { [type]: { schema } } },
});

describe('A7: bodies that are not JSON', () => {
  const upload = body('multipart/form-data', {
    type: 'object',
    required: ['file'],
    properties: { file: { type: 'string', format: 'binary' }, note: { type: 'string' } },
  });

  it('an optional multipart body is imported, and a file is sent by its content', async () => {
    const { call, target } = await operationOf('POST /files', upload);
    const file = {
      base64: Buffer.from('hello').toString('base64'),
      name: 'a.txt',
      type: 'text/plain',
    };
    expect(await call({ file, note: 'n' })).toMatchObject({ success: true });
    const [asked] = target.asked;
    expect(asked?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(asked?.body).toMatch(
      /name="file"; filename="a.txt"\r\nContent-Type: text\/plain\r\n\r\nhello\r\n/,
    );
    expect(asked?.body).toMatch(/name="note"\r\n\r\nn\r\n/);
    expect((await call({ file: 'hello' })).error?.message).toContain('base64');
  });

  it('a file is sent by its path only inside the folders that the adapter allows', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'callsign-files-'));
    const outside = mkdtempSync(join(tmpdir(), 'callsign-outside-'));
    writeFileSync(join(folder, 'in.txt'), 'inside');
    writeFileSync(join(outside, 'out.txt'), 'outside');
    symlinkSync(join(outside, 'out.txt'), join(folder, 'link.txt'));
    const { call, target } = await operationOf('POST /files', upload, { files: [folder] });
    expect(await call({ file: { path: 'in.txt' } })).toMatchObject({ success: true });
    expect(target.asked[0]?.body).toContain('inside');
    for (const path of ['../out.txt', 'link.txt', join(outside, 'out.txt'), '/etc/hostname', '.']) {
      expect((await call({ file: { path } })).error?.code).toBe('PERMISSION_DENIED');
    }
    expect(target.asked).toHaveLength(1);
    const none = await operationOf('POST /files', upload);
    expect((await none.call({ file: { path: join(folder, 'in.txt') } })).error?.message).toContain(
      'target.files',
    );
  });

  it('binary, text and form bodies are sent in their own format', async () => {
    const image = await operationOf(
      'PUT /image',
      body('image/png', { type: 'string', format: 'binary' }),
    );
    await image.call({ body: { base64: Buffer.from([1, 2, 3]).toString('base64') } });
    expect(image.target.asked[0]).toMatchObject({
      body: '\u0001\u0002\u0003',
      headers: { 'content-type': 'image/png' },
    });
    const xml = await operationOf('PUT /xml', body('application/xml', { type: 'string' }));
    await xml.call({ body: '<a/>' });
    expect(xml.target.asked[0]).toMatchObject({
      body: '<a/>',
      headers: { 'content-type': 'application/xml' },
    });
    const form = await operationOf(
      'POST /form',
      body('application/x-www-form-urlencoded', {
        type: 'object',
        properties: { a: { type: 'array', items: { type: 'string' } } },
      }),
    );
    await form.call({ a: ['x', 'y z'] });
    expect(form.target.asked[0]?.body).toBe('a=x&a=y+z');
  });

  it.each([
    ['image/png', { type: 'image', data: '/wCA', mimeType: 'image/png' }],
    ['audio/mpeg', { type: 'audio', data: '/wCA', mimeType: 'audio/mpeg' }],
    [
      'application/pdf; version=2',
      {
        type: 'resource',
        resource: {
          uri: 'mcpaql://attachments/1',
          mimeType: 'application/pdf',
          blob: '/wCA',
        },
      },
    ],
  ])('a binary answer is separate content besides the text: %s', async (type, content) => {
    const answer: Answerer = (_, response) => {
      response.writeHead(200, { 'content-type': type }).end(Buffer.from([0xff, 0x00, 0x80]));
    };
    const media = { [type.split(';')[0]!]: {} };
    const responses = { 200: { description: 'A file', content: media } };
    const { ask } = await operationOf('GET /file', { responses }, { answer });
    const single = await ask({ operation: 'do_it', params: {} });
    expect(single.content.slice(1)).toEqual([content]);
    expect(single.content[0].text).not.toContain('/wCA');
    expect(JSON.parse(single.content[0].text)).toMatchObject({
      success: true,
      data: { content_type: type, size: 3, attachment: 1 },
    });
    expect(readEnvelope(single)).toMatchObject({
      data: { content_type: type, size: 3, base64: '/wCA' },
    });
    const item = { operation: 'do_it', params: {} };
    const batch = await ask({ operations: [item, item] });
    expect(batch.content).toHaveLength(3);
    expect(batch.content[0].text).toContain('"attachment":2');
  });
});

describe('A10: parameters that are objects, and cookies', () => {
  const point = { type: 'object', properties: { x: { type: 'integer' }, y: { type: 'integer' } } };
  const param = (place: string, more: object = {}) => ({
    parameters: [{ name: 'point', in: place, required: true, schema: point, ...more }],
  });

  it.each([
    ['GET /at/{point}', param('path'), '/at/x,1,y,2'],
    ['GET /at/{point}', param('path', { explode: true }), '/at/x=1,y=2'],
    ['GET /at', param('query', { explode: false }), '/at?point=x,1,y,2'],
    [
      'GET /at',
      param('query', { schema: { type: 'object', additionalProperties: true } }),
      '/at?x=1&y=2',
    ],
    [
      'GET /at',
      param('query', {
        style: 'deepObject',
        schema: { type: 'object', additionalProperties: true },
      }),
      '/at?point%5Bx%5D=1&point%5By%5D=2',
    ],
  ])('%s follows the specification', async (line, operation, url) => {
    const { call, target } = await operationOf(line, operation);
    expect(await call({ point: { x: 1, y: 2 } })).toMatchObject({ success: true });
    expect(target.asked[0]?.url).toBe(url);
  });

  it('headers and cookies too', async () => {
    const header = await operationOf('GET /at', param('header'));
    await header.call({ point: { x: 1, y: 2 } });
    expect(header.target.asked[0]?.headers['point']).toBe('x,1,y,2');
    const cookie = await operationOf('GET /at', {
      parameters: [{ name: 'debug', in: 'cookie', schema: { type: 'integer' } }],
    });
    await cookie.call({ debug: 1 });
    expect(cookie.target.asked[0]?.headers['cookie']).toBe('debug=1');
  });

  it('A16: a fragment of a path is not sent', async () => {
    const { call, target } = await operationOf('GET /at#Action=ListThings', {
      operationId: 'doIt',
    });
    await call({});
    expect(target.asked[0]?.url).toBe('/at');
  });
});

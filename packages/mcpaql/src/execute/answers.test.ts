import { describe, expect, it } from 'vitest';

import { adapterWith } from '../../../../test/adapters/adapters.js';
import { deskFor } from '../../../../test/adapters/desk.js';
import { type Answerer, startTarget } from '../../../../test/adapters/target.js';
import { createAdapterSource } from '../source/adapter-source.js';

const TOKEN = 'a-token-of-ours';
const WRITE = { operation: 'make_ship', params: { name: 'Aurora', pin: 'swordfish' } };

async function deskWith(answer: Answerer) {
  const target = await startTarget(answer);
  const text = { type: 'string' };
  const adapter = adapterWith({
    auth: { type: 'bearer', token_env: 'T' },
    operations: {
      read: [
        {
          name: 'get_ship',
          maps_to: 'GET /ships/{id}',
          params: { id: { type: 'integer', required: true } },
        },
        { name: 'get_text', maps_to: 'GET /text', response: { format: 'text' } },
      ],
      create: [
        {
          name: 'make_ship',
          maps_to: 'POST /ships',
          params: {
            name: text,
            pin: { ...text, sensitive: true },
            owner: { type: 'integer' },
            crew: { type: 'array', items: { type: 'integer', maximum: 1e18 } },
            cargo: { type: 'object', properties: { code: text, owner: { type: 'integer' } } },
            tag: { type: 'union', one_of: [text, { type: 'integer' }] },
          },
        },
      ],
    },
  });
  const source = createAdapterSource(adapter, { env: { T: TOKEN }, baseUrl: target.origin });
  return { desk: deskFor(source), target };
}

/** The error of a call that the target answers like this. */
async function errorFor(status: number, body: string | object, type = 'application/json') {
  const { desk } = await deskWith((_, response) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    response.writeHead(status, { 'content-type': type }).end(text);
  });
  return (await desk.ask('create', WRITE)).error!;
}

describe('an error of the target', () => {
  it.each<[string, object, string, unknown]>([
    [
      'GitHub',
      {
        message: 'Validation Failed',
        errors: [{ resource: 'Issue', field: 'title', code: 'missing_field' }],
        documentation_url: 'https://docs.example/issues',
        status: '422',
      },
      'Validation Failed',
      {
        errors: [{ resource: 'Issue', field: 'title', code: 'missing_field' }],
        documentation_url: 'https://docs.example/issues',
        status: '422',
      },
    ],
    [
      'a problem of RFC 9457',
      {
        type: 'https://api.example/too-long',
        title: 'The name is too long',
        status: 422,
        detail: 'At most 5 characters',
        'invalid-params': [{ name: 'name', reason: 'too long' }],
      },
      'The name is too long: At most 5 characters',
      {
        type: 'https://api.example/too-long',
        'invalid-params': [{ name: 'name', reason: 'too long' }],
      },
    ],
    [
      'JSON:API',
      { errors: [{ detail: 'is taken', source: { pointer: '/data/attributes/name' } }] },
      'is taken',
      { errors: [{ detail: 'is taken', source: { pointer: '/data/attributes/name' } }] },
    ],
    [
      'FastAPI',
      { detail: [{ loc: ['body', 'name'], msg: 'field required', type: 'missing' }] },
      'The target does not accept the request (HTTP 422).',
      { detail: [{ loc: ['body', 'name'], msg: 'field required', type: 'missing' }] },
    ],
    [
      'Django',
      { name: ['Ensure this field has no more than 5 characters.'] },
      'The target does not accept the request (HTTP 422).',
      { name: ['Ensure this field has no more than 5 characters.'] },
    ],
    [
      'Google',
      { error: { code: 400, message: 'Bad', details: [{ fieldViolations: [{ field: 'a' }] }] } },
      'Bad',
      { error: { code: 400, details: [{ fieldViolations: [{ field: 'a' }] }] } },
    ],
  ])('B13: of %s has its fields', async (_, body, message, rest) => {
    const error = await errorFor(422, body);
    expect(error.message.replace('The target says: ', '')).toBe(message);
    expect(error.details).toEqual({ http_status: 422, target_error: rest });
  });

  it('B13: has no rest if its message says everything', async () => {
    expect((await errorFor(400, { success: false, error: 'bad' })).details).toEqual({
      http_status: 400,
    });
    expect(await errorFor(400, 'No such\tberth', 'text/plain')).toMatchObject({
      message: 'The target says: No such berth',
      details: { http_status: 400 },
    });
    expect((await errorFor(400, '<p>no</p>', 'text/html')).message).not.toContain('<p>');
  });

  it('B13: contains no secret, and nothing of the target’s code', async () => {
    const error = await errorFor(422, {
      message: `pin swordfish of ${TOKEN} is weak`,
      request: { pin: 'swordfish', authorization: `Bearer ${TOKEN}` },
      hint: `use ghp_${'a1B2'.repeat(9)}, not this`,
      stackTrace: 'at /srv/app/ships.js:12',
      exception: { file: '/srv/app/ships.php' },
    });
    expect(JSON.stringify(error)).not.toMatch(/swordfish|a-token|a1B2|\/srv/);
    expect(error.message).toBe('The target says: pin [redacted] of [redacted] is weak');
    expect(error.details['target_error']).toEqual({
      request: { pin: '[redacted]', authorization: 'Bearer [redacted]' },
      hint: 'use [redacted], not this',
    });
  });

  it('B13: is short, however long the target’s is', async () => {
    const one = { field: 'name', message: 'x'.repeat(5_000) };
    for (const body of [
      { message: 'Many', errors: Array.from({ length: 500 }, () => one) },
      {
        message: 'y'.repeat(9_000),
        nested: JSON.parse(`${'['.repeat(500)}1${']'.repeat(500)}`) as unknown,
      },
      {
        message: 'Keys',
        errors: Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`k${i}`, 'x'])),
      },
    ]) {
      const error = await errorFor(422, body);
      expect(error.details).toHaveProperty('target_error');
      expect(JSON.stringify(error).length).toBeLessThan(2_500);
    }
  });
});

describe('numbers past 2^53', () => {
  const LARGE = '9007199254740993';

  it('B14: are returned as text, all of them', async () => {
    const body = `{"id":${LARGE},"ids":[9007199254740992,-${LARGE},9007199254740991],"a\\"b":"${LARGE} c","d":0.1234567890123456,"e":1e22}`;
    const { desk } = await deskWith((_, response) => response.end(body));
    const { data } = await desk.ask('read', { operation: 'get_ship', params: { id: 1 } });
    expect(data).toEqual({
      id: LARGE,
      ids: ['9007199254740992', `-${LARGE}`, 9007199254740991],
      'a"b': `${LARGE} c`,
      d: 0.1234567890123456,
      e: 1e22,
    });
  });

  it('B14: are sent as text says, and as numbers where the API has numbers', async () => {
    const { desk, target } = await deskWith((_, response) => response.end('{}'));
    await desk.ask('read', { operation: 'get_ship', params: { id: LARGE } });
    await desk.ask('create', {
      operation: 'make_ship',
      params: {
        name: LARGE,
        owner: LARGE,
        crew: [1, LARGE],
        cargo: { code: LARGE, owner: `-${LARGE}` },
        tag: LARGE,
      },
    });
    expect(target.asked[0]!.url).toBe(`/ships/${LARGE}`);
    expect(target.asked[1]!.body).toBe(
      `{"name":"${LARGE}","owner":${LARGE},"crew":[1,${LARGE}],"cargo":{"code":"${LARGE}","owner":-${LARGE}},"tag":"${LARGE}"}`,
    );
  });

  it('B14: are refused as numbers, which have been rounded, and above a limit', async () => {
    const { desk, target } = await deskWith((_, response) => response.end('{}'));
    const ask = (params: object) => desk.ask('create', { operation: 'make_ship', params });
    const { error } = await ask({ owner: 9007199254740992 });
    expect(error).toMatchObject({ code: 'VALIDATION_INVALID_TYPE' });
    expect(error!.message).toContain('write it as text, in quotes');
    for (const owner of ['12', '09007199254740993', '9007199254740993.5', 'x'.repeat(20)]) {
      expect((await ask({ owner })).error?.code, owner).toBe('VALIDATION_INVALID_TYPE');
    }
    expect((await ask({ crew: ['1000000000000000001000'] })).error?.code).toBe(
      'VALIDATION_OUT_OF_RANGE',
    );
    expect(target.asked).toHaveLength(0);
  });
});

describe('the charset of an answer', () => {
  it.each<[string, string, Uint8Array]>([
    ['text/plain; charset=ISO-8859-1', 'Müller', Buffer.from('Müller', 'latin1')],
    ['text/plain; charset="windows-1252"; x=y', '5 €', Buffer.from([0x35, 0x20, 0x80])],
    ['text/plain; charset=shift_jis', '船', Buffer.from([0x91, 0x44])],
    ['text/plain', 'Müller', Buffer.from('Müller', 'latin1')],
    ['text/plain', 'Müller', Buffer.from('Müller')],
    ['text/plain; charset=nobody', 'Müller', Buffer.from('Müller')],
    ['text/plain', 'Müller', Buffer.from('\ufeffMüller', 'utf16le')],
    ['text/plain; charset=latin1', 'Müller', Buffer.from('\ufeffMüller')],
  ])('B14: is kept for %s: %s', async (type, text, bytes) => {
    const { desk } = await deskWith((_, response) =>
      response.writeHead(200, { 'content-type': type }).end(bytes),
    );
    const { data } = await desk.ask('read', { operation: 'get_text' });
    expect(data).toBe(text);
  });

  it('B14: is kept in JSON', async () => {
    const { desk } = await deskWith((_, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json; charset=iso-8859-1' })
        .end(Buffer.from('{"name":"Müller"}', 'latin1')),
    );
    const { data } = await desk.ask('read', { operation: 'get_ship', params: { id: 1 } });
    expect(data).toEqual({ name: 'Müller' });
  });
});

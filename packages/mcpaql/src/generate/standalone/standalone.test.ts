/** What stands in for libraries and rooms in a generated package, held against what it stands in for. */

import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

import { ENDPOINTS } from '@callsign/annotations';
import { HouseError } from '@callsign/core';
import realIpaddr from 'ipaddr.js';
import { describe, expect, it, onTestFinished } from 'vitest';

import { isLoopbackName as realIsLoopbackName } from '../../adapter/target-problems.js';
import { callOf } from '../../testing/desk.js';
import { serverWith } from '../../testing/server.js';
import * as house from './house.js';
import ipaddr from './ip-address.js';
import { isLoopbackName } from './loopback-name.js';
import { Agent, fetch } from './plain-http.js';

/** The kinds that the rule tells apart; all others are refused alike. */
const OWN = ['unicast', 'loopback', 'private', 'uniqueLocal', 'carrierGradeNat', 'linkLocal'];
const told = (kind: string): string => (OWN.includes(kind) ? kind : 'special');

describe('addresses', () => {
  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.15.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '172.32.0.1',
    '192.0.2.1',
    '192.168.0.1',
    '198.18.0.1',
    '203.0.113.9',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:10.0.0.1',
    '::ffff:8.8.8.8',
    '2606:4700::1111',
    '2001:db8::1',
    '2001::1',
    '2002:7f00:1::',
    '64:ff9b::7f00:1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'ff02::1',
    '100::1',
  ])('%s is of the same kind', (address) => {
    const real = told(realIpaddr.process(address).range());
    expect(told(ipaddr.process(address).range())).toBe(real);
    expect(ipaddr.isValid(address)).toBe(true);
  });

  it.each(['', 'example.org', '1.2.3.256', '::g'])('%j is none', (address) => {
    expect(ipaddr.isValid(address)).toBe(false);
  });

  it.each(['localhost', '127.0.0.1', '127.1.2.3', '[::1]', 'localhost.example', '10.0.0.1', ''])(
    '%j means this machine, or not, for both',
    (name) => {
      expect(isLoopbackName(name)).toBe(realIsLoopbackName(name));
    },
  );
});

describe('what is taken from the rooms', () => {
  it('endpoints and the error for a caller who has left are theirs', () => {
    expect(house.ENDPOINTS satisfies readonly house.Endpoint[]).toEqual(ENDPOINTS);
    const [mine, theirs] = [
      new house.HouseError('call-cancelled'),
      new HouseError('call-cancelled'),
    ];
    expect([mine.message, mine.code]).toEqual([theirs.message, theirs.code]);
  });

  it('a call of the core is a call there, and its reply a reply', async () => {
    const source = serverWith([{ name: 'x' }]).source;
    const call: house.Call = callOf('{"name":"x","arguments":{"a":[1,2]}}');
    const reply: house.Reply = await source.route('tool', 'x')!.send(callOf('{"name":"x"}'));
    expect([call.isCancelled, call.caller.era, reply.ok]).toEqual([false, 'session', true]);
    const args = house.memberText(call.params, 'arguments')!;
    const range: house.Range = house.membersOf(args)!.get('a')!;
    expect(house.elementsOf(args.slice(range.start, range.end))).toEqual(['1', '2']);
    expect(house.editDistance('ship', 'shop', 3)).toBe(1);
  });
});

describe('fetch over Node’s own HTTP', () => {
  async function serve(listener: RequestListener): Promise<URL> {
    const server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/a?b=c`);
  }
  const dispatcher = new Agent({ connect: {} });

  it('sends what it is given, and gives what comes back', async () => {
    const url = await serve((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        response.writeHead(201, { 'x-list': ['1', '2'], 'content-type': 'text/plain' });
        response.end(`${request.method} ${request.url} ${request.headers['x-key']} ${body}`);
      });
    });
    const init = { method: 'POST', headers: { 'X-Key': 'k' }, body: 'ä' };
    const response = await fetch(url, { ...init, dispatcher });
    expect(response.status).toBe(201);
    expect(response.headers.get('x-list')).toBe('1, 2');
    expect(await response.text()).toBe('POST /a?b=c k ä');
  });

  it('an answer without a body has none', async () => {
    const url = await serve((_, response) => response.writeHead(204).end());
    const response = await fetch(url, { dispatcher });
    expect([response.status, response.body]).toEqual([204, null]);
  });

  it('names are resolved as it is told, and what the resolver throws comes back', async () => {
    const refusal = new Error('not that one');
    const refusing = new Agent({ connect: { lookup: (_, __, callback) => callback(refusal, '') } });
    await expect(fetch(new URL('http://name.invalid'), { dispatcher: refusing })).rejects.toBe(
      refusal,
    );
  });

  it('a closed port is a refused connection', async () => {
    const url = await serve(() => undefined);
    const closed = new URL(url);
    closed.port = '1';
    await expect(fetch(closed, { dispatcher })).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('ends with the reason of whoever gives up, before the answer and within it', async () => {
    const before = new AbortController();
    const url = await serve(() => before.abort(new Error('enough')));
    await expect(fetch(url, { dispatcher, signal: before.signal })).rejects.toThrow('enough');

    const within = new AbortController();
    const slow = await serve((_, response) => {
      response.write('first');
    });
    const response = await fetch(slow, { dispatcher, signal: within.signal });
    within.abort(new Error('too long'));
    await expect(response.text()).rejects.toThrow('too long');
    await expect(fetch(slow, { dispatcher, signal: within.signal })).rejects.toThrow('too long');
  });
});

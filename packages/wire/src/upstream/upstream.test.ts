import { setTimeout as pause } from 'node:timers/promises';

import { Call, type Caller, type Era } from '@callsign/core';
import { describe, expect, it, onTestFinished } from 'vitest';

import type { ChannelEvents } from '../rpc/stream/channel.js';
import type { UpstreamOptions } from './upstream-options.js';
import { StateHolder } from './upstream-state.js';
import { Upstream } from './upstream.js';

interface Request {
  readonly id?: number;
  readonly method: string;
}

interface Line {
  /** Which start this is, from 1. */
  readonly start: number;
  say(message: object): void;
  die(): void;
}

/** The server's answer to a request. `undefined`: no answer. */
type Script = (request: Request, line: Line) => object | undefined;

const INITIALIZED = { protocolVersion: '2025-11-25', capabilities: { tools: {} } };
const DISCOVERED = { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } };
const REFUSED = { error: { code: -32601, message: 'Method not found' } };
const tools = (...names: string[]): object => ({
  result: { tools: names.map((name) => ({ name })) },
});

/** An upstream over a server that is a function. `endMs`: how long its process takes to end. */
function serve(script: Script, more: Partial<UpstreamOptions> = {}, endMs = 0) {
  let starts = 0;
  let running = 0;
  const open = () => (events: ChannelEvents) => {
    const start = ++starts;
    running++;
    let isOpen = true;
    let hasEnded = false;
    const later = (work: () => void): void => void setImmediate(() => isOpen && work());
    const line: Line = {
      start,
      say: (message) => later(() => events.onText(JSON.stringify({ jsonrpc: '2.0', ...message }))),
      die: () =>
        later(() => {
          isOpen = false;
          events.onClose('it died');
        }),
    };
    return {
      backlog: 0,
      abandon: () => false,
      send(text: string) {
        const request = JSON.parse(text) as Request;
        const answer = script(request, line);
        if (answer && request.id !== undefined) line.say({ id: request.id, ...answer });
      },
      async close() {
        isOpen = false;
        if (endMs > 0) await pause(endMs);
        if (!hasEnded) running--;
        hasEnded = true;
      },
    };
  };
  const upstream = new Upstream({
    key: 'kid',
    transport: { onePipe: true, open },
    self: { name: 'callsign', version: '1' },
    restart: { initialMs: 1, maxMs: 1, giveUpAfter: 5 },
    ...more,
  });
  onTestFinished(() => upstream.stop());
  return { upstream, starts: () => starts, running: () => running };
}

function callOf(name: string, era: Era): Call {
  const client = { name: 'test', version: '1' };
  const caller: Caller = { id: 'test', era, client, capabilities: '{}', can: () => false };
  const none = { nameStart: -1, nameEnd: -1, tokenStart: -1, tokenEnd: -1 };
  return new Call({ method: 'tools/call', params: '{}', name, caller, ...none });
}

const namesIn = ({ offer }: Upstream): string[] => offer.tool.map(({ name }) => name);

describe('a server behind us', () => {
  it('is asked again if its lists change while we fetch them', async () => {
    let listed = 0;
    const { upstream } = serve(({ method }, line) => {
      if (method === 'initialize') return { result: INITIALIZED };
      if (method !== 'tools/list') return REFUSED;
      if (++listed > 1) return tools('old', 'new');
      line.say({ method: 'notifications/tools/list_changed' });
      return tools('old');
    });
    await upstream.start();
    expect(namesIn(upstream)).toEqual(['old']);
    await expect.poll(() => namesIn(upstream)).toEqual(['old', 'new']);
  });

  it('that fails on the probe for its era is started again without it', async () => {
    const { upstream, starts } = serve(({ method }, line) => {
      if (method === 'server/discover') return void line.die();
      return method === 'initialize' ? { result: INITIALIZED } : tools('add');
    });
    await upstream.start();
    await expect.poll(() => upstream.state.is).toBe('ready');
    expect(starts()).toBe(2);
  });

  it('of the stateless era works after a failed first start', async () => {
    const { upstream, starts } = serve(({ method }, line) => {
      if (line.start === 1) return void line.die();
      if (method === 'server/discover') return { result: DISCOVERED };
      return method === 'tools/list' ? tools('add') : REFUSED;
    });
    await upstream.start();
    await expect.poll(() => upstream.state.is).toBe('ready');
    expect(starts()).toBe(3);
  });

  it('D9: causes no warning if it announces a kind of list that it does not have', async () => {
    const warned: string[] = [];
    const { upstream } = serve(
      ({ method }) => {
        const capabilities = { tools: {}, resources: {}, prompts: {} };
        if (method === 'initialize') return { result: { ...INITIALIZED, capabilities } };
        return method === 'tools/list' ? tools('add') : REFUSED;
      },
      { log: (level, message) => warned.push(`${level}: ${message}`) },
    );
    await upstream.start();
    expect(upstream.state).toEqual({ is: 'ready' });
    expect(warned).toEqual([]);
  });

  it('that fails to list its tools is quoted, without the rest of its error', async () => {
    const { upstream } = serve(({ method }) => {
      if (method === 'initialize') return { result: INITIALIZED };
      return { error: { code: -32603, message: 'No list today', data: { retry: false } } };
    });
    await upstream.start();
    expect(upstream.state).toEqual({
      is: 'ready',
      failures: ['tools/list failed: "No list today"'],
    });
  });

  it('that is stopped while it lists its tools causes no warning', async () => {
    const logged: string[] = [];
    let isAsked = false;
    const { upstream } = serve(
      ({ method }) => {
        isAsked ||= method === 'tools/list';
        if (method === 'initialize') return { result: INITIALIZED };
        return method === 'server/discover' ? REFUSED : undefined;
      },
      { log: (level, message) => logged.push(`${level}: ${message}`) },
    );
    const started = upstream.start();
    await expect.poll(() => isAsked).toBe(true);
    await upstream.stop();
    await started;
    expect(logged).toEqual([]);
  });

  it('says why it did not start', async () => {
    const { upstream } = serve((_request, line) => void line.die(), {
      restart: { initialMs: 1, maxMs: 1, giveUpAfter: 1 },
    });
    await upstream.start();
    expect(upstream.state).toEqual({ is: 'failed', reason: 'it died' });
  });

  it('of both eras whose second process fails is not started for every call', async () => {
    const { upstream, starts } = serve(({ method, id }, line) => {
      if (line.start > 1) return void line.die();
      if (method === 'server/discover') return { result: DISCOVERED };
      if (method === 'initialize') return { result: INITIALIZED };
      return method === 'tools/list' ? tools('add') : { result: { answers: id } };
    });
    await upstream.start();
    const route = upstream.route('tool', 'add')!;
    for (let n = 0; n < 10; n++) {
      expect(await route.send(callOf('add', 'stateless'))).toMatchObject({ ok: true });
    }
    expect(starts()).toBe(2);
  });

  it('stops even if its second process never answers', async () => {
    const { upstream, starts } = serve(({ method }, line) => {
      if (line.start > 1) return undefined;
      if (method === 'server/discover') return { result: DISCOVERED };
      return method === 'initialize' ? { result: INITIALIZED } : tools('add');
    });
    await upstream.start();
    const pending = upstream.route('tool', 'add')!.send(callOf('add', 'stateless'));
    await expect.poll(starts).toBe(2);
    await upstream.stop();
    expect(await pending).toMatchObject({ ok: false });
  });

  it('that ends at the probe is settled only after a start without it', async () => {
    const { upstream, starts } = serve(({ method }, line) => {
      if (method === 'server/discover') return void line.die();
      return method === 'initialize' ? { result: INITIALIZED } : tools('add');
    });
    void upstream.start();
    await upstream.settled;
    expect([upstream.state.is, starts(), upstream.restarts]).toEqual(['ready', 2, 0]);
  });

  it('fails its calls with the reason when it dies, and announces the change', async () => {
    let changes = 0;
    const { upstream } = serve(({ method }, line) => {
      if (method === 'tools/call') return void line.die();
      return method === 'initialize' ? { result: INITIALIZED } : tools('add');
    });
    upstream.subscribe(({ type }) => type === 'changed' && changes++);
    await upstream.start();
    const route = upstream.route('tool', 'add')!;
    const { json } = await route.send(callOf('add', 'session'));
    expect(JSON.parse(json)).toMatchObject({
      data: { code: 'upstream-closed', reason: 'it died' },
    });
    expect(namesIn(upstream)).toEqual(['add']);
    expect(changes).toBe(1);
  });

  it('D3: offers what it offered last, and a call waits until it is ready', async () => {
    const offers: string[] = [];
    let changes = 0;
    const { upstream } = serve(
      ({ method, id }) => {
        if (method === 'initialize') return { result: INITIALIZED };
        return method === 'tools/call' ? { result: { answers: id } } : tools('add', 'fresh');
      },
      {
        cached: {
          lists: {
            tool: [{ name: 'add', json: '{"name":"add"}' }],
            prompt: [],
            resource: [],
            template: [],
          },
          capabilities: '{"tools":{}}',
        },
        onOffer: ({ lists }) => offers.push(lists.tool.map(({ name }) => name).join()),
      },
    );
    upstream.subscribe(({ type }) => type === 'changed' && changes++);
    expect(namesIn(upstream)).toEqual(['add']);
    const reply = upstream.route('tool', 'add')!.send(callOf('add', 'session'));
    expect(upstream.callsUnderWay).toBe(1);
    await upstream.start();
    expect(await reply).toMatchObject({ ok: true });
    expect(namesIn(upstream)).toEqual(['add', 'fresh']);
    expect([changes, offers]).toEqual([1, ['add,fresh']]);
  });

  it('F5: refuses waiting calls with the reason when it fails again and again', async () => {
    const { upstream } = serve(
      ({ method }, line) => {
        if (line.start > 1 || method === 'tools/call') return void line.die();
        return method === 'initialize' ? { result: INITIALIZED } : tools('add');
      },
      { explain: (reason) => `${reason}, sadly`, advice: 'Ask a doctor', startAgain: 'Ask again' },
    );
    await upstream.start();
    const route = upstream.route('tool', 'add')!;
    expect((await route.send(callOf('add', 'session'))).fault).toMatchObject({
      code: 'upstream-closed',
      details: { reason: 'it died, sadly' },
    });
    const { fault } = await route.send(callOf('add', 'session'));
    expect(fault).toMatchObject({ code: 'upstream-unavailable' });
    expect(fault?.message).toContain('it died, sadly');
    await expect.poll(() => upstream.state.is).toBe('failed');
    expect(namesIn(upstream)).toEqual(['add']);
    const { fault: last } = await route.send(callOf('add', 'session'));
    expect(last?.message).toBe(
      'Server "kid" is not available: it died, sadly. Ask a doctor. Ask again',
    );
  });

  it('cancels a call that waits for it', async () => {
    const { upstream } = serve(() => undefined, {
      cached: {
        lists: {
          tool: [{ name: 'a', json: '{"name":"a"}' }],
          prompt: [],
          resource: [],
          template: [],
        },
        capabilities: '{}',
      },
    });
    void upstream.start();
    const call = callOf('a', 'session');
    const reply = upstream.route('tool', 'a')!.send(call);
    call.context.cancel();
    expect(await reply).toMatchObject({ ok: false, fault: { code: 'call-cancelled' } });
    expect(upstream.callsUnderWay).toBe(0);
  });
});

describe('a restart by the operator', () => {
  it('starts one process, even while the last one is still ending', async () => {
    let line: Line | undefined;
    const { upstream, starts, running } = serve(
      ({ method }, own) => {
        line = own;
        if (method === 'initialize') return { result: INITIALIZED };
        return method === 'tools/list' ? tools('x') : REFUSED;
      },
      {},
      200,
    );
    await upstream.start();
    line!.die();
    // The next start waits for the process.
    await expect.poll(() => upstream.state.is).toBe('waiting');
    await pause(50);
    await upstream.tryAgain();
    await pause(300);
    expect([upstream.state.is, starts(), running()]).toEqual(['ready', 2, 1]);
    await upstream.stop();
    expect(running()).toBe(0);
  });
});

describe('a call that waits for a start', () => {
  it('leaves nothing behind when it is cancelled', () => {
    const state = new StateHolder(() => 1_000);
    const heard: string[] = [];
    state.whenDecided(() => heard.push('first'))();
    state.whenDecided(() => heard.push('second'));
    state.become({ is: 'ready' });
    state.whenDecided(() => heard.push('third'));
    state.become({ is: 'stopped' });
    expect(heard).toEqual(['second', 'third']);
  });
});

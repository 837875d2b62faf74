import { resultOf } from '@callsign/core';
import type { Call, Decision, Module, Next, Parts, Principal, Reply, Target } from '@callsign/core';
import { describe, expect, it } from 'vitest';

import { configured, plain, serveAll } from '../testing/served.js';

/** A gateway with one server and one user's module. */
function servedWith(create: Module<never>['create']) {
  const module: Module<never> = { name: 'mine', create };
  return serveAll({ s: plain() }, {}, { modules: [{ module }] });
}

describe('a user’s module without an objection', () => {
  it.each([
    ['at once', () => undefined],
    ['later', async () => undefined],
  ])('lets calls through if it says so %s', async (_, decide) => {
    const client = await (await servedWith(() => ({ decide }))).connect();
    expect((await client.call('s:echo', { a: 1 })).result?.structuredContent).toEqual({ a: 1 });
  });

  it.each([null, {}, 'allow', { decision: 'allow' }])(
    'is not meant by %j: the call is refused',
    async (wrong) => {
      const decide = () => wrong as unknown as Decision;
      const client = await (await servedWith(() => ({ decide }))).connect();
      expect((await client.call('s:echo')).error?.message).toContain('decide must return');
    },
  );
});

/** Everything is a method of the prototype and needs the state that `open` sets. */
class Ledger {
  #state = 'new';
  readonly log: string[];

  constructor(log: string[]) {
    this.log = log;
  }

  open(): void {
    this.#state = 'open';
  }

  close(): void {
    this.log.push(`close ${this.#state}`);
  }

  reload(): void {
    this.log.push(`reload ${this.#state}`);
  }

  decide(): Decision {
    return { decision: this.#state === 'open' ? 'allow' : 'deny', rule: this.#state };
  }

  sees(_: Principal | undefined, target: Target): boolean {
    return this.#state === 'open' && target.ref.tool === 'echo';
  }

  async intercept(call: Call, next: Next): Promise<Reply> {
    return call.params.includes('own') ? resultOf({ state: this.#state }) : next();
  }

  get pages() {
    return [{ path: '/ledger', type: 'text/plain', text: () => this.#state }];
  }
}

describe('the parts of a user’s module', () => {
  it('may be an instance of a class, whose methods share its state', async () => {
    const log: string[] = [];
    const served = await servedWith(() => new Ledger(log));
    const { gateway } = served;
    const client = await served.connect();
    expect(await client.toolNames()).toEqual(['s:echo']);
    expect((await client.call('s:echo', { a: 1 })).result?.structuredContent).toEqual({ a: 1 });
    expect((await client.call('s:echo', { own: 1 })).result).toEqual({ state: 'open' });
    expect(await gateway.pageAt('/ledger')?.text()).toBe('open');
    await gateway.apply(configured({ s: plain(), t: plain() }));
    expect(log).toEqual(['reload open']);
    await gateway.stop();
    expect(log).toEqual(['reload open', 'close open']);
  });

  it('may keep state on the object that holds them', async () => {
    const parts = {
      rules: 'none',
      open() {
        this.rules = 'loaded';
      },
      decide(): Decision {
        return { decision: this.rules === 'loaded' ? 'allow' : 'deny', rule: this.rules };
      },
    };
    const client = await (await servedWith(() => parts)).connect();
    expect((await client.call('s:echo')).result).toBeDefined();
  });
});

describe('a user’s module imports none of our packages (K36)', () => {
  it('reads parsed arguments and results, and makes new results', async () => {
    const served = await servedWith(({ result }) => ({
      async intercept(call, next) {
        const reply = await next();
        return result({ ...(reply.result as object), seen: call.arguments });
      },
    }));
    const client = await served.connect();
    const { result } = await client.call('s:echo', { a: 1 });
    expect(result).toMatchObject({ structuredContent: { a: 1 }, seen: { a: 1 } });
  });

  it('refuses in words that a model reads', async () => {
    const served = await servedWith(({ toolError }) => ({
      intercept: async () => toolError('Not on Sundays.'),
    }));
    const { result } = await (await served.connect()).call('s:echo');
    expect(result).toEqual({ isError: true, content: [{ type: 'text', text: 'Not on Sundays.' }] });
  });

  it('throws an error of another copy of the class, known by its code', async () => {
    class CallsignError extends Error {
      readonly code = 'limit-reached';
      readonly details = { what: 'from you', seconds: 1 };
    }
    const intercept = async (): Promise<Reply> => {
      throw new CallsignError('another copy');
    };
    const client = await (await servedWith(() => ({ intercept }))).connect();
    const { error } = await client.call('s:echo');
    expect(error?.message).toBe('Too many calls from you. Try again in 1 s.');
  });

  it.each([undefined, null, {}, 'ok', { ok: true, json: 7 }])(
    'is refused if it returns %j instead of a reply',
    async (wrong) => {
      const intercept = async () => wrong as unknown as Reply;
      const client = await (await servedWith(() => ({ intercept }))).connect();
      expect((await client.call('s:echo')).error?.message).toContain('intercept must return');
    },
  );
});

/** The policy denies calls whose argument `to` is "prod". */
const NOT_TO_PROD = {
  rules: [{ when: 'args.to == "prod"', decision: 'deny', reason: 'not to production' }],
};

function servedAt(
  create: Module<never>['create'],
  { before, callsign = {} }: { readonly before?: string; readonly callsign?: object } = {},
) {
  const module: Module<never> = { name: 'mine', create };
  const placed = { module, ...(before === undefined ? {} : { before }) };
  return serveAll({ s: plain() }, callsign, { modules: [placed] });
}

const withTo = (call: Call, to: string): Call =>
  call.with({
    params: JSON.stringify({ ...(JSON.parse(call.params) as object), arguments: { to } }),
  });

describe('a user’s module that never settles (W4)', () => {
  const callsign = { servers: { s: { callTimeoutMs: 50 } } };
  const never = new Promise<never>(() => undefined);

  it.each([
    ['decide', { decide: () => never }],
    ['intercept', { intercept: () => never }],
  ])('ends the call at its time limit in %s, and is named (W4)', async (_, parts: Parts) => {
    const client = await (await servedAt(() => parts, { callsign })).connect();
    expect((await client.call('s:echo')).error).toMatchObject({
      message: 'Module "mine" failed: it did not finish within 0.05 s. The call was not made.',
      data: { code: 'module-failed', module: 'mine' },
    });
  });

  it('after the server has answered does not say that the call was not made (W4)', async () => {
    const intercept = async (_: Call, next: Next) => {
      await next();
      return never;
    };
    // Long enough for the server.
    const longer = { callsign: { servers: { s: { callTimeoutMs: 3_000 } } } };
    const client = await (await servedAt(() => ({ intercept }), longer)).connect();
    const { error } = await client.call('s:echo');
    expect(error?.message).toContain('It is not known whether the call took effect');
  });

  it('cannot send the call when its time is over (W4)', async () => {
    let late: (() => Promise<Reply>) | undefined;
    const intercept = (_: Call, next: Next) => {
      late = next;
      return never;
    };
    const served = await servedAt(() => ({ intercept }), { callsign });
    const client = await served.connect();
    await client.call('s:echo');
    await expect(late!()).rejects.toThrow('its time is over');
  });

  it('gets the time back that the rest of the path takes (W4)', async () => {
    const decide = () =>
      new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 200));
    const slow: Module<never> = { name: 'slow', create: () => ({ decide }) };
    const mine: Module<never> = {
      name: 'mine',
      create: () => ({ intercept: (_, next) => next() }),
    };
    const modules = [{ module: mine }, { module: slow }];
    const own = { servers: { s: { callTimeoutMs: 1_000 } } };
    const served = await serveAll({ s: plain() }, own, { modules });
    expect((await (await served.connect()).call('s:echo')).result).toBeDefined();
  });
});

describe('a reply of a user’s module that is not valid (W4)', () => {
  it.each([
    ['text that is not JSON', { ok: true, json: 'oops' }, 'not a JSON object'],
    ['a number', { ok: true, json: '7' }, 'not a JSON object'],
    ['an error without a code', { ok: false, json: '{"message":"x"}' }, 'no code or no message'],
  ])('is refused: %s (W4)', async (_, reply, reason) => {
    const client = await (await servedAt(() => ({ intercept: async () => reply }))).connect();
    expect((await client.call('s:echo')).error?.message).toContain(reason);
  });

  it('may be written over several lines (W4)', async () => {
    const json = JSON.stringify({ content: [], note: 'a\nb' }, null, 2);
    const intercept = async () => ({ ok: true, json });
    const client = await (await servedAt(() => ({ intercept }))).connect();
    expect((await client.call('s:echo')).result).toEqual({ content: [], note: 'a\nb' });
  });
});

describe('what the policy saw is what the server gets (W4)', () => {
  it.each([
    {},
    { roles: { all: { allow: ['*'] } }, access: { anonymous: ['all'] } },
    { quarantine: 'on' },
  ])(
    'a module before the policy changes arguments, and the policy sees them, with %j (W4)',
    async (more) => {
      const callsign = { policy: NOT_TO_PROD, ...more };
      const parts: Parts = { intercept: (call, next) => next(withTo(call, 'prod')) };
      const client = await (await servedAt(() => parts, { callsign })).connect();
      const { result } = await client.call('s:echo', { to: 'test' });
      expect(JSON.stringify(result)).toContain('not to production');
    },
  );

  it('a module after the policy cannot change them (W4)', async () => {
    const parts: Parts = { intercept: (call, next) => next(withTo(call, 'prod')) };
    const options = { before: 'timeout', callsign: { policy: NOT_TO_PROD } };
    const client = await (await servedAt(() => parts, options)).connect();
    const { error } = await client.call('s:echo', { to: 'test' });
    expect(error?.message).toContain('it changed the call after the policy had decided');
  });

  it.each(['intercept', 'observe', 'decide'] as const)(
    'a call cannot be written to in %s (W4)',
    async (part) => {
      const write = (call: Call): void => {
        (call as { params: string }).params = withTo(call, 'prod').params;
      };
      const parts: Record<typeof part, Parts> = {
        intercept: { intercept: async (call, next) => (write(call), next()) },
        observe: { observe: { begin: write, end: () => undefined } },
        decide: { decide: (call) => void write(call) },
      };
      const options = { before: 'timeout', callsign: { policy: NOT_TO_PROD } };
      const client = await (await servedAt(() => parts[part], options)).connect();
      const { result } = await client.call('s:echo', { to: 'test' });
      expect(JSON.stringify(result ?? {})).not.toContain('prod');
    },
  );

  it.each([
    ['another tool', { name: 's:pid' }],
    ['no name', { name: undefined }],
  ])('no module can change what is called: %s (W4)', async (_, change) => {
    const intercept = (call: Call, next: Next) => {
      const params = { ...(JSON.parse(call.params) as object), ...change };
      return next(call.with({ params: JSON.stringify(params) }));
    };
    const client = await (await servedAt(() => ({ intercept }))).connect();
    expect((await client.call('s:echo')).error?.message).toContain('changed the name');
  });

  it('next takes no other object in place of a call (W4)', async () => {
    const intercept = (call: Call, next: Next) => next({ ...call } as Call);
    const client = await (await servedAt(() => ({ intercept }))).connect();
    expect((await client.call('s:echo')).error?.message).toContain('call.with()');
  });
});

describe('what a user’s module throws (W4)', () => {
  const KEY = 'ghp_0123456789abcdef0123';

  it.each([
    ['an error', new Error(`GET failed with ${KEY}`), 'GET failed with [redacted]'],
    ['a text', `no, ${KEY}`, 'no, [redacted]'],
    ['nothing', null, 'null'],
    [
      'one of our errors',
      { code: 'limit-reached', details: { what: KEY, seconds: 1 } },
      'Too many calls [redacted]',
    ],
  ])('reaches the caller without secrets: %s (W4)', async (_, thrown, shown) => {
    const fail = async (): Promise<never> => {
      throw thrown;
    };
    for (const parts of [{ intercept: fail }, { decide: fail }]) {
      const client = await (await servedAt(() => parts)).connect();
      const { error } = await client.call('s:echo');
      expect(JSON.stringify(error)).not.toContain(KEY);
      expect(error?.message).toContain(shown);
    }
  });

  it('says nothing else if it came from next (W4)', async () => {
    const policy = { rules: [{ decision: 'deny', reason: 'token: abc is for admins' }] };
    const parts: Parts = { intercept: (_, next) => next() };
    const client = await (await servedAt(() => parts, { callsign: { policy } })).connect();
    expect(JSON.stringify((await client.call('s:echo')).result)).toContain('token: abc');
  });
});

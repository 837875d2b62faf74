import { resultOf } from '@callsign/core';
import type { Call, Decision, Module, Next, Principal, Reply, Target } from '@callsign/core';
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
      readonly details = { what: 'mine', seconds: 1 };
    }
    const intercept = async (): Promise<Reply> => {
      throw new CallsignError('another copy');
    };
    const client = await (await servedWith(() => ({ intercept }))).connect();
    const { error } = await client.call('s:echo');
    expect(error?.message).toBe('Too many calls of mine. Try again in 1 s.');
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

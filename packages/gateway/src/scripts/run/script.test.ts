import type { QuickJSWASMModule } from 'quickjs-emscripten-core';
import { beforeAll, describe, expect, it } from 'vitest';

import { EngineRun, loadEngine } from '../program/engine.js';
import type { Program, ProgramStart } from '../program/steps.js';
import {
  type Answer,
  type CallEnd,
  Script,
  type ScriptLimits,
  type SentCall,
  type ShownCall,
} from './script.js';

let engine: QuickJSWASMModule;
beforeAll(async () => {
  // All programs of this file share it.
  engine = await loadEngine(1_024 * 2 ** 20);
});

const LIMITS: ScriptLimits = {
  computeMs: 60_000,
  memoryBytes: 1_024 * 2 ** 20,
  outputLength: 10_000,
  calls: 60,
  parallel: 8,
  shown: 20,
  questions: 8,
  approvalMs: 1_000,
  logLength: 1e6,
};

/** Runs it in this thread. */
function startHere(start: ProgramStart): Program {
  const run = new EngineRun(engine, start);
  let isStopped = false;
  const check = (): void => {
    if (isStopped) throw new Error('The program was stopped.');
  };
  return {
    async begin() {
      check();
      return run.begin();
    },
    async give(n, given, now) {
      check();
      return run.give(n, given, now);
    },
    stop: () => {
      isStopped = true;
    },
  };
}

interface World {
  /** What servers got, in order. */
  readonly log: string[];
  /** What people approved, in order, as far as it was not sent. */
  readonly approved: string[];
  readonly refused: string[];
  readonly asked: (readonly ShownCall[])[];
  now: number;
  /** Reads under way that the script still wants, and the most of them at once. */
  readonly reads: Set<object>;
  mostReads: number;
  readonly cancelled: string[];
  /** Of the last question. */
  signal: AbortSignal | undefined;
}

interface Behaviour {
  readonly answer?: (calls: readonly ShownCall[], world: World) => Answer | Promise<Answer>;
  readonly delay?: () => number;
  readonly end?: (tool: string, json: string) => CallEnd;
  readonly onSent?: (world: World) => void;
  /** What the server gets for these arguments, if something on the way changes them. */
  readonly given?: (json: string) => string;
  readonly limits?: Partial<ScriptLimits>;
}

/** Tools that begin with `get` read. */
function scriptOf(code: string, behaviour: Behaviour = {}) {
  const world: World = {
    log: [],
    approved: [],
    refused: [],
    asked: [],
    now: 0,
    reads: new Set(),
    mostReads: 0,
    cancelled: [],
    signal: undefined,
  };
  const wait = async (): Promise<void> => {
    for (let i = behaviour.delay?.() ?? 0; i > 0; i--)
      await new Promise((resolve) => setImmediate(resolve));
  };
  const send = (tool: string, json: string): SentCall => {
    const call = `${tool} ${json}`;
    const isRead = tool.includes(':get');
    let approve!: () => void;
    let refuse!: (reason: string) => void;
    let isCancelled = false;
    const error = (message: string): CallEnd['given'] => ({ is: 'error', name: 'E', message });
    const own = {};
    const make = async (): Promise<CallEnd> => {
      if (isRead) world.reads.add(own);
      else world.log.push(call);
      world.mostReads = Math.max(world.mostReads, world.reads.size);
      behaviour.onSent?.(world);
      await wait();
      world.reads.delete(own);
      if (isCancelled) return { given: error('lost'), is: 'unknown' };
      return (
        behaviour.end?.(tool, json) ?? {
          given: { is: 'value', json: `{"of":${JSON.stringify(call)}}` },
          is: 'made',
        }
      );
    };
    const decided = new Promise<string | undefined>((resolve) => {
      approve = () => resolve(undefined);
      refuse = (reason) => resolve(reason);
    });
    const held = async (): Promise<CallEnd> => {
      const reason = await decided;
      if (reason === undefined) return make();
      world.refused.push(call);
      return { given: error(reason), is: 'refused' };
    };
    return {
      asks: wait().then(() => (isRead ? undefined : (behaviour.given?.(json) ?? json))),
      ended: isRead ? make() : held(),
      approve,
      refuse,
      cancel: () => {
        isCancelled = true;
        world.reads.delete(own);
        world.cancelled.push(call);
      },
    };
  };
  const script: Script = new Script(
    code,
    3,
    { ...LIMITS, ...behaviour.limits },
    {
      start: startHere,
      send,
      now: () => world.now,
      ask: async (calls, _, signal) => {
        world.asked.push(calls);
        world.signal = signal;
        await wait();
        const answer = behaviour.answer
          ? await behaviour.answer(calls, world)
          : { approved: new Set(calls.map(({ number }) => number)) };
        if ('approved' in answer)
          for (const { number, tool, json } of calls)
            if (answer.approved.has(number)) world.approved.push(`${tool} ${json}`);
        return answer;
      },
    },
  );
  return { script, world };
}

describe('a script', () => {
  it('that only reads asks no one', async () => {
    const { script, world } = scriptOf('return (await tools.s.get({ a: 1 })).of');
    expect(await script.run()).toMatchObject({
      json: '"s:get {\\"a\\":1}"',
      reads: 1,
      questions: 0,
    });
    expect(world.asked).toEqual([]);
  });

  it('asks once about all calls of a loop, and sends them in order after that', async () => {
    const { script, world } = scriptOf(
      'for (let i = 0; i < 14; i++) await tools.wiki.delete({ i }); await tools.chat.post({}); return 1',
    );
    const report = await script.run();
    expect(world.asked).toHaveLength(1);
    expect(world.asked[0]).toHaveLength(15);
    expect(world.asked[0]![14]).toEqual({ number: 15, tool: 'chat:post', json: '{}' });
    expect(world.log).toEqual(world.approved);
    expect(report).toMatchObject({ json: '1', questions: 1, notSent: [], unknown: [] });
    expect(report.sent).toHaveLength(15);
  });

  it('asks once about calls that it makes at the same time, or does not wait for', async () => {
    const { script, world } = scriptOf(
      'tools.s.add({ i: 0 }); await Promise.all([1, 2].map((i) => tools.s.add({ i }))); tools.s.add({ i: 3 })',
    );
    const report = await script.run();
    expect(world.asked).toHaveLength(1);
    expect(world.log).toHaveLength(4);
    expect(report.sent).toHaveLength(4);
  });

  it.each([
    ['at once', 'await Promise.all(Array.from({ length: 50 }, (_, i) => tools.s.add({ i })))'],
    [
      'at once in a rehearsal',
      'await tools.s.add({ i: 0 }); await Promise.all(Array.from({ length: 49 }, (_, i) => tools.s.add({ i: i + 1 })))',
    ],
    ['one after the other', 'for (let i = 0; i < 50; i++) await tools.s.add({ i })'],
  ])(
    'shows no more calls in one question than a person can read, if they are made %s',
    async (_, code) => {
      const { script, world } = scriptOf(code, { delay: () => 1 });
      const report = await script.run();
      expect(world.asked.map((calls) => calls.length)).toEqual([20, 20, 10]);
      expect(world.log).toEqual(Array.from({ length: 50 }, (__, i) => `s:add {"i":${i}}`));
      expect(report).toMatchObject({ questions: 3, notSent: [], unknown: [] });
      // No call was refused that no person has seen.
      expect(world.refused).toEqual([]);
    },
  );

  it.each([
    ['', ''],
    [' of a rehearsal', 'await tools.s.add({}); '],
  ])('makes no more calls%s at once than its limit', async (_, before) => {
    const { script, world } = scriptOf(
      `${before}await Promise.all(Array.from({ length: 40 }, (_, i) => tools.s.get({ i })))`,
      { delay: () => 2 },
    );
    expect(await script.run()).toMatchObject({ json: 'null' });
    expect(world.mostReads).toBe(LIMITS.parallel);
  });

  it('asks again if a read that was provisional says something else', async () => {
    let reads = 0;
    const { script, world } = scriptOf(
      'await tools.s.add({}); const { id } = await tools.s.get({}); await tools.s.remove({ id }); await tools.s.add({ last: 1 })',
      {
        end: (tool) => ({
          given: { is: 'value', json: tool === 's:get' ? `{"id":${++reads}}` : '{}' },
          is: 'made',
        }),
      },
    );
    const report = await script.run();
    const shown = world.asked.map((calls) => calls.map(({ tool, json }) => `${tool} ${json}`));
    expect(shown).toEqual([
      ['s:add {}', 's:remove {"id":1}', 's:add {"last":1}'],
      ['s:remove {"id":2}', 's:add {"last":1}'],
    ]);
    expect(world.log).toEqual(['s:add {}', 's:remove {"id":2}', 's:add {"last":1}']);
    expect(report.sent).toHaveLength(3);
  });

  it('cannot use a yes for one call twice', async () => {
    const { script, world } = scriptOf(
      'const v = await tools.s.add({}); if (typeof v !== "object") await tools.s.add({})',
      { end: () => ({ given: { is: 'value', json: '"text"' }, is: 'made' }) },
    );
    await script.run();
    expect(world.asked.map((calls) => calls.length)).toEqual([1, 1]);
    expect(world.approved).toEqual(world.log);
  });

  it('asks again where a call depends on the result of another one', async () => {
    const { script, world } = scriptOf(
      'const a = await tools.s.add({}); await tools.s.add({ a: a.of }); await tools.s.add({ b: 1 })',
    );
    await script.run();
    expect(world.asked.map((calls) => calls.length)).toEqual([1, 2]);
    expect(world.log).toHaveLength(3);
  });

  it('makes nothing after a no, and says so', async () => {
    const { script, world } = scriptOf('await tools.s.add({}); await tools.s.add({ a: 1 })', {
      answer: () => ({ refusal: 'the user declined' }),
    });
    const report = await script.run();
    expect(world.log).toEqual([]);
    expect(report).toMatchObject({ error: expect.stringContaining('the user declined'), sent: [] });
    expect(report.notSent).toHaveLength(2);
  });

  it('makes nothing if no person can be asked, and leaves no call waiting', async () => {
    const { script, world } = scriptOf('await tools.s.add({}); await tools.s.add({ a: 1 })', {
      answer: () => Promise.reject(new Error('no room')),
    });
    const report = await script.run();
    expect(report).toMatchObject({ error: expect.stringContaining('no person could be asked') });
    expect(report.notSent).toHaveLength(2);
    expect([world.log, world.refused]).toEqual([[], ['s:add {}', 's:add {"a":1}']]);
  });

  it('makes only the approved calls after a yes to some', async () => {
    const { script, world } = scriptOf(
      'for (let i = 0; i < 3; i++) try { await tools.s.add({ i }) } catch {}',
      { answer: () => ({ approved: new Set([1, 3]) }) },
    );
    const report = await script.run();
    expect(world.log).toEqual(['s:add {"i":0}', 's:add {"i":2}']);
    const why = 'a person approved other calls of the script, but not this one';
    expect(report.notSent).toEqual([{ tool: 's:add', json: '{"i":1}', why }]);
    expect(report.reads).toBe(0);
  });

  it('that does something else than it showed is asked about again', async () => {
    // It finds out that it is rehearsed: a placeholder is an object, and this result is a text.
    const { script, world } = scriptOf(
      'const v = await tools.s.add({}); if (typeof v === "object") await tools.s.good({}); else await tools.s.bad({})',
      { end: () => ({ given: { is: 'value', json: '"text"' }, is: 'made' }) },
    );
    await script.run();
    expect(world.asked.map((calls) => calls.map(({ tool }) => tool))).toEqual([
      ['s:add', 's:good'],
      ['s:bad'],
    ]);
    expect(world.log).toEqual(['s:add {}', 's:bad {}']);
  });

  it('compares each argument with what was shown', async () => {
    const { script, world } = scriptOf(
      'const v = await tools.s.add({}); await tools.s.add({ kind: typeof v })',
      { end: () => ({ given: { is: 'value', json: '"text"' }, is: 'made' }) },
    );
    await script.run();
    expect(world.asked.map((calls) => calls.map(({ json }) => json))).toEqual([
      ['{}', '{"kind":"object"}'],
      ['{"kind":"string"}'],
    ]);
    expect(world.log).toEqual(['s:add {}', 's:add {"kind":"string"}']);
  });

  it('shows what the server gets, where something on the way changes the arguments', async () => {
    const { script, world } = scriptOf('for (const i of [1, 2]) await tools.s.add({ i })', {
      given: (json) => `{"tenant":"x",${json.slice(1)}`,
    });
    const report = await script.run();
    expect(world.asked.map((calls) => calls.map(({ json }) => json))).toEqual([
      ['{"tenant":"x","i":1}', '{"tenant":"x","i":2}'],
    ]);
    expect(report.sent).toHaveLength(2);
  });

  it('needs another yes once the time of the first is over', async () => {
    let isFirst = true;
    const { script, world } = scriptOf('await tools.s.add({ a: 1 }); await tools.s.add({ a: 2 })', {
      onSent: (at) => {
        if (isFirst) at.now += 2_000;
        isFirst = false;
      },
    });
    await script.run();
    expect(world.asked.map((calls) => calls.length)).toEqual([2, 1]);
    expect(world.log).toHaveLength(2);
  });

  it('names calls whose outcome is unknown', async () => {
    const { script } = scriptOf('try { await tools.s.add({}) } catch {} return 1', {
      end: () => ({ given: { is: 'error', name: 'E', message: 'closed' }, is: 'unknown' }),
    });
    expect(await script.run()).toMatchObject({ json: '1', sent: [], unknown: [{ tool: 's:add' }] });
  });

  it.each([
    ['makes too many calls', 'for (;;) await tools.s.get()', /more than 60 calls/],
    [
      'asks too often',
      'let v = 1; for (;;) v = (await tools.s.add({ v })).of.length',
      /8 questions/,
    ],
    ['never ends', 'await new Promise(() => {})', /never comes/],
    ['throws', 'throw new Error("mine")', /mine/],
    [
      'passes too much',
      'const x = "x".repeat(3e5); for (;;) await tools.s.get({ x })',
      /more than 1 million characters/,
    ],
    [
      'passes too much in a rehearsal',
      'await tools.s.add({}); const x = "x".repeat(3e5); for (;;) await tools.s.get({ x })',
      /more than 1 million characters/,
    ],
  ])('that %s gets a clear error', async (_, code, error) => {
    expect((await scriptOf(code).script.run()).error).toMatch(error);
  });

  it('gets a clear error if its answers are too long together, and keeps none of them', async () => {
    const { script } = scriptOf('for (;;) await tools.s.get()', {
      end: () => ({ given: { is: 'value', json: `"${'x'.repeat(3e5)}"` }, is: 'made' }),
    });
    const report = await script.run();
    expect(report).toMatchObject({ error: expect.stringMatching(/1 million/), reads: 4 });
    expect(script.length).toBe(0);
  });

  it('takes its question back when it is stopped, and cancels the reads of a rehearsal', async () => {
    let signal: AbortSignal | undefined;
    const asking = scriptOf('await tools.s.add({})', {
      answer: (_, world) => {
        signal = world.signal;
        asking.script.stop('cancelled');
        return new Promise(() => undefined);
      },
    });
    expect(await asking.script.run()).toMatchObject({ error: 'cancelled', sent: [] });
    expect(signal!.aborted).toBe(true);
    const reading = scriptOf('await tools.s.add({}); await tools.s.get({})', {
      delay: () => 3,
      onSent: () => reading.script.stop('cancelled'),
    });
    expect(await reading.script.run()).toMatchObject({ error: 'cancelled', sent: [] });
    expect(reading.world.cancelled).toContain('s:get {}');
  });

  it('goes on where it was stopped, and makes nothing twice', async () => {
    let sent = 0;
    const { script, world } = scriptOf(
      'for (let i = 0; i < 4; i++) try { await tools.s.add({ i }) } catch {}',
      {
        delay: () => 1,
        onSent: () => {
          if (++sent === 2) script.stop('cancelled');
        },
      },
    );
    const first = await script.run();
    expect(first).toMatchObject({ error: 'cancelled', unknown: [{ json: '{"i":1}' }] });
    const second = await script.run();
    expect(second).toMatchObject({ json: 'null', unknown: [{ json: '{"i":1}' }] });
    expect(world.log).toEqual([0, 1, 2, 3].map((i) => `s:add {"i":${i}}`));
    expect(world.asked.map((calls) => calls.length)).toEqual([4, 2]);
  });
});

/** The same numbers for the same seed. */
function randomOf(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) | 0;
    return ((state ^ (state >>> 13)) >>> 0) % below;
  };
}

/** A random program: loops, calls at once, reads, results that are used, errors that are caught. */
function randomProgram(random: (below: number) => number, depth = 0): string {
  const call = (): string =>
    `tools.s.${['get', 'add', 'remove'][random(3)]}({ n: ${random(4)}${random(3) === 0 ? ', x: v' : ''} })`;
  const lines = Array.from({ length: 1 + random(4) }, () => {
    switch (random(depth > 1 ? 5 : 8)) {
      case 0:
        return `v = await ${call()};`;
      case 1:
        return `await ${call()};`;
      case 2:
        return `await Promise.all([${call()}, ${call()}]);`;
      case 3:
        return `${call()}.catch(() => 0);`;
      case 4:
        return `w = await ${call()}; if (typeof w === 'object' && Math.random() < 0.5) await ${call()};`;
      case 5:
        return `for (let i = 0; i < ${random(4)}; i++) { ${randomProgram(random, depth + 1)} }`;
      case 6:
        return `try { ${randomProgram(random, depth + 1)} } catch (e) { v = e.message }`;
      default:
        return `if (v && v.of && v.of.length % 2) { ${randomProgram(random, depth + 1)} }`;
    }
  });
  return lines.join('\n');
}

describe('random scripts that are stopped at random moments', () => {
  it.each(Array.from({ length: 30 }, (_, i) => [i]))(
    'group %i: every sent call was approved, once, in order',
    async (group) => {
      for (let seed = group * 10; seed < group * 10 + 10; seed++) {
        const random = randomOf(seed + 1);
        const code = `let v = 0, w; ${randomProgram(random)}`;
        let stops = 2;
        // Every second script meets its limits all the time.
        const limits =
          seed % 2 === 0 ? LIMITS : { ...LIMITS, shown: 3, parallel: 2, questions: 40 };
        const { script, world } = scriptOf(code, {
          limits,
          delay: () => random(3),
          end: (tool, json) => {
            const fault = random(8);
            if (fault === 0)
              return { given: { is: 'error', name: 'E', message: 'no' }, is: 'failed' };
            if (fault === 1)
              return { given: { is: 'error', name: 'E', message: 'lost' }, is: 'unknown' };
            return {
              given: { is: 'value', json: `{"of":${JSON.stringify(tool + json + random(5))}}` },
              is: 'made',
            };
          },
          answer: (calls) => {
            if (random(6) === 0) return { refusal: 'no' };
            const some = calls.filter(() => random(6) > 0);
            return { approved: new Set(some.map(({ number }) => number)) };
          },
          onSent: () => {
            if (stops > 0 && random(10) === 0) {
              stops--;
              script.stop('cancelled');
            }
          },
        });
        // Of each yes, what was sent is a part of it in the same order: nothing else, nothing twice.
        const sentAt: number[] = [];
        let report = await script.run();
        for (let again = 0; report.error === 'cancelled' && again < 5; again++)
          report = await script.run();
        let at = -1;
        for (const call of world.log) {
          at = world.approved.indexOf(call, at + 1);
          sentAt.push(at);
        }
        expect(sentAt, code).not.toContain(-1);
        for (const calls of world.asked)
          expect(calls.length, code).toBeLessThanOrEqual(limits.shown);
        expect(world.mostReads, code).toBeLessThanOrEqual(limits.parallel);
        // Everything that was sent is reported: as sent, or as unknown.
        const told = [...report.sent, ...report.unknown].map(({ tool, json }) => `${tool} ${json}`);
        expect(told.toSorted(), code).toEqual(world.log.toSorted());
      }
    },
  );
});

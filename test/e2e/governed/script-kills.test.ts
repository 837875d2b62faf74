/**
 * Random scripts whose gateway is killed, and whose clients cancel and reconnect. `npm run test:scripts` runs a thousand.
 * Each call that may change something has arguments of its own, so the notes of the server tell what was sent.
 */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { ROOT } from '../../architecture/tree.js';
import { type GatewayProcess, startGateway, temporaryFolder } from '../gateway-process.js';
import type { RawClient } from '../lifecycle/raw-client.js';

const SCRIPTS = Number(process.env['CALLSIGN_SCRIPTS'] ?? 16);
const SEED = Number(process.env['CALLSIGN_SEED'] ?? Math.floor(Math.random() * 1e6));
/** Scripts of one gateway, before it is killed. */
const PER_GATEWAY = Math.min(50, SCRIPTS / 2);
const AT_ONCE = 6;
const CANCELLED = 'The caller cancelled the script.';

/** The same numbers for the same seed. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Loops, calls at once, reads, errors that are caught. `n` counts the calls, so that no two are equal. */
function randomProgram(script: number, random: (below: number) => number): string {
  const call = (): string => {
    const tool = ['read_note', 'write_note', 'write_note', 'poke'][random(4)];
    return `tools.notes.${tool}({ s: ${script}, n: n++ })`;
  };
  const lines = Array.from({ length: 2 + random(4) }, () => {
    switch (random(5)) {
      case 0:
        return `try { await ${call()} } catch {}`;
      case 1:
        return `await Promise.allSettled([${call()}, ${call()}, ${call()}]);`;
      case 2:
        return `for (let i = 0; i < ${1 + random(3)}; i++) try { await ${call()} } catch {}`;
      case 3:
        return `{ let v; try { v = await ${call()} } catch {} if (v && v.length === ${random(2)}) await ${call()}.catch(() => 0); }`;
      default:
        return `${call()}.catch(() => 0);`;
    }
  });
  return `let n = 0;\n${lines.join('\n')}`;
}

interface Told {
  readonly script: string;
  readonly error?: string;
  readonly sent?: readonly { readonly arguments: string }[];
  readonly unknown?: readonly { readonly arguments: string }[];
}

/** One script, as its client sees it. */
interface Run {
  readonly number: number;
  readonly code: string;
  /** The arguments of approved calls, in the order of the questions. */
  readonly approved: string[];
  id: string | undefined;
  told: Told | undefined;
}

async function client(
  gateway: GatewayProcess,
  runs: ReadonlyMap<number, Run>,
  random: (below: number) => number,
) {
  const made = await gateway.connect({ name: 'random-client', capabilities: { elicitation: {} } });
  made.on('elicitation/create', ({ message }) => {
    const lines = [...String(message).matchAll(/^ {2}\d+\. `(.*)`$/gm)].map(([, json]) => json!);
    const { s } = JSON.parse(lines[0]!) as { s: number };
    if (random(8) === 0) return { action: 'decline' };
    const chosen = lines.map((_, i) => i + 1).filter(() => random(5) > 0);
    const isAll = lines.length === 1 || chosen.length === 0 || chosen.length === lines.length;
    const numbers = isAll ? lines.map((_, i) => i + 1) : chosen;
    runs.get(s)!.approved.push(...numbers.map((each) => lines[each - 1]!));
    const all = lines.length === 1 ? 'Yes, this call' : `Yes, all ${lines.length} calls`;
    const some = { answer: 'Yes, but only the calls in "only"', only: numbers.join(',') };
    return { action: 'accept', content: isAll ? { answer: all } : some };
  });
  made.on('notifications/progress', ({ progressToken, message }) => {
    const run = runs.get(Number(progressToken));
    if (run) run.id ??= /^Script ([\w-]+):/.exec(String(message))?.[1];
  });
  return made;
}

function toldIn(result: Record<string, unknown> | undefined): Told | undefined {
  const text = (result?.['content'] as { text: string }[] | undefined)?.[0]?.text;
  return text?.startsWith('{') ? (JSON.parse(text) as Told) : undefined;
}

/** How a client loses its script: it cancels it, ends its session, or loses its connection. */
const LOSSES = ['cancel', 'leave', 'drop'] as const;
const lost = { cancel: 0, leave: 0, drop: 0 };

/** Runs a script. Some clients lose it, and go on with another connection. Returns the connection of the client. */
async function play(
  run: Run,
  own: RawClient,
  reconnect: () => Promise<RawClient>,
  random: (below: number) => number,
): Promise<RawClient> {
  const { number, code } = run;
  const params = { name: 'callsign:run', arguments: { code, purpose: `Script ${number}` } };
  const id = `run-${number}`;
  const meta = { _meta: { progressToken: number } };
  const running = own.request('tools/call', { ...params, ...meta }, id);
  const loss = LOSSES[random(6)];
  if (loss === undefined) {
    run.told = toldIn((await running).result);
    return own;
  }
  // It is lost as soon as its id is known. An answer may still come, or none.
  const known = new Promise<void>((resolve) => {
    own.on('notifications/progress', ({ progressToken, message }) => {
      if (Number(progressToken) !== number) return;
      run.id ??= /^Script ([\w-]+):/.exec(String(message))?.[1];
      resolve();
    });
  });
  const first = await Promise.race([running, known]);
  if (first) {
    run.told = toldIn(first.result);
    return own;
  }
  lost[loss]++;
  if (loss === 'cancel') own.notify('notifications/cancelled', { requestId: id });
  else if (loss === 'leave') await own.leave();
  else own.close();
  const next = await reconnect();
  for (let i = 0; i < 5; i++) {
    const { result, error } = await next.call('callsign:run', { resume: run.id });
    if (error) return next;
    run.told = toldIn(result);
    if (run.told?.error !== CANCELLED) return next;
  }
  return next;
}

describe('scripts under kills and reconnects', () => {
  it(
    `${SCRIPTS} random ones, seed ${SEED}: sent is what was approved, once, in order, and the rest is named`,
    { timeout: 60_000 + SCRIPTS * 5_000 },
    async () => {
      const random = randomOf(SEED);
      const folder = temporaryFolder();
      const notes = join(folder, 'notes');
      const audit = { mode: 'strict', folder: join(folder, 'audit'), arguments: 'redacted' };
      const servers = {
        notes: {
          command: process.execPath,
          args: [join(ROOT, 'test', 'fixtures', 'noting-child.mjs'), notes],
        },
      };
      const noted = (): string[] =>
        existsSync(notes) ? readFileSync(notes, 'utf8').split('\n').filter(Boolean) : [];
      const runs = new Map<number, Run>();
      let config: string | undefined;
      const open = async (): Promise<GatewayProcess> => {
        const how =
          config === undefined
            ? { servers, settings: { scripts: {}, audit } }
            : { servers: {}, config };
        const gateway = await startGateway({ ...how, listener: 'http' }, () => undefined);
        onTestFinished(() => gateway.stop());
        config = gateway.config;
        return gateway;
      };
      let cut: Run[] = [];
      let looked = 0;
      let gateways = 0;
      const left = Array.from({ length: SCRIPTS }, (_, i) => i);
      while (left.length > 0 || cut.length > 0) {
        const gateway = await open();
        gateways++;
        const connect = (): Promise<RawClient> => client(gateway, runs, random);
        const first = await connect();
        await first.tools();
        // What the killed gateway has sent comes from its records.
        for (const run of cut.filter(({ id }) => id !== undefined)) {
          run.told = toldIn(await first.result('callsign:run', { resume: run.id }));
          looked++;
        }
        const batch: Run[] = [];
        const next = (): Run | undefined => {
          const number = batch.length < PER_GATEWAY ? left.shift() : undefined;
          if (number === undefined) return undefined;
          const code = randomProgram(number, random);
          const run: Run = { number, code, approved: [], id: undefined, told: undefined };
          runs.set(number, run);
          batch.push(run);
          return run;
        };
        const killAt = noted().length + 1 + random(PER_GATEWAY * 2);
        let isKilled = false;
        const kill = (): void => {
          isKilled = true;
          gateway.kill('SIGKILL');
        };
        const work = async (): Promise<void> => {
          let mine = await connect();
          for (let run = next(); run; run = isKilled ? undefined : next()) {
            mine = await play(run, mine, connect, random);
            if (noted().length >= killAt) kill();
          }
        };
        const workers = Array.from({ length: AT_ONCE }, async () => {
          try {
            await work();
          } catch (error) {
            // No client can reconnect to a gateway that was killed.
            if (!isKilled) throw error;
          }
        });
        await Promise.race([Promise.all(workers), gateway.exited]);
        kill();
        await gateway.exited;
        await gateway.stop();
        cut = batch.filter(({ told }) => !told || told.error === CANCELLED);
      }
      const sent = noted();
      expect(new Set(sent).size).toBe(sent.length);
      expect(sent.length).toBeGreaterThan(0);
      // A small run may be killed at moments at which no client knows the id of its script.
      if (SCRIPTS >= 100) {
        expect(looked).toBeGreaterThan(0);
        for (const [how, times] of Object.entries(lost)) expect(times, how).toBeGreaterThan(0);
        process.stderr.write(
          `${SCRIPTS} scripts, ${gateways} gateways killed, ${looked} scripts looked up after that; clients that cancelled ${lost.cancel}, left ${lost.leave}, lost their connection ${lost.drop}; ${sent.length} calls sent\n`,
        );
      }
      for (const { number, code, approved, told } of runs.values()) {
        const about = `script ${number}:\n${code}`;
        const own = sent.filter((json) => (JSON.parse(json) as { s: number }).s === number);
        let at = -1;
        for (const each of own) {
          at = approved.indexOf(each, at + 1);
          expect(at, `${each} was not approved, or not in this order: ${about}`).toBeGreaterThan(
            -1,
          );
        }
        if (!told || told.error === CANCELLED) continue;
        const [made, unknown] = [told.sent ?? [], told.unknown ?? []].map((calls) =>
          calls.map((each) => each.arguments),
        );
        expect(own, about).toEqual(expect.arrayContaining(made!));
        expect([...made!, ...unknown!], about).toEqual(expect.arrayContaining(own));
      }
    },
  );
});

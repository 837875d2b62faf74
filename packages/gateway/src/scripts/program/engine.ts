/** Runs one program in QuickJS: an engine of its own, with nothing in it but the language. */

import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSDeferredPromise,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core';

import { PRELUDE } from './prelude.js';
import { type AskedCall, type Given, ProgramError, type ProgramStart, type Step } from './steps.js';

declare global {
  /** The types of QuickJS name these, and no library of TypeScript that we use has them. */
  namespace WebAssembly {
    type Exports = Readonly<Record<string, unknown>>;
    type Imports = Readonly<Record<string, unknown>>;
    type Instance = object;
    interface Memory {
      readonly buffer: ArrayBuffer;
    }
    const Memory: new (size: { readonly initial: number; readonly maximum: number }) => Memory;
    // The types of Vite declare this one too.
    interface Module {}
    const compile: (bytes: Uint8Array) => Promise<Module>;
  }
}

/** More than any sane program needs, and less than the engine's own stack. */
const STACK_BYTES = 256 * 1024;
/** Calls of one step. A loop that floods ends here, before its calls need memory outside of the engine. */
const MAX_CALLS = 10_000;
const JOBS_AT_ONCE = 100;
/** Characters of the arguments of all calls of one step. They leave the memory of the engine. */
const MAX_ARGUMENTS = 8 * 2 ** 20;
/** Characters of an error. */
const MAX_ERROR = 2_000;
const TOO_LONG = 'the program threw an error that is too long';

/** One page of the memory of WebAssembly. */
const PAGE_BYTES = 64 * 1024;
/** What the engine has when it starts. */
const INITIAL_BYTES = 16 * 2 ** 20;
/** Of its memory. The engine asks for more in large steps. */
const FULL = 0.9;

/**
 * An engine with at most so much memory. Its own limit does not count array buffers: so a program could fill two
 * gigabytes, which takes long.
 */
export async function loadEngine(memoryBytes: number): Promise<QuickJSWASMModule> {
  const loaded: unknown = await import('@jitl/quickjs-ng-wasmfile-release-sync');
  // Its types are those of a CommonJS module, and Node loads the ES module.
  const { default: variant } = loaded as { default: QuickJSSyncVariant };
  const wasmMemory = new WebAssembly.Memory({
    initial: INITIAL_BYTES / PAGE_BYTES,
    maximum: Math.floor(memoryBytes / PAGE_BYTES),
  });
  return newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmMemory }));
}

/** What the prelude gives to the host. */
type Prelude = Readonly<Record<'value' | 'failure' | 'placeholder' | 'main', QuickJSHandle>>;

/** One run of a program. Throws `ProgramError` if a limit is broken. */
export class EngineRun {
  readonly #start: ProgramStart;
  readonly #engine: QuickJSWASMModule;
  readonly #runtime: QuickJSRuntime;
  readonly #context: QuickJSContext;
  readonly #prelude: Prelude;
  readonly #open = new Map<number, QuickJSDeferredPromise>();
  #calls: AskedCall[] = [];
  #made = 0;
  #end: Step['end'];
  #hasStopped = false;
  #argumentsLength = 0;
  #flooded: string | undefined;
  #printed = '';
  #now: number;
  #computedMs = 0;
  #stepAt = 0;

  constructor(engine: QuickJSWASMModule, start: ProgramStart) {
    this.#start = start;
    this.#engine = engine;
    this.#now = start.now;
    this.#runtime = engine.newRuntime();
    this.#runtime.setMaxStackSize(STACK_BYTES);
    this.#context = this.#runtime.newContext();
    this.#prelude = this.#load();
    this.#runtime.setInterruptHandler(() => this.#isOver());
  }

  begin(): Step {
    return this.#step(() => {
      const context = this.#context;
      // On one line, so that the lines of errors are those of the program.
      const source = `(async () => { 'use strict'; ${this.#start.code}\n})`;
      const body = context.evalCode(source, 'program');
      if (body.error) {
        const { name, message } = asError(context.dump(body.error));
        body.error.dispose();
        this.#end = {
          error: `${`${name}: ${message}`.slice(0, MAX_ERROR)}. Write the body of an async function in JavaScript.`,
        };
        return;
      }
      const main = context.callFunction(this.#prelude.main, context.undefined, body.value);
      body.value.dispose();
      context.unwrapResult(main).dispose();
    });
  }

  give(n: number, given: Given, now: number): Step {
    this.#now = now;
    return this.#step(() => {
      const deferred = this.#open.get(n);
      if (!deferred) throw new ProgramError(`call ${n} has no open answer`);
      this.#open.delete(n);
      const value = this.#valueOf(given);
      if (given.is === 'error') deferred.reject(value);
      else deferred.resolve(value);
      value.dispose();
    });
  }

  #load(): Prelude {
    const context = this.#context;
    const host = context.newObject();
    const add = (name: string, work: (...args: QuickJSHandle[]) => QuickJSHandle): void => {
      context.newFunction(name, work).consume((made) => context.setProp(host, name, made));
    };
    add('call', (tool, json) => this.#call(tool!, json!));
    add('used', () => {
      this.#hasStopped = true;
      return context.undefined;
    });
    add('now', () => context.newNumber(this.#now));
    add('done', (json) => {
      this.#done(json!);
      return context.undefined;
    });
    add('failed', (text) => {
      // The engine cannot hand out a text for which it has no memory.
      const said = context.getString(text!).slice(0, MAX_ERROR) || TOO_LONG;
      this.#end ??= { error: this.#isFull() ? `${said}. Its memory was full.` : said };
      return context.undefined;
    });
    add('print', (line) => {
      this.#print(context.getString(line!));
      return context.undefined;
    });
    const evaluated = context.unwrapResult(context.evalCode(PRELUDE, 'prelude'));
    const seed = context.newNumber(this.#start.seed);
    const made = context.unwrapResult(
      context.callFunction(evaluated, context.undefined, host, seed),
    );
    for (const handle of [evaluated, seed, host]) handle.dispose();
    const get = (name: string): QuickJSHandle => context.getProp(made, name);
    const prelude = {
      value: get('value'),
      failure: get('failure'),
      placeholder: get('placeholder'),
      main: get('main'),
    };
    made.dispose();
    return prelude;
  }

  #call(tool: QuickJSHandle, json: QuickJSHandle): QuickJSHandle {
    const context = this.#context;
    const deferred = context.newPromise();
    // Nothing counts after a placeholder was used, or after the end.
    if (this.#hasStopped) return deferred.handle;
    this.#argumentsLength += this.#lengthOf(tool) + this.#lengthOf(json);
    const isFlood = this.#calls.length >= MAX_CALLS || this.#argumentsLength > MAX_ARGUMENTS;
    if (isFlood) {
      this.#flooded ??= `The program made more than ${MAX_CALLS} calls at once, or calls with more than ${MAX_ARGUMENTS / 2 ** 20} million characters.`;
      deferred.dispose();
      // The engine looks at the time only after thousands of instructions, and each of them may take long. A program that
      // catches this error is ended a little later.
      throw new Error(this.#flooded);
    }
    this.#open.set(this.#made++, deferred);
    this.#calls.push({ tool: context.getString(tool), json: context.getString(json) });
    return deferred.handle;
  }

  #lengthOf(text: QuickJSHandle): number {
    return this.#context.getNumber(this.#context.getProp(text, 'length'));
  }

  #done(json: QuickJSHandle): void {
    const { outputLength } = this.#start.limits;
    const length = this.#lengthOf(json);
    this.#end ??=
      length > outputLength
        ? {
            error: `The result has ${length} characters; the limit is ${outputLength}. Return less.`,
          }
        : { json: this.#context.getString(json) };
  }

  #print(line: string): void {
    const room = this.#start.limits.outputLength - this.#printed.length;
    if (room > 0 && !this.#hasStopped) this.#printed += `${line}\n`.slice(0, room);
  }

  #valueOf(given: Given): QuickJSHandle {
    const context = this.#context;
    const call = (of: keyof Prelude, ...texts: readonly string[]): QuickJSHandle => {
      const args = texts.map((text) => context.newString(text));
      const made = context.callFunction(this.#prelude[of], context.undefined, ...args);
      for (const arg of args) arg.dispose();
      return context.unwrapResult(made);
    };
    if (given.is === 'placeholder') return call('placeholder');
    if (given.is === 'error') return call('failure', given.name, given.message);
    return call('value', given.json);
  }

  /** Runs until the program waits for answers only. */
  #step(work: () => void): Step {
    this.#stepAt = performance.now();
    this.#argumentsLength = 0;
    try {
      work();
      this.#runJobs();
    } catch (error) {
      if (error instanceof ProgramError) throw error;
      const { message } = asError(error);
      if (!this.#hasStopped && this.#flooded === undefined)
        throw new ProgramError(this.#broken(message));
    }
    this.#computedMs += performance.now() - this.#stepAt;
    if (this.#flooded !== undefined) throw new ProgramError(this.#flooded);
    const hasBroken = !this.#hasStopped && this.#computedMs > this.#start.limits.computeMs;
    if (hasBroken && !this.#end) throw new ProgramError(this.#broken('interrupted'));
    const [calls, end] = [this.#calls, this.#end];
    this.#calls = [];
    return {
      calls,
      ...(end && !this.#hasStopped ? { end } : {}),
      hasStopped: this.#hasStopped,
      printed: this.#printed,
    };
  }

  /** Some at a time, since the engine does not look at the time between two short jobs. */
  #runJobs(): void {
    while (this.#runtime.hasPendingJob() && !this.#isOver() && !this.#end) {
      const { error } = this.#runtime.executePendingJobs(JOBS_AT_ONCE);
      if (!error) continue;
      const { message } = asError(error.context.dump(error));
      error.dispose();
      const hasOtherEnd = this.#hasStopped || this.#flooded !== undefined || this.#end;
      if (!hasOtherEnd) throw new ProgramError(this.#broken(message));
    }
  }

  /** Called by the engine from time to time. */
  #isOver(): boolean {
    const now = this.#computedMs + performance.now() - this.#stepAt;
    const isLate = now > this.#start.limits.computeMs;
    return this.#hasStopped || this.#flooded !== undefined || isLate;
  }

  /** Without memory, the engine cannot even make an error that says so. */
  #isFull(): boolean {
    const { byteLength } = this.#engine.getWasmMemory().buffer;
    return byteLength > FULL * this.#start.limits.memoryBytes;
  }

  #broken(message: string): string {
    const { computeMs, memoryBytes } = this.#start.limits;
    if (message === 'interrupted')
      return `The program computed for more than ${computeMs / 1000} s, and was stopped.`;
    if (message === 'out of memory' || this.#isFull())
      return `The program needed more than ${memoryBytes / 2 ** 20} MB, and was stopped.`;
    return `The program failed: ${message.slice(0, MAX_ERROR)}`;
  }
}

function asError(thrown: unknown): { readonly name: string; readonly message: string } {
  const { name, message } = (thrown ?? {}) as Partial<Error>;
  return { name: String(name ?? 'Error'), message: String(message ?? thrown) };
}

/**
 * The stack of a call at the moment when its line is passed to the writer of the server's input.
 */

import { Session, type Profiler } from 'node:inspector';
import { PassThrough } from 'node:stream';

import type { Gateway } from '@callsign/gateway/host';
import { PendingCalls, openStdioListener } from '@callsign/wire';
import { onTestFinished, vi } from 'vitest';

import { LineWriter } from '../../../packages/wire/src/rpc/stream/line-writer.js';
import { LineClient } from '../../e2e/serve/line-client.js';

export interface CallStack {
  /** The files of our frames, from the root of the repository, the outermost first. */
  readonly frames: readonly string[];
  /** The files in which a function ran since the client's line was fed, in any order. */
  readonly entered: ReadonlySet<string>;
}

const MAX_MESSAGE_BYTES = 1024 * 1024;
const OWN_FILE = /packages\/[a-z-]+\/src\/[^:)\s]+\.ts/;

/** Feeds a real listener with the line of a call and waits until the server has answered it. */
export async function stackOfCall(gateway: Gateway, tool: string): Promise<CallStack> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const served = gateway.served();
  const pending = new PendingCalls();
  openStdioListener({ served, pending, input, output, maxMessageBytes: MAX_MESSAGE_BYTES });
  onTestFinished(() => void input.end());
  const client = await new LineClient(output, input).greet();

  const coverage = new Coverage();
  const stacks: CallStack[] = [];
  const write = LineWriter.prototype.write;
  const spy = vi.spyOn(LineWriter.prototype, 'write').mockImplementation(function (
    this: LineWriter,
    line: string,
  ) {
    // The reply to the client has no method.
    if (line.includes('"method":"tools/call"')) {
      stacks.push({ frames: ownFrames(), entered: coverage.take() });
    }
    write.call(this, line);
  });
  coverage.take();
  const { result, error } = await client.call(tool);
  spy.mockRestore();
  coverage.close();
  if (!result) throw new Error(error?.message);
  if (stacks.length !== 1) throw new Error(`The call was written ${stacks.length} times.`);
  return stacks[0]!;
}

/** Frames of promises are not really on the stack. V8 adds them to stack traces, as `async`. */
function ownFrames(): string[] {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = Infinity;
  const { stack = '' } = new Error('here');
  Error.stackTraceLimit = stackTraceLimit;
  return stack
    .split('\n')
    .filter((line) => !line.includes('at async '))
    .flatMap((line) => OWN_FILE.exec(line)?.[0] ?? [])
    .toReversed();
}

/** Which functions have run, by V8's own count. */
class Coverage {
  readonly #session = new Session();

  constructor() {
    this.#session.connect();
    this.#session.post('Profiler.enable');
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  }

  /** The files in which a function was entered since the last time. */
  take(): Set<string> {
    let scripts: readonly Profiler.ScriptCoverage[] = [];
    this.#session.post('Profiler.takePreciseCoverage', (failure, taken) => {
      if (failure) throw failure;
      scripts = taken.result;
    });
    const entered = scripts.filter(({ functions }) =>
      functions.some(({ ranges }) => ranges[0]!.count > 0),
    );
    return new Set(entered.flatMap(({ url }) => OWN_FILE.exec(url)?.[0] ?? []));
  }

  close(): void {
    this.#session.post('Profiler.stopPreciseCoverage');
    this.#session.disconnect();
  }
}

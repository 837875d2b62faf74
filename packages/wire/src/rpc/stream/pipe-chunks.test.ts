import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { describe, expect, it, onTestFinished } from 'vitest';

import { readChunks } from './pipe-chunks.js';

/** A process that returns what is written to it. */
function echo(): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, ['-e', 'process.stdin.pipe(process.stdout)']);
  onTestFinished(() => void child.kill());
  return child;
}

/** What was read from a pipe, and a promise of a number of characters. */
function collect(pipe: Readable) {
  const heard: string[] = [];
  const flow = readChunks(pipe, (chunk) => void heard.push(chunk.toString()));
  const text = (): string => heard.join('');
  const until = async (length: number): Promise<string> => {
    while (text().length < length) await nextTurn();
    return text();
  };
  return { flow, text, until };
}

describe('the chunks of a pipe', () => {
  it('are all read, in their order, into memory that is used again', async () => {
    const { stdin, stdout } = echo();
    const buffers = new Set<ArrayBufferLike>();
    const heard: string[] = [];
    readChunks(stdout, (chunk) => {
      buffers.add(chunk.buffer);
      heard.push(chunk.toString());
    });
    const lines = Array.from({ length: 50 }, (_, i) => `line ${i} ${'x'.repeat(i * 100)}\n`);
    for (const line of lines) {
      stdin.write(line);
      await nextTurn();
    }
    stdin.end();
    await once(stdout, 'end');
    expect(heard.join('')).toBe(lines.join(''));
    expect(buffers.size).toBe(1);
  });

  it('begin with what the pipe has read before', async () => {
    const { stdin, stdout } = echo();
    stdin.write('early ');
    await once(stdout, 'readable');
    stdout.unshift('earlier, ');
    const { until } = collect(stdout);
    stdin.write('late');
    expect(await until(19)).toBe('earlier, early late');
  });

  it('come before the end, even if the pipe has ended before', async () => {
    const { stdin, stdout } = echo();
    stdin.end('all');
    await once(stdout, 'readable');
    while (!stdout.closed && stdout.readableLength < 3) await nextTurn();
    const { text } = collect(stdout);
    await once(stdout, 'end');
    expect(text()).toBe('all');
  });

  it('stay as they are while the flow is paused', async () => {
    const { stdin, stdout } = echo();
    const held: Buffer[] = [];
    const later: string[] = [];
    const flow = readChunks(stdout, (chunk) => {
      if (held.length > 0) return void later.push(chunk.toString());
      held.push(chunk);
      flow.pause();
    });
    stdin.write('first');
    while (held.length === 0) await nextTurn();
    stdin.end('second');
    for (let turns = 0; turns < 100; turns++) await nextTurn();
    expect([String(held), later]).toEqual(['first', []]);
    flow.resume();
    await once(stdout, 'end');
    expect(later.join('')).toBe('second');
  });

  it('end with the process, which is then closed', async () => {
    const child = echo();
    const { until } = collect(child.stdout);
    child.stderr.resume();
    child.stdin.write('here');
    await until(4);
    child.kill();
    await once(child, 'close');
    expect([child.stdout.readableEnded, child.stdout.destroyed]).toEqual([true, true]);
  });

  it('stop when the pipe is destroyed', async () => {
    const { stdin, stdout } = echo();
    const { text, until } = collect(stdout);
    stdin.on('error', () => undefined);
    stdin.write('before');
    await until(6);
    stdout.destroy();
    await once(stdout, 'close');
    stdin.write('after');
    for (let turns = 0; turns < 100; turns++) await nextTurn();
    expect(text()).toBe('before');
  });

  it('are those of any other stream, too', async () => {
    const stream = new PassThrough();
    const { text } = collect(stream);
    stream.end('plain');
    await once(stream, 'end');
    expect(text()).toBe('plain');
  });
});

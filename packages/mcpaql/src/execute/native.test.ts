import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import { createAdapterSource } from '../source/adapter-source.js';
import { adapterWith } from '../../../../test/adapters/adapters.js';
import { scratch } from '../../../../test/testing/scratch.js';
import { callOf, type Desk, deskFor } from '../../../../test/adapters/desk.js';

const FILE = fileURLToPath(new URL('testing/adapter.json', import.meta.url));

function deskWith(
  target: object,
  execute: readonly object[],
  env: Record<string, string> = {},
): Desk {
  const full = { transport: 'native', ...target };
  const adapter = adapterWith({ target: full, operations: { execute } }, FILE);
  return deskFor(
    createAdapterSource(adapter, { env: { ...env, PATH: process.env['PATH'] ?? '' } }),
  );
}

const run = (desk: Desk, params: object = {}) =>
  desk.ask('execute', { operation: 'do_it', params });

describe('a function of a module', () => {
  const numbers = { a: { type: 'integer' }, b: { type: 'integer' } };
  const calling = (name: string, target: object = {}) =>
    deskWith({ module: './tools.mjs', ...target }, [
      { name: 'do_it', maps_to: `function:${name}`, params: numbers },
    ]);

  it('gets the parameters and returns the answer', async () => {
    expect(await run(calling('add'), { a: 2, b: 3 })).toEqual({ success: true, data: { sum: 5 } });
    expect(await run(calling('nothing'))).toEqual({ success: true, data: null });
  });

  it('fails with its own message and no details', async () => {
    expect((await run(calling('fail'))).error).toEqual({
      code: 'INTERNAL_ERROR',
      message: 'The pump is dry.',
    });
  });

  it('has a time limit', async () => {
    const { error } = await run(calling('wait', { timeout_ms: 50 }));
    expect(error?.code).toBe('TRANSPORT_TIMEOUT');
  });

  it('stops when its caller cancels', async () => {
    const desk = calling('wait');
    const name = desk.tool('execute');
    const call = callOf(JSON.stringify({ name, arguments: { operation: 'do_it' } }));
    const answer = desk.source.route('tool', name)!.send(call);
    call.context.cancel();
    await expect(answer).rejects.toThrow('cancelled');
  });

  it.each([
    ['absent', {}],
    ['NUMBER', {}],
    ['toString', {}],
    ['add', { module: './nowhere.mjs' }],
  ])('that does not exist is reported: %s %j', async (name, target) => {
    expect((await run(calling(name, target))).error?.code).toBe('PROTOCOL_INVALID_MAPPING');
  });

  it('that cannot be loaded is reported with the kind of its fault, and without its path', async () => {
    const { error } = await run(calling('add', { module: './nowhere.mjs' }));
    expect(error?.message).toMatch(/cannot be loaded \((ERR_\w+|\w+Error)\); check target\.module/);
    expect(error?.message).not.toContain('nowhere');
  });
});

describe('a command', () => {
  const params = {
    path: { type: 'string' },
    depth: { type: 'integer' },
    note: { type: 'string', as: 'theNote' },
  };
  const calling = (words: string, more: object = {}, env: Record<string, string> = {}) => {
    const { target = {}, ...operation } = more as { target?: object };
    const command = [process.execPath, 'program.mjs'];
    const full = { name: 'do_it', maps_to: `command:${words}`, params, ...operation };
    return deskWith({ command, ...target }, [full], env);
  };

  it('gets each value as one argument, and the rest on standard input', async () => {
    const desk = calling('tell log --depth={depth} {path}');
    const given = { path: 'a b; rm -rf $HOME "x"', depth: 2, note: 'hello' };
    expect((await run(desk, given)).data).toEqual({
      args: ['log', '--depth=2', 'a b; rm -rf $HOME "x"'],
      input: { theNote: 'hello' },
      env: { HARBOUR_HOME: null, HARBOUR_TOKEN: null },
    });
  });

  it('is called without the arguments whose values are missing', async () => {
    const { data } = await run(calling('tell --depth={depth} {path}'), { path: 'x' });
    expect(data).toMatchObject({ args: ['x'] });
  });

  it('never gets a value that looks like an option', async () => {
    const { error } = await run(calling('tell {path}'), { path: '--output=/etc/passwd' });
    expect(error?.code).toBe('VALIDATION_INVALID_VALUE');
  });

  it('sees only the variables that the adapter names', async () => {
    const env = { HARBOUR_HOME: '/home', HARBOUR_TOKEN: 'secret' };
    const { data } = await run(calling('tell', { target: { env: ['HARBOUR_HOME'] } }, env));
    expect(data).toMatchObject({ env: { HARBOUR_HOME: '/home', HARBOUR_TOKEN: null } });
  });

  it.each<[string, object, unknown]>([
    ['text', { response: { format: 'text' } }, { success: true, data: 'plain words' }],
    ['text', {}, { error: { code: 'SERIALIZATION_PARSE_ERROR' } }],
    ['nothing', {}, { success: true, data: null }],
    [
      'fail',
      {},
      { error: { message: 'The program says: The pump is dry.', details: { exit_code: 3 } } },
    ],
    ['flood', {}, { error: { code: 'VALIDATION_PAYLOAD_TOO_LARGE' } }],
    ['wait', { target: { timeout_ms: 300 } }, { error: { code: 'TRANSPORT_TIMEOUT' } }],
    [
      'tell',
      { target: { command: ['no-such-program-zz'] } },
      { error: { code: 'PROTOCOL_INVALID_MAPPING' } },
    ],
  ])('answers or fails: %s %j', async (words, more, expected) => {
    expect(await run(calling(words, more))).toMatchObject(expected as object);
  });

  it('stops when its caller cancels', async () => {
    const desk = calling('wait');
    const name = desk.tool('execute');
    const call = callOf(JSON.stringify({ name, arguments: { operation: 'do_it' } }));
    const answer = desk.source.route('tool', name)!.send(call);
    call.context.cancel();
    await expect(answer).rejects.toThrow('cancelled');
  });

  it('ends at its limit with all that it started, although its output stays open', async () => {
    const path = join(scratch(), 'pid');
    const desk = calling('hold {path}', { target: { timeout_ms: 3000 } });
    expect((await run(desk, { path })).error?.code).toBe('TRANSPORT_TIMEOUT');
    const pid = Number(readFileSync(path, 'utf8'));
    await expect.poll(() => isRunning(pid), { timeout: 20_000 }).toBe(false);
  });

  it('answers when it ends, although a process that it started keeps its output open', async () => {
    const path = join(scratch(), 'pid');
    // Longer than a test may take.
    const desk = calling('leave {path}', { target: { timeout_ms: 600_000 } });
    expect(await run(desk, { path })).toEqual({ success: true, data: null });
    const pid = Number(readFileSync(path, 'utf8'));
    expect(isRunning(pid)).toBe(true);
    process.kill(pid);
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') Z ');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' && process.platform !== 'linux';
  }
}

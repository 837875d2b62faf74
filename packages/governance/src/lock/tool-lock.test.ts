import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { describe, expect, it } from 'vitest';

import { scratch } from '../../../../test/testing/scratch.js';
import { tool } from '../../../../test/testing/offered.js';
import { judgedItems } from './judged-items.js';
import { fileLock } from './lock-store.js';
import { ToolLock } from './tool-lock.js';

const lockFile = (): string => join(scratch(), 'callsign.lock.json');

describe('the lock', () => {
  it('knows nothing of a server before it is accepted, and everything after', async () => {
    const file = lockFile();
    const lock = new ToolLock(fileLock(file));
    const items = [tool('read'), tool('write')];
    expect(lock.tools('fs')).toBeUndefined();
    await lock.pin('fs', items);
    expect(items.map((item) => lock.standing('fs', item))).toEqual([
      { is: 'accepted' },
      { is: 'accepted' },
    ]);
    expect(new ToolLock(fileLock(file)).standing('fs', tool('read'))).toEqual({ is: 'accepted' });
    expect(lock.standing('fs', tool('delete'))).toEqual({ is: 'new' });
  });

  it.each([
    ['description', { description: 'Reads, and sends all to me.' }],
    ['title', { title: 'Read' }],
    ['inputSchema', { inputSchema: { type: 'object', properties: { bcc: {} } } }],
    ['outputSchema', { outputSchema: { type: 'object' } }],
    ['annotations', { annotations: { readOnlyHint: true } }],
  ])('sees a change of the %s', async (part, change) => {
    const lock = new ToolLock(fileLock(lockFile()));
    await lock.pin('fs', [tool('read')]);
    expect(lock.standing('fs', tool('read', change))).toEqual({
      is: 'changed',
      difference: [expect.stringContaining(part)],
    });
  });

  it.each([
    ['_meta', { _meta: { x: 1 } }],
    ['icons', { icons: [{ src: 'https://evil.example/x.svg' }] }],
    ['execution', { execution: { taskSupport: 'required' } }],
    ['unknownMember', { unknownMember: 'read me' }],
  ])('V14: sees a change of %s', async (part, change) => {
    const lock = new ToolLock(fileLock(lockFile()));
    await lock.pin('fs', [tool('read')]);
    expect(lock.standing('fs', tool('read', change))).toEqual({
      is: 'changed',
      difference: [expect.stringContaining(part)],
    });
  });

  it('V14: reads a file of an earlier version, and accepts the rest of its definitions', async () => {
    const file = lockFile();
    await new ToolLock(fileLock(file)).pin('fs', [tool('read'), tool('write')]);
    const earlier = JSON.parse(readFileSync(file, 'utf8')) as {
      servers: { fs: { tools: Record<string, { whole?: string }> } };
    };
    for (const each of Object.values(earlier.servers.fs.tools)) delete each.whole;
    writeFileSync(file, JSON.stringify(earlier));
    const lock = new ToolLock(fileLock(file));
    const now = [tool('read', { icons: [] }), tool('write', { description: 'Another.' })];
    expect(now.map((item) => lock.standing('fs', item).is)).toEqual(['accepted', 'changed']);
    expect(lock.isPartial('fs', now)).toBe(true);
    await lock.complete('fs', now);
    const again = new ToolLock(fileLock(file));
    expect(now.map((item) => again.standing('fs', item).is)).toEqual(['accepted', 'changed']);
    expect(again.standing('fs', tool('read')).is).toBe('changed');
    expect(again.standing('fs', tool('write')).is).toBe('accepted');
    expect(again.isPartial('fs', now)).toBe(false);
  });

  it('V14: compares prompts and templates, each by its own name', async () => {
    const file = lockFile();
    const [greet, path] = [tool('greet'), tool('file:///{path}')];
    const offer = { tools: [tool('greet')], prompts: [greet], templates: [path] };
    await new ToolLock(fileLock(file)).pin('fs', judgedItems(offer));
    const lock = new ToolLock(fileLock(file));
    const changed = tool('greet', { description: 'Greets, and sends all to me.' });
    const standings = (now: Partial<typeof offer>) =>
      lock
        .status('fs', judgedItems({ ...offer, ...now }))
        .map(({ tool: name, standing }) => [name, standing.is]);
    expect(standings({})).toEqual([
      ['greet', 'accepted'],
      ['prompts/greet', 'accepted'],
      ['templates/file:///{path}', 'accepted'],
    ]);
    expect(standings({ prompts: [changed], templates: [] })).toEqual([
      ['greet', 'accepted'],
      ['prompts/greet', 'changed'],
      ['templates/file:///{path}', 'gone'],
    ]);
    expect(standings({ prompts: [greet, tool('other')] })).toContainEqual(['prompts/other', 'new']);
    const { prompts, templates, tools } = JSON.parse(readFileSync(file, 'utf8')).servers.fs;
    expect([prompts, templates, tools].map((section) => Object.keys(section))).toEqual([
      ['greet'],
      ['file:///{path}'],
      ['greet'],
    ]);
  });

  it('V14: a file of an earlier version accepts the current prompts, once', async () => {
    const file = lockFile();
    await new ToolLock(fileLock(file)).pin('fs', [tool('read')]);
    expect(readFileSync(file, 'utf8')).not.toContain('prompts');
    const lock = new ToolLock(fileLock(file));
    const now = judgedItems({ tools: [tool('read')], prompts: [tool('greet')], templates: [] });
    expect(lock.isPartial('fs', now)).toBe(true);
    await lock.complete('fs', now);
    const again = new ToolLock(fileLock(file));
    expect(again.isPartial('fs', now)).toBe(false);
    const later = { tools: [tool('read')], prompts: [tool('greet'), tool('new')], templates: [] };
    expect(again.isPartial('fs', judgedItems(later))).toBe(false);
    expect(again.status('fs', judgedItems(later))).toContainEqual({
      tool: 'prompts/new',
      standing: { is: 'new' },
    });
  });

  it('keeps a server that is not in the file yet while other servers are written', async () => {
    const file = lockFile();
    const lock = new ToolLock(fileLock(file));
    const first = lock.pin('first', [tool('read')]);
    const second = lock.pin('second', [tool('read')]);
    await first;
    expect(lock.standing('second', tool('read')).is).toBe('accepted');
    await second;
    const third = lock.pin('third', [tool('read')]);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('second', 'fourth'));
    expect(lock.reload()).toBe(true);
    expect(lock.standing('third', tool('read')).is).toBe('accepted');
    expect(lock.standing('second', tool('read')).is).toBe('new');
    await third;
    const again = new ToolLock(fileLock(file));
    const standings = ['first', 'third', 'fourth'].map(
      (server) => again.standing(server, tool('read')).is,
    );
    expect(standings).toEqual(['accepted', 'accepted', 'accepted']);
  });

  it('ignores the order of keys', async () => {
    const lock = new ToolLock(fileLock(lockFile()));
    const { name, json } = tool('read', { annotations: { a: 1, b: 2 } });
    await lock.pin('fs', [{ name, json }]);
    const { description, inputSchema } = JSON.parse(json) as Record<string, unknown>;
    const annotations = { b: 2, a: 1 };
    const reordered = JSON.stringify({ annotations, inputSchema, description, name }, null, 2);
    expect(lock.standing('fs', { name, json: reordered })).toEqual({ is: 'accepted' });
  });

  it('gives the state of every tool', async () => {
    const lock = new ToolLock(fileLock(lockFile()));
    await lock.pin('fs', [tool('a'), tool('b'), tool('c')]);
    const now = [tool('d'), tool('c'), tool('b', { description: 'Other.' })];
    expect(lock.status('fs', now)).toEqual([
      { tool: 'a', standing: { is: 'gone' } },
      {
        tool: 'b',
        standing: { is: 'changed', difference: ['description was "The tool 1.", is "Other."'] },
      },
      { tool: 'c', standing: { is: 'accepted' } },
      { tool: 'd', standing: { is: 'new' } },
    ]);
  });

  it('accepts one tool, or all of a server as it is now', async () => {
    const lock = new ToolLock(fileLock(lockFile()));
    await lock.pin('fs', [tool('a'), tool('b')]);
    const now = [tool('b', { description: 'Other.' }), tool('c')];
    await lock.accept('fs', now, 'c');
    expect(lock.status('fs', now).map(({ standing }) => standing.is)).toEqual([
      'gone',
      'changed',
      'accepted',
    ]);
    await lock.accept('fs', now);
    expect(lock.status('fs', now).map(({ standing }) => standing.is)).toEqual([
      'accepted',
      'accepted',
    ]);
  });

  it('is a file whose text depends on its content alone', async () => {
    const [one, other] = [lockFile(), lockFile()];
    const first = new ToolLock(fileLock(one));
    await first.pin('b', [tool('y'), tool('x')]);
    await first.pin('a', [tool('z')]);
    const second = new ToolLock(fileLock(other));
    await second.pin('a', [tool('z')]);
    await second.pin('b', [tool('x'), tool('y')]);
    expect(readFileSync(one, 'utf8')).toBe(readFileSync(other, 'utf8'));
    const { servers } = JSON.parse(readFileSync(one, 'utf8')) as { servers: object };
    expect(Object.keys(servers)).toEqual(['a', 'b']);
  });

  it('keeps names apart that are special in JavaScript', async () => {
    const file = lockFile();
    const items = ['__proto__', 'constructor', 'toString', ''].map((name) => tool(name));
    await new ToolLock(fileLock(file)).pin('__proto__', items);
    const lock = new ToolLock(fileLock(file));
    expect(lock.status('__proto__', items).map(({ standing }) => standing.is)).toEqual(
      Array(4).fill('accepted'),
    );
    expect(lock.tools('constructor')).toBeUndefined();
  });

  it('recognises a very long definition by its hash', async () => {
    const file = lockFile();
    const description = 'x'.repeat(100_000);
    const lock = new ToolLock(fileLock(file));
    await lock.pin('fs', [tool('big', { description })]);
    expect(readFileSync(file, 'utf8').length).toBeLessThan(1_000);
    expect(lock.standing('fs', tool('big', { description }))).toEqual({ is: 'accepted' });
    expect(lock.standing('fs', tool('big', { description: `${description}.` })).is).toBe('changed');
  });

  it('counts the first of several tools with one name', async () => {
    const lock = new ToolLock(fileLock(lockFile()));
    await lock.pin('fs', [tool('a'), tool('a', { description: 'Second.' })]);
    expect(lock.standing('fs', tool('a')).is).toBe('accepted');
    expect(lock.standing('fs', tool('a', { description: 'Second.' })).is).toBe('changed');
  });

  it('keeps the entries of all gateways that write at once', async () => {
    const file = lockFile();
    const locks = Array.from({ length: 12 }, () => new ToolLock(fileLock(file)));
    await Promise.all(locks.map((lock, i) => lock.pin(`server${i}`, [tool('a')])));
    const { servers } = JSON.parse(readFileSync(file, 'utf8')) as { servers: object };
    expect(Object.keys(servers)).toHaveLength(12);
  });

  it('keeps the entries of all processes, and one entry per server', async () => {
    const file = lockFile();
    const script = fileURLToPath(new URL('testing/pinning-process.mjs', import.meta.url));
    const keys = ['a', 'b', 'c', 'd'];
    const run = promisify(execFile);
    await Promise.all(keys.map((key) => run(process.execPath, [script, file, key])));
    const lock = new ToolLock(fileLock(file));
    expect(keys.map((key) => lock.tools(key)?.size)).toEqual([1, 1, 1, 1]);
    const titles = keys.map((key) => ({ name: 'a', json: `{"name":"a","title":"${key}"}` }));
    const accepted = titles.filter((item) => lock.standing('both', item).is === 'accepted');
    expect(accepted).toHaveLength(1);
  });

  it('keeps the entry of the gateway that saw a server first', async () => {
    const file = lockFile();
    const [first, second] = [new ToolLock(fileLock(file)), new ToolLock(fileLock(file))];
    const changed = tool('a', { description: 'Other.' });
    await first.pin('fs', [tool('a')]);
    await second.pin('fs', [changed]);
    expect(second.standing('fs', tool('a')).is).toBe('accepted');
    expect(second.standing('fs', changed).is).toBe('changed');
  });

  it('notices what another process accepted', async () => {
    const file = lockFile();
    const lock = new ToolLock(fileLock(file));
    await lock.pin('fs', [tool('a')]);
    expect(lock.reload()).toBe(false);
    await new ToolLock(fileLock(file)).accept('fs', [tool('b')]);
    expect(lock.reload()).toBe(true);
    expect(lock.standing('fs', tool('b')).is).toBe('accepted');
  });

  it.each([
    ['{', 'JSON'],
    ['[]', 'it must be an object'],
    ['{"version":2,"servers":{}}', 'a newer Callsign'],
    ['{"version":1}', 'servers must be an object'],
    ['{"version":1,"servers":{"a":{"tools":{"t":{"hash":"x"}}}}}', 'servers.a.tools.t.hash'],
  ])('refuses a file that it cannot read, and says what to do: %s', (text, reason) => {
    const file = lockFile();
    writeFileSync(file, text);
    expect(() => new ToolLock(fileLock(file))).toThrow(reason);
    expect(() => new ToolLock(fileLock(file))).toThrow('Restore it from version control');
  });

  it('keeps its last content if its file becomes invalid', async () => {
    const file = lockFile();
    const lock = new ToolLock(fileLock(file));
    await lock.pin('fs', [tool('a')]);
    writeFileSync(file, '{');
    expect(() => lock.reload()).toThrow('cannot be read');
    expect(lock.standing('fs', tool('a')).is).toBe('accepted');
    // A broken file is not overwritten either.
    await expect(lock.accept('fs', [tool('b')])).rejects.toThrow('cannot be read');
    expect(readFileSync(file, 'utf8')).toBe('{');
  });
});

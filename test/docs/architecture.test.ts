/** ARCHITECTURE.md says what the code does: layers, modules, and the path of a real call. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';

import { hub, view } from '@callsign/core';
import { Gateway } from '@callsign/gateway/host';
import { profileById } from '@callsign/naming';
import { openChild, serve, Upstream } from '@callsign/wire';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { configured, plain, serveAll } from '../../packages/gateway/src/testing/served.js';
import { LAYERS } from '../architecture/rules.js';
import { ROOT } from '../architecture/tree.js';
import { PLAIN } from '../e2e/serve/callsign-process.js';
import { LineClient } from '../e2e/serve/line-client.js';
import { stackOfCall } from './testing/call-stack.js';
import { fencesOf } from './testing/markdown.js';

const page = 'ARCHITECTURE.md';
const text = readFileSync(join(ROOT, page), 'utf8');
const section = (title: string) =>
  text.split(/^## /m).find((each) => each.startsWith(`${title}\n`)) ?? '';
const fence = (title: string) => fencesOf({ path: page, text: section(title) })[0]?.text ?? '';
const codeIn = (words: string) => [...words.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!);

/** The files of the path, in order. */
const steps = [...section('The path of a call').matchAll(/^\d+\. `(packages[^`]+)` /gm)].map(
  ([, file]) => file!,
);

describe('ARCHITECTURE.md', () => {
  it('names only files that exist', () => {
    const named = codeIn(text).filter((code) => /^(packages|test|docs|scripts)\//.test(code));
    expect(named.length).toBeGreaterThan(25);
    expect(named.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });

  it('has a line of code that serves', async () => {
    expect(fence('One idea')).toBe('serve(view(hub(sources), { profile }), { self }).stdio();');
    const self = { name: 'callsign', version: '0' };
    const env = { PATH: process.env['PATH'] ?? '' };
    const limits = { maxMessageBytes: 1024 * 1024 };
    const open = openChild({ command: process.execPath, args: [PLAIN], env, ...limits });
    const transport = { open: () => open, onePipe: true };
    const server = new Upstream({ key: 's', transport, self });
    onTestFinished(() => server.stop());
    await server.start();
    const [input, output] = [new PassThrough(), new PassThrough()];
    onTestFinished(() => void input.end());
    const [sources, profile] = [{ s: server }, profileById('portable')];
    serve(view(hub(sources), { profile }), { self }).stdio({ input, output });
    const client = await new LineClient(output, input).greet();
    expect(await client.toolNames()).toContain('s__echo');
    const { result } = await client.call('s__add', { a: 1, b: 2 });
    expect(result?.structuredContent).toEqual({ sum: 3 });
  });

  it('draws the layers as they are enforced', () => {
    const drawn = fence('Packages and layers').split('\n');
    const layers = drawn.map((line) => line.split(/ {2,}/));
    expect(layers.map(([number]) => Number(number))).toEqual([...LAYERS.keys()].toReversed());
    expect(layers.map(([, ...names]) => names).toReversed()).toEqual(LAYERS);
  });

  it('says what every package contains', () => {
    const table = section('Packages and layers').matchAll(/^\| `([^`]+)` \| .+ \| .+ \|$/gm);
    const packages = [...table].map(([, name]) => name!).filter((name) => !name.includes('/'));
    expect(packages).toEqual(LAYERS.flat());
  });
});

describe('the order of modules in ARCHITECTURE.md', () => {
  const modulesOf = (callsign: object): readonly string[] =>
    new Gateway(configured({ s: plain() }, callsign), {
      self: { name: 'callsign', version: '0' },
      log: () => undefined,
    }).modules;

  it('is that of a gateway with everything configured', () => {
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', 'http://127.0.0.1:9');
    onTestFinished(() => void vi.unstubAllEnvs());
    const modules = modulesOf({
      auth: { keys: [{ name: 'ci', hash: `sha256:${'0'.repeat(64)}`, roles: [] }] },
      lock: 'warn',
      roles: { all: { allow: ['*'] } },
      sets: { all: {} },
      scripts: {},
      policy: {},
      quota: { perCaller: { perMinute: 10 } },
      breaker: {},
      results: { secrets: 'log' },
      limits: { maxResultBytes: 2000 },
      retry: {},
    });
    expect(fence('Modules').split(' → ')).toEqual(modules);
  });

  it('has the modules of the default configuration', () => {
    const sentence = /The default configuration has \w+ of them: (.+)\./.exec(section('Modules'));
    expect(codeIn(sentence![1]!)).toEqual(modulesOf({}));
  });
});

describe('the path in ARCHITECTURE.md', () => {
  const prose = section('The path of a call');
  it('has at most 15 files', () => {
    expect(new Set(steps).size).toBe(steps.length);
    expect(prose).toContain(`These ${steps.length} files`);
    expect(steps.length).toBeLessThanOrEqual(15);
  });

  it('is the path of a real call (C4)', async () => {
    const { gateway } = await serveAll({ s: plain() });
    const { frames, entered } = await stackOfCall(gateway, 's:echo');
    expect(frames[0]).toBe(steps[0]);
    expect(frames.at(-1)).toBe(steps.at(-1));
    const onStack = [...new Set(frames)];
    expect(steps.filter((file) => onStack.includes(file))).toEqual(
      onStack.filter((file) => steps.includes(file)),
    );
    expect(steps.filter((file) => !entered.has(file))).toEqual([]);
  });

  it('starts again after the intent of a call that may change something', async () => {
    const { gateway } = await serveAll({ s: plain() });
    const { frames } = await stackOfCall(gateway, 's:calls');
    expect(frames[0]).toBe('packages/wire/src/rpc/stream/turn-end.ts');
  });

  it('has four stops over HTTP, in files that exist', () => {
    const stops = [
      ...section('The path of a call').matchAll(/^\d+\. `((?:http\/)?[\w-]+\.ts)` /gm),
    ];
    expect(stops).toHaveLength(4);
    const folder = join(ROOT, 'packages/wire/src/downstream');
    for (const [, file] of stops) expect(existsSync(join(folder, file!)), file).toBe(true);
  });
});

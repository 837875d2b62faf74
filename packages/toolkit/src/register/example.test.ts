/** Runs the examples of the documentation unchanged. */

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';

import { shows } from '../../../../test/requirements/shows.js';
import { createRegistrar, type Outcome, WRITE_DESTRUCTIVE } from '../index.js';
import { modernSession, type Reported, sessionOf } from '../testing/sessions.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

it('examples/write-a-server passes its own check', async () => {
  const check = `${ROOT}examples/write-a-server/check.mjs`;
  const { stdout } = await promisify(execFile)(process.execPath, [check], { cwd: ROOT });
  expect(stdout).toBe('The tool is well labelled, and answers.\n');
});

describe('the migration server of docs/write-a-server.md', () => {
  const page = readFileSync(`${ROOT}docs/write-a-server.md`, 'utf8');
  const source = /```js\n(?<source>.*?)```/s.exec(page)?.groups?.['source'] ?? '';
  const TOOL = 'database__migrate';
  const open: Client[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((client) => client.close()));
  });

  /** Starts it as a process, and collects what it prints beside the protocol. */
  async function start() {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: ['--input-type=module', '--eval', source],
      cwd: ROOT,
      stderr: 'pipe',
    });
    const printed: string[] = [];
    const lines = createInterface({ input: transport.stderr as Readable });
    const recorded = new Promise<{ status: string }>((resolve) => {
      lines.on('line', (line) => {
        printed.push(line);
        if (line.startsWith('{')) resolve(JSON.parse(line));
      });
    });
    const client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(transport);
    open.push(client);
    return { session: sessionOf(client as never, transport), printed, recorded };
  }

  it(
    'declares that it destroys, reports each step and says how many it ran',
    shows('ANN-39', 'ANN-44', async () => {
      const { session, printed, recorded } = await start();
      const [tool] = await session.list();
      expect(tool?.annotations).toMatchObject({ destructiveHint: true, readOnlyHint: false });
      const reports: Reported[] = [];
      const answer = await session.call(TOOL, {}, { onprogress: (step) => reports.push(step) });
      expect(answer.text).toBe('Migrations complete: 5 migrations processed.');
      expect(reports).toHaveLength(5);
      expect(reports[1]).toEqual({ progress: 1, total: 5, message: 'Running: add_index' });
      expect((await recorded).status).toBe('done');
      expect(printed.filter((line) => line.startsWith('ran '))).toHaveLength(5);
    }),
  );

  it(
    'runs nothing in a dry run, and marks each step',
    shows('ANN-43', 'ANN-44', async () => {
      const { session, printed, recorded } = await start();
      const messages: (string | undefined)[] = [];
      const onprogress = ({ message }: Reported) => messages.push(message);
      const answer = await session.call(TOOL, { dryRun: true }, { onprogress });
      expect(answer.text).toBe('Dry run complete: 5 migrations processed.');
      expect(messages).toEqual([
        '[DRY RUN] Running: create_users',
        '[DRY RUN] Running: add_index',
        '[DRY RUN] Running: split_names',
        '[DRY RUN] Running: drop_names',
        '[DRY RUN] Running: vacuum',
      ]);
      await recorded;
      expect(printed.filter((line) => line.startsWith('ran '))).toEqual([]);
    }),
  );

  it(
    'stops when its client cancels',
    shows('ANN-41', async () => {
      const { session, printed, recorded } = await start();
      const cancel = new AbortController();
      const onprogress = () => cancel.abort();
      const call = session.call(TOOL, {}, { signal: cancel.signal, onprogress });
      await expect(call).rejects.toThrow();
      expect((await recorded).status).toBe('cancelled');
      expect(printed).not.toContain('ran vacuum');
    }),
  );
});

it(
  'a handler that stops for a cancellation ends with an error that says so',
  shows('ANN-42', async () => {
    // The protocol has no answer to a cancelled call, so only an interceptor can see this.
    let ended: ((outcome: Outcome) => void) | undefined;
    const outcomeSeen = new Promise<Outcome>((resolve) => (ended = resolve));
    const session = await modernSession((server) => {
      createRegistrar({ prefix: '' })(
        server,
        'migrate',
        {
          description: 'Runs migrations.',
          inputSchema: z.object({}),
          annotations: WRITE_DESTRUCTIVE,
          interceptors: [
            async (_call, next) => {
              const outcome = await next();
              ended?.(outcome);
              return outcome;
            },
          ],
        },
        async (_args, { signal, progress }) => {
          await progress(0, 1);
          const text = signal.aborted ? 'Migration cancelled by client.' : 'Migrations complete.';
          return { content: [{ type: 'text', text }], isError: signal.aborted };
        },
      );
    });
    const cancel = new AbortController();
    const onprogress = () => cancel.abort();
    await expect(
      session.call('migrate', {}, { signal: cancel.signal, onprogress }),
    ).rejects.toThrow();
    expect(await outcomeSeen).toEqual({
      status: 'cancelled',
      result: {
        content: [{ type: 'text', text: 'Migration cancelled by client.' }],
        isError: true,
      },
    });
    await session.close();
  }),
);

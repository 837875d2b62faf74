import { once } from 'node:events';

import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';

import { shows } from '../../../../test/requirements/shows.js';
import {
  type AuditRecord,
  createRegistrar,
  type ToolInterceptor,
  type InterceptorSettings,
  READ_ONLY_DEFAULT,
  refused,
  requireRole,
  type SafetyMode,
  WRITE_DESTRUCTIVE,
} from '../index.js';
import { httpEndpoint, type HttpEndpoint } from '../testing/http-session.js';
import { modernSession, type Session } from '../testing/sessions.js';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((thing) => thing.close()));
});

/** Two tools behind interceptors: one that reads and one that destroys; `entered` counts real runs. */
async function harbour(
  interceptors: InterceptorSettings,
  own: readonly ToolInterceptor[] = [],
): Promise<Session & { entered: string[] }> {
  const entered: string[] = [];
  const session = await modernSession((server) => {
    const registerTool = createRegistrar({ prefix: '', strict: true, interceptors });
    const inputSchema = z.object({
      ship: z.string().optional(),
      ships: z.array(z.string()).optional(),
    });
    const description = 'A tool of the harbour.';
    const tool = (
      shortName: string,
      annotations: typeof READ_ONLY_DEFAULT | typeof WRITE_DESTRUCTIVE,
    ) =>
      registerTool(
        server,
        shortName,
        { description, inputSchema, annotations, interceptors: own },
        () => {
          entered.push(shortName);
          return { content: [{ type: 'text', text: `${shortName}: done` }] };
        },
      );
    tool('watch', READ_ONLY_DEFAULT);
    tool('sink', WRITE_DESTRUCTIVE);
  });
  open.push(session);
  return { ...session, entered };
}

describe('the order of interceptors', () => {
  it('is audit, the tool’s own, allow list, input check, dry run, safety mode, handler', async () => {
    const passed: string[] = [];
    const own: ToolInterceptor = (_call, next) => {
      passed.push('own');
      return next();
    };
    let isConnected = false;
    const interceptors: InterceptorSettings = {
      audit: ({ status }) => passed.push(`audit: ${status}`),
      allowList: { fields: ['ship'], values: ['Argo'] },
      checkInput: () => {
        passed.push('input');
        return undefined;
      },
      dryRun: false,
      safetyMode: () => {
        if (isConnected) passed.push('safety');
        return 'write-destructive';
      },
    };
    const session = await harbour(interceptors, [own]);
    isConnected = true;
    await session.call('sink', { ship: 'Argo' });
    expect(passed).toEqual(['own', 'input', 'safety', 'audit: done']);

    passed.length = 0;
    await session.call('sink', { ship: 'Ark' });
    expect(passed).toEqual(['own', 'audit: refused']);
  });

  it('puts the dry run before the safety mode and after the input check', async () => {
    let mode: SafetyMode = 'write-destructive';
    const checkInput = ({ ship }: { ship?: unknown }) =>
      ship === 'Ark' ? 'the Ark is not to be touched.' : undefined;
    const session = await harbour({ dryRun: true, safetyMode: () => mode, checkInput });
    mode = 'read-only';
    expect((await session.call('sink', { ship: 'Argo' })).text).toMatch(/^\[DRY RUN\]/);
    expect((await session.call('sink', { ship: 'Ark' })).text).toMatch(/not to be touched/);
  });
});

describe('audit', () => {
  it('records what a lowered safety mode refuses, and no call of a tool that is hidden (S20)', async () => {
    const records: AuditRecord[] = [];
    const sink = (record: AuditRecord) => records.push(record);
    let mode: SafetyMode = 'write-destructive';
    const lowered = await harbour({ audit: sink, safetyMode: () => mode });
    mode = 'read-only';
    expect((await lowered.call('sink')).isError).toBe(true);
    expect(records).toEqual([
      expect.objectContaining({ tool: 'sink', risk: 'destructive', status: 'refused' }),
    ]);
    const hidden = await harbour({ audit: sink, safetyMode: 'read-only' });
    await expect(hidden.call('sink')).rejects.toThrow('sink not found');
    expect(records).toHaveLength(1);
    expect(hidden.entered).toEqual([]);
  });

  it('records how every call ended, without arguments and answers', async () => {
    const records: AuditRecord[] = [];
    const session = await harbour(
      {
        audit: (record) => records.push(record),
        allowList: { fields: ['ship'], values: ['Argo'] },
      },
      [
        ({ args }, next) => {
          if (args['ship'] === 'Flying Dutchman') throw new Error('There is no such ship.');
          return next();
        },
      ],
    );
    await session.call('watch', { ship: 'Argo' });
    await session.call('sink', { ship: 'Ark' });
    const failed = await session.call('sink', { ship: 'Flying Dutchman' });
    expect(failed).toEqual({ isError: true, text: 'There is no such ship.' });
    expect(records).toEqual([
      expect.objectContaining({ tool: 'watch', risk: 'read', status: 'done' }),
      expect.objectContaining({ tool: 'sink', risk: 'destructive', status: 'refused' }),
      expect.objectContaining({ tool: 'sink', risk: 'destructive', status: 'failed' }),
    ]);
    for (const record of records) {
      expect(new Date(record.time).toISOString()).toBe(record.time);
      expect(record.durationMs).toBeGreaterThanOrEqual(0);
    }
    expect(JSON.stringify(records)).not.toMatch(/Argo|Ark|Dutchman/);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('disk full, token=s3cr3t');
      },
    ],
    ['rejects', () => Promise.reject(new Error('disk full, token=s3cr3t'))],
  ])('keeps the answer when its sink %s', async (_how, audit: () => unknown) => {
    const warned = once(process, 'warning');
    const session = await harbour({ audit });
    expect(await session.call('watch')).toEqual({ text: 'watch: done' });
    const [warning] = (await warned) as [Error];
    expect(warning.message).toBe('A call of watch was not recorded: disk full, token=[redacted]');
  });
});

describe('the allow list', () => {
  const interceptors = { allowList: { fields: ['ship', 'ships'], values: ['Argo', 'Ark'] } };

  it('passes calls whose argument is listed or missing', async () => {
    const session = await harbour(interceptors);
    for (const args of [{ ship: 'Argo' }, { ships: ['Argo', 'Ark'] }, { ships: [] }, {}]) {
      expect((await session.call('watch', args)).isError).toBeUndefined();
    }
    expect(session.entered).toHaveLength(4);
  });

  it('refuses a call if one of several values is not on it', async () => {
    const session = await harbour(interceptors);
    for (const args of [
      { ship: 'argo' },
      { ship: 'Argo', ships: ['Ark', 'Titanic'] },
      { ship: '' },
    ]) {
      const answer = await session.call('watch', args);
      expect(answer.isError).toBe(true);
      expect(answer.text).toMatch(
        /^watch was not called: the value of ships? is not on the allow list/,
      );
    }
    expect(session.entered).toEqual([]);
  });

  it('allows nothing when it is empty', async () => {
    const session = await harbour({ allowList: { fields: ['ship'], values: [] } });
    expect((await session.call('watch', { ship: 'Argo' })).isError).toBe(true);
  });
});

it(
  'the input check keeps the handler from arguments that the schema lets pass',
  shows('ANN-37', async () => {
    const session = await harbour({
      checkInput: ({ ship }, { name }) =>
        String(ship).includes('..') ? `ship holds "..". Give ${name} a plain name.` : undefined,
    });
    expect(await session.call('sink', { ship: '../Ark' })).toEqual({
      isError: true,
      text: 'sink was not called: ship holds "..". Give sink a plain name.',
    });
    expect(session.entered).toEqual([]);
    await session.call('sink', { ship: 'Ark' });
    expect(session.entered).toEqual(['sink']);
  }),
);

describe('a dry run', () => {
  it('shows the arguments of a writing tool, and runs reading tools', async () => {
    const records: AuditRecord[] = [];
    const session = await harbour({ dryRun: true, audit: (record) => records.push(record) });
    const answer = await session.call('sink', { ship: 'Ark' });
    expect(answer.isError).toBeUndefined();
    expect(answer.text).toBe(
      '[DRY RUN] sink was not run and nothing has changed. Arguments: {\n  "ship": "Ark"\n}',
    );
    await session.call('watch');
    expect(session.entered).toEqual(['watch']);
    expect(records.map(({ status }) => status)).toEqual(['dry-run', 'done']);
  });

  it('works for a tool with an output schema, and for arguments that JSON cannot express', async () => {
    const session = await modernSession((server) => {
      createRegistrar({ prefix: '', interceptors: { dryRun: true } })(
        server,
        'sink',
        {
          description: 'Sinks ships.',
          inputSchema: z.object({ depth: z.string().transform(BigInt) }),
          outputSchema: z.object({ sunk: z.number() }),
          annotations: WRITE_DESTRUCTIVE,
        },
        () => ({ content: [], structuredContent: { sunk: 1 } }),
      );
    });
    open.push(session);
    const answer = await session.call('sink', { depth: '40' });
    expect(answer.isError).toBeUndefined();
    expect(answer.text).toContain('"depth": "40"');
  });
});

it(
  'the safety mode answers a destructive call outside its conditions with an error that says why',
  shows('ANN-38', async () => {
    let mode = 'write-destructive' as SafetyMode;
    const session = await harbour({ safetyMode: () => mode });
    await session.call('sink');
    mode = 'read-only';
    expect(await session.call('sink')).toEqual({
      isError: true,
      text:
        'sink was not called: its effect is "destructive", which the safety mode "read-only" of this ' +
        'server does not permit. Its operator can choose one of read-only, write-idempotent, write-destructive.',
    });
    mode = 'whatever' as SafetyMode;
    expect((await session.call('watch')).isError).toBe(true);
    expect(session.entered).toEqual(['sink']);
  }),
);

it('your own interceptor may answer, and may read the outcome', async () => {
  const seen: string[] = [];
  const session = await harbour({}, [
    async ({ args }, next) => {
      if (args['ship'] === 'Ark') return refused('The Ark stays.');
      const { status, result } = await next();
      seen.push(status);
      return { status, result };
    },
  ]);
  expect(await session.call('sink', { ship: 'Ark' })).toEqual({
    isError: true,
    text: 'The Ark stays.',
  });
  expect(await session.call('sink', { ship: 'Argo' })).toEqual({ text: 'sink: done' });
  expect(seen).toEqual(['done']);
});

describe('a required role', () => {
  const records: AuditRecord[] = [];
  const entered: string[] = [];
  const endpoint = async (interceptor: ToolInterceptor): Promise<HttpEndpoint> => {
    records.length = 0;
    entered.length = 0;
    const registerTool = createRegistrar({
      prefix: '',
      interceptors: { audit: (record) => records.push(record) },
    });
    const http = await httpEndpoint(
      (server) => {
        const tool = {
          description: 'Sinks a ship.',
          inputSchema: z.object({}),
          annotations: WRITE_DESTRUCTIVE,
          interceptors: [interceptor],
        };
        registerTool(server, 'sink', tool, (_args, { auth }) => {
          entered.push(auth!.clientId);
          return { content: [{ type: 'text', text: 'sunk' }] };
        });
      },
      new Map([
        ['captain', ['watch', 'sink']],
        ['sailor', ['watch']],
      ]),
    );
    open.push(http);
    return http;
  };

  it(
    'lets a tool run only for an authenticated session that has it',
    shows('ANN-36', async () => {
      const http = await endpoint(requireRole('sink'));
      expect(await (await http.connect('captain')).call('sink')).toEqual({ text: 'sunk' });
      expect(await (await http.connect('sailor')).call('sink')).toEqual({
        isError: true,
        text: 'sink needs the role "sink", which this session does not have.',
      });
      for (const token of [undefined, 'stowaway']) {
        expect(await (await http.connect(token)).call('sink')).toEqual({
          isError: true,
          text: 'sink needs an authenticated session. Sign in and call it again.',
        });
      }
      expect(entered).toEqual(['client of captain']);
      expect(records.map(({ caller, status }) => [caller, status])).toEqual([
        ['client of captain', 'done'],
        ['client of sailor', 'refused'],
        [undefined, 'refused'],
        [undefined, 'refused'],
      ]);
    }),
  );

  it('may come from another place than the scopes', async () => {
    const admiral = requireRole('admiral', ({ token }) => (token === 'captain' ? ['admiral'] : []));
    const http = await endpoint(admiral);
    expect((await (await http.connect('captain')).call('sink')).text).toBe('sunk');
    expect((await (await http.connect('sailor')).call('sink')).isError).toBe(true);
  });
});

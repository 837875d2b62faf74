import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';

import { shows } from '../../../../test/requirements/shows.js';
import {
  DEFAULT_ANNOTATIONS,
  registerToolSafe,
  TOOL_PREFIX,
  type ToolServer,
  WRITE_IDEMPOTENT,
} from '../index.js';
import { SESSIONS } from '../testing/session-kinds.js';
import { modernSession } from '../testing/sessions.js';

const text = (words: string) => ({ content: [{ type: 'text' as const, text: words }] });
const NOTHING = z.object({});
const LIST_CHARTS = { description: 'Lists the charts of a project.', inputSchema: NOTHING };

it(
  'has one prefix and two default hints, both exported',
  shows('LDD-02', 'LDD-10', () => {
    expect(TOOL_PREFIX).toBe('lightdash_tools__');
    expect(DEFAULT_ANNOTATIONS).toEqual({ readOnlyHint: true, openWorldHint: false });
  }),
);

it(
  'takes server, short name, options and handler',
  shows('LDD-04', () => {
    expect(registerToolSafe).toHaveLength(4);
    const handle = registerToolSafe(
      new McpServer({ name: 'harbour', version: '1.0.0' }),
      'list_charts',
      LIST_CHARTS,
      () => text('none'),
    );
    expect(handle?.enabled).toBe(true);
  }),
);

describe.each(SESSIONS)('registerToolSafe on SDK %s', (_version, connect) => {
  const listed = async (register: (server: ToolServer) => void) => {
    const session = await connect(register);
    const tools = await session.list();
    await session.close();
    return tools;
  };

  it(
    'puts the prefix in front of the short name',
    shows('LDP-06', 'LDD-05', async () => {
      const tools = await listed((server) => {
        registerToolSafe(server, 'list_charts', LIST_CHARTS, () => text('none'));
      });
      expect(tools.map(({ name }) => name)).toEqual(['lightdash_tools__list_charts']);
    }),
  );

  it(
    'gives a tool that says nothing the prefix, the default hints and no title',
    shows('LDP-07', 'LDP-17', 'LDD-08', 'LDD-11', 'ANN-01', async () => {
      const [tool] = await listed((server) => {
        registerToolSafe(server, 'list_charts', LIST_CHARTS, () => text('none'));
      });
      expect(tool?.name).toBe(`${TOOL_PREFIX}list_charts`);
      expect(tool?.annotations).toEqual(DEFAULT_ANNOTATIONS);
      expect(tool).not.toHaveProperty('title');
    }),
  );

  it(
    'carries description, schema, title and annotations to the list',
    shows('LDP-07', 'LDD-06', 'ANN-01', async () => {
      const [tool] = await listed((server) => {
        registerToolSafe(
          server,
          'rename_chart',
          {
            title: 'Rename chart',
            description: 'Gives a chart a new name.',
            inputSchema: z.object({ name: z.string() }),
            annotations: WRITE_IDEMPOTENT,
          },
          () => text('renamed'),
        );
      });
      expect(tool).toMatchObject({
        title: 'Rename chart',
        description: 'Gives a chart a new name.',
        inputSchema: { type: 'object', properties: { name: { type: 'string' } } },
        annotations: { ...WRITE_IDEMPOTENT, title: 'Rename chart' },
      });
    }),
  );

  it(
    'merges hint by hint, and an explicit false counts',
    shows('LDD-12', async () => {
      const [tool] = await listed((server) => {
        const annotations = { readOnlyHint: false };
        registerToolSafe(server, 'add', { ...LIST_CHARTS, annotations }, () => text('added'));
      });
      expect(tool?.annotations).toEqual({ readOnlyHint: false, openWorldHint: false });
    }),
  );

  it('takes a title from the annotations, and shows it in both places', async () => {
    const [tool] = await listed((server) => {
      const annotations = { title: 'List charts' };
      registerToolSafe(server, 'list_charts', { ...LIST_CHARTS, annotations }, () => text('none'));
    });
    expect(tool?.title).toBe('List charts');
    expect(tool?.annotations).toMatchObject({ title: 'List charts' });
  });

  it(
    'lets the handler answer calls of the prefixed name, and of no other',
    shows('LDD-07', async () => {
      const session = await connect((server) => {
        const inputSchema = z.object({ uuid: z.string(), depth: z.number().default(1) });
        registerToolSafe(
          server,
          'get_chart',
          { description: 'Gets a chart.', inputSchema },
          ({ uuid, depth }) => text(`${uuid} at ${depth}`),
        );
      });
      expect(await session.call('lightdash_tools__get_chart', { uuid: 'c1' })).toEqual({
        text: 'c1 at 1',
      });
      // Version 2 answers an unknown tool with a protocol error, version 1 with an error result.
      const short = await session.call('get_chart', { uuid: 'c1' }).catch(({ message }: Error) => ({
        isError: true,
        text: message,
      }));
      expect(short.isError).toBe(true);
      expect(short.text).toContain('get_chart not found');
      await session.close();
    }),
  );

  it('passes structured content that fits the output schema', async () => {
    const session = await connect((server) => {
      const outputSchema = z.object({ count: z.number() });
      registerToolSafe(server, 'count_charts', { ...LIST_CHARTS, outputSchema }, () => ({
        ...text('3'),
        structuredContent: { count: 3 },
      }));
    });
    const [tool] = await session.list();
    expect(tool?.outputSchema).toMatchObject({ required: ['count'] });
    expect(await session.call('lightdash_tools__count_charts')).toEqual({
      text: '3',
      structuredContent: { count: 3 },
    });
    await session.close();
  });

  it(
    'never enters the handler with arguments that break the schema',
    shows('ANN-37', async () => {
      let entered = 0;
      const session = await connect((server) => {
        const inputSchema = z.object({ uuid: z.uuid() });
        registerToolSafe(server, 'get_chart', { ...LIST_CHARTS, inputSchema }, () => {
          entered += 1;
          return text('never');
        });
      });
      const answer = await session.call('lightdash_tools__get_chart', { uuid: '../admin' });
      expect(answer.isError).toBe(true);
      expect(answer.text).toContain('uuid');
      expect(entered).toBe(0);
      await session.close();
    }),
  );

  it('turns what a handler throws into an error result without stack and secrets', async () => {
    const session = await connect((server) => {
      registerToolSafe(server, 'list_charts', LIST_CHARTS, () => {
        const cause = new Error('refused Authorization: ApiKey ldpat_deadbeefdeadbeef');
        throw new Error('Lightdash is not reachable', { cause });
      });
    });
    const answer = await session.call('lightdash_tools__list_charts');
    expect(answer).toEqual({
      isError: true,
      text: 'Lightdash is not reachable: refused Authorization: [redacted]',
    });
    await session.close();
  });
});

it('accepts plain JSON Schema in the SDK’s own wrapper', async () => {
  const inputSchema = fromJsonSchema<{ uuid: string }>({
    type: 'object',
    properties: { uuid: { type: 'string' } },
    required: ['uuid'],
  });
  const session = await modernSession((server) => {
    registerToolSafe(server, 'get_chart', { ...LIST_CHARTS, inputSchema }, ({ uuid }) =>
      text(uuid),
    );
  });
  expect((await session.list())[0]?.inputSchema).toMatchObject({ required: ['uuid'] });
  expect(await session.call('lightdash_tools__get_chart', { uuid: 'c1' })).toEqual({ text: 'c1' });
  expect((await session.call('lightdash_tools__get_chart', {})).isError).toBe(true);
  await session.close();
});

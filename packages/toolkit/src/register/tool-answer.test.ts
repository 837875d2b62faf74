import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { describe, expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod';

import { createRegistrar, type ToolAnswer } from '../index.js';
import { modernSession } from '../testing/sessions.js';

const registerTool = createRegistrar({ prefix: 'harbour__' });
const BERTH = { description: 'Finds a berth.', inputSchema: z.object({}) };

async function answered(
  answer: () => ToolAnswer,
  outputSchema?: StandardSchemaWithJSON,
): Promise<unknown> {
  const session = await modernSession((server) => {
    registerTool(server, 'find_berth', { ...BERTH, outputSchema }, answer);
  });
  const result = await session.call('harbour__find_berth');
  await session.close();
  return result;
}

describe('a handler', () => {
  it('N24: may return a text', async () => {
    expect(await answered(() => 'Berth 3')).toMatchObject({ text: 'Berth 3' });
  });

  it('N24: may return an object, which clients get as data and as text', async () => {
    const data = { berth: 3, since: new Date(0) };
    const schema = z.object({ berth: z.number(), since: z.string() });
    expect(await answered(() => data, schema)).toMatchObject({
      text: '{"berth":3,"since":"1970-01-01T00:00:00.000Z"}',
      structuredContent: { berth: 3, since: '1970-01-01T00:00:00.000Z' },
    });
  });

  it('may return a result as before', async () => {
    const result = { content: [{ type: 'text' as const, text: 'full' }], isError: true };
    expect(await answered(() => result)).toMatchObject({ text: 'full', isError: true });
  });

  it.each([
    ['nothing', undefined],
    ['a list', [1]],
    ['a number', 3],
  ])('that returns %s is named in the error', async (what, value) => {
    expect(await answered(() => value as never)).toMatchObject({
      isError: true,
      text: expect.stringContaining(`The handler of harbour__find_berth returned ${what}.`),
    });
  });

  it('does not compile with a result whose content is wrong', () => {
    expectTypeOf<{ content: string }>().not.toExtend<ToolAnswer>();
    expectTypeOf<{ berth: number }>().toExtend<ToolAnswer>();
  });
});

describe('a handler of a tool with an output schema', () => {
  const outputSchema = z.object({ berth: z.number(), since: z.string().optional() });
  const tool = { ...BERTH, outputSchema };

  it('does not compile if it returns other data, or none (B19)', async () => {
    const session = await modernSession((server) => {
      // @ts-expect-error: a berth is a number.
      registerTool(server, 'text_as_number', tool, () => ({ berth: 'three' }));
      // @ts-expect-error: the berth is missing.
      registerTool(server, 'nothing', tool, () => ({}));
      // @ts-expect-error: a text is no data.
      registerTool(server, 'text', tool, () => 'Berth 3');
      // @ts-expect-error: later, too.
      registerTool(server, 'later', tool, () => Promise.resolve({ berth: null }));
    });
    for (const name of ['text_as_number', 'nothing', 'text', 'later']) {
      expect(await session.call(`harbour__${name}`), name).toMatchObject({ isError: true });
    }
    await session.close();
  });

  it('compiles with its data, dates, results and errors', async () => {
    const session = await modernSession((server) => {
      registerTool(server, 'data', tool, () => ({ berth: 3, since: new Date(0) }));
      registerTool(server, 'later', tool, () => Promise.resolve({ berth: 3 }));
      registerTool(server, 'result', tool, () => ({
        content: [],
        structuredContent: { berth: 3 },
      }));
      registerTool(server, 'failed', tool, () => ({
        content: [{ type: 'text', text: 'full' }],
        isError: true,
      }));
    });
    for (const name of ['data', 'later', 'result']) {
      const answer = await session.call(`harbour__${name}`);
      expect(answer, name).toMatchObject({ structuredContent: { berth: 3 } });
    }
    expect(await session.call('harbour__failed')).toMatchObject({ isError: true, text: 'full' });
    await session.close();
  });
});

describe('N24: a registrar', () => {
  it('says that it needs a prefix', () => {
    expect(() => createRegistrar({} as never)).toThrow(
      "createRegistrar needs a prefix, such as { prefix: 'harbour__' }. An empty text means none.",
    );
  });

  it('refuses a tool without a handler', async () => {
    const session = await modernSession((server) => {
      const register = (): unknown => registerTool(server, 'find', BERTH, undefined as never);
      expect(register).toThrow(
        'harbour__find has no handler. Pass a function as the last argument.',
      );
    });
    await session.close();
  });
});

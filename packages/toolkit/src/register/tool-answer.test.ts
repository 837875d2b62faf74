import { describe, expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod';

import { createRegistrar, type ToolAnswer } from '../index.js';
import { modernSession } from '../testing/sessions.js';

const registerTool = createRegistrar({ prefix: 'harbour__' });
const BERTH = { description: 'Finds a berth.', inputSchema: z.object({}) };

async function answered(answer: () => ToolAnswer, outputSchema?: z.ZodObject): Promise<unknown> {
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

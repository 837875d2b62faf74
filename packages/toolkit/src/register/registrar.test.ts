import { describe, expect, it } from 'vitest';
import * as z from 'zod';

import { shows } from '../../../../test/requirements/shows.js';
import {
  createRegistrar,
  READ_ONLY_DEFAULT,
  READ_ONLY_OPEN_WORLD,
  type Registrar,
  registerToolSafe,
  type SafetyMode,
  type ToolServer,
  WRITE_ADDITIVE,
  WRITE_DESTRUCTIVE,
  WRITE_IDEMPOTENT,
} from '../index.js';
import { modernSession } from '../testing/sessions.js';

const answer = () => ({ content: [{ type: 'text' as const, text: 'done' }] });
const MOOR = { description: 'Moors a ship.', inputSchema: z.object({}) };

/** Replaces a server where only the compiler or a refusal is tested. */
const server: ToolServer = { registerTool: () => undefined };

const listed = async (register: (live: ToolServer) => void) => {
  const session = await modernSession(register);
  const tools = await session.list();
  await session.close();
  return tools;
};

describe('a registrar', () => {
  it(
    'sets prefix and defaults of all tools in one place',
    shows('LDP-16', async () => {
      const fleet = (registerTool: Registrar<false>) =>
        listed((live) => {
          registerTool(live, 'moor', MOOR, answer);
          registerTool(live, 'sail', MOOR, answer);
        });
      const harbour = await fleet(createRegistrar({ prefix: 'harbour__' }));
      const port = await fleet(createRegistrar({ prefix: 'port_', defaults: WRITE_ADDITIVE }));
      expect(harbour.map(({ name }) => name)).toEqual(['harbour__moor', 'harbour__sail']);
      expect(port.map(({ name }) => name)).toEqual(['port_moor', 'port_sail']);
      for (const { annotations } of harbour) {
        expect(annotations).toEqual({ readOnlyHint: true, openWorldHint: false });
      }
      for (const { annotations } of port) expect(annotations).toEqual(WRITE_ADDITIVE);
    }),
  );

  it('does not call a tool read-only that its author calls destructive (S21)', async () => {
    const [tool] = await listed((live) => {
      registerToolSafe(live, 'sink', { ...MOOR, annotations: { destructiveHint: true } }, answer);
    });
    expect(tool?.annotations).toEqual({
      readOnlyHint: false,
      destructiveHint: true,
      openWorldHint: false,
    });
  });

  it('keeps the title of the annotations beside the title of the tool (S21)', async () => {
    const [tool] = await listed((live) => {
      const annotations = { ...READ_ONLY_DEFAULT, title: 'Moor a ship' };
      registerToolSafe(live, 'moor', { ...MOOR, title: 'Moor', annotations }, answer);
    });
    expect(tool).toMatchObject({ title: 'Moor', annotations: { title: 'Moor a ship' } });
  });

  it('accepts frozen hints, and does not change them', async () => {
    const annotations = Object.freeze({ ...WRITE_IDEMPOTENT, title: 'Moor' });
    const [tool] = await listed((live) => {
      registerToolSafe(live, 'moor', { ...MOOR, annotations }, answer);
    });
    expect(tool?.annotations).toEqual(annotations);
  });
});

describe('a strict registrar', () => {
  const registerTool = createRegistrar({ prefix: 'harbour__', strict: true });

  it(
    'refuses a tool without a preset, in the compiler and at run time',
    shows('LDP-15', () => {
      const reason = 'harbour__moor is registered without a preset. Pass one as annotations: READ_';
      // @ts-expect-error: annotations are missing.
      expect(() => registerTool(server, 'moor', MOOR, answer)).toThrow(reason);
      expect(() =>
        // @ts-expect-error: three hints are left open.
        registerTool(server, 'moor', { ...MOOR, annotations: { readOnlyHint: true } }, answer),
      ).toThrow(reason);
      expect(() =>
        // @ts-expect-error: no preset reads and yet cannot be repeated.
        registerTool(server, 'moor', { ...MOOR, annotations: READS_ONCE }, answer),
      ).toThrow(reason);
    }),
  );

  it('accepts every preset, with a title, and with an external backend', async () => {
    const tools = await listed((live) => {
      registerTool(live, 'moor', { ...MOOR, annotations: WRITE_IDEMPOTENT }, answer);
      const titled = { ...READ_ONLY_DEFAULT, title: 'Watch' };
      registerTool(live, 'watch', { ...MOOR, annotations: titled }, answer);
      const outside = { ...WRITE_ADDITIVE, openWorldHint: true };
      registerTool(live, 'signal', { ...MOOR, annotations: outside }, answer);
    });
    expect(tools.map(({ annotations }) => annotations)).toEqual([
      WRITE_IDEMPOTENT,
      { ...READ_ONLY_DEFAULT, title: 'Watch' },
      { ...WRITE_ADDITIVE, openWorldHint: true },
    ]);
  });
});

const READS_ONCE = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
};

describe('the compiler', () => {
  it(
    'allows five optional fields of annotations, and no other',
    shows('LDD-09', () => {
      const register = (annotations: Parameters<typeof registerToolSafe>[2]['annotations']) =>
        registerToolSafe(server, 'moor', { ...MOOR, annotations }, answer);
      const accepted = [
        {},
        { title: 'Moor' },
        { readOnlyHint: false },
        { destructiveHint: false as const },
        { idempotentHint: true },
        { openWorldHint: true },
        { readOnlyHint: false as const, destructiveHint: true },
        undefined,
      ];
      for (const annotations of accepted) expect(() => register(annotations)).not.toThrow();
      // @ts-expect-error: there is no such hint.
      register({ safeHint: true });
      // @ts-expect-error: a hint is a boolean.
      register({ readOnlyHint: 'yes' });
      // @ts-expect-error: a title is text.
      register({ title: 7 });
    }),
  );

  it('refuses a hint that contradicts its preset or another hint', () => {
    const register = (annotations: Parameters<typeof registerToolSafe>[2]['annotations']) =>
      createRegistrar({ prefix: 'harbour__', defaults: {} })(
        server,
        'moor',
        { ...MOOR, annotations },
        answer,
      );
    // @ts-expect-error: it reads and destroys.
    expect(() => register({ ...READ_ONLY_DEFAULT, destructiveHint: true })).toThrow(/both/);
    // @ts-expect-error: it destroys and only reads.
    expect(() => register({ ...WRITE_DESTRUCTIVE, readOnlyHint: true })).toThrow(/both/);
    // By hand, only at run time: a variable of the SDK's type compiles (S17).
    expect(() => register({ readOnlyHint: true, destructiveHint: true })).toThrow(/both/);
    // The next values are valid, but they do not match the preset that they start from.
    // @ts-expect-error: a tool that writes does not start from a read-only preset.
    register({ ...READ_ONLY_DEFAULT, readOnlyHint: false });
    // @ts-expect-error: a tool that destroys nothing does not start from a destructive preset.
    register({ ...WRITE_DESTRUCTIVE, destructiveHint: false });
    // @ts-expect-error: an open-world preset cannot be narrowed.
    register({ ...READ_ONLY_OPEN_WORLD, openWorldHint: false });
  });

  it('infers the arguments of a handler from the schema', () => {
    const inputSchema = z.object({ berth: z.number() });
    registerToolSafe(server, 'moor', { ...MOOR, inputSchema }, ({ berth }) => {
      berth.toFixed();
      // @ts-expect-error: a berth is a number.
      berth.trim();
      return answer();
    });
    // @ts-expect-error: the schema knows no ship.
    registerToolSafe(server, 'moor', { ...MOOR, inputSchema }, ({ ship }) => answer(ship));
    // @ts-expect-error: a handler returns a text, data or a result, not a number.
    registerToolSafe(server, 'moor', MOOR, () => 3);
    expect(inputSchema.shape).toHaveProperty('berth');
  });
});

describe('the safety mode of a registrar', () => {
  const namesUnder = async (safetyMode: SafetyMode) => {
    const registerTool = createRegistrar({
      prefix: '',
      strict: true,
      interceptors: { safetyMode },
    });
    const tools = await listed((live) => {
      // One tool that is registered directly, so that the server has a list.
      createRegistrar({ prefix: 'other_' })(live, 'tool', MOOR, answer);
      registerTool(live, 'watch', { ...MOOR, annotations: READ_ONLY_DEFAULT }, answer);
      registerTool(live, 'moor', { ...MOOR, annotations: WRITE_IDEMPOTENT }, answer);
      registerTool(live, 'signal', { ...MOOR, annotations: WRITE_ADDITIVE }, answer);
      registerTool(live, 'sink', { ...MOOR, annotations: WRITE_DESTRUCTIVE }, answer);
    });
    return tools.map(({ name }) => name).slice(1);
  };

  it('leaves out a tool that is a read only by the default hint (B6)', async () => {
    const names = async (defaults?: { readOnlyHint: true }) => {
      const safe = createRegistrar({
        prefix: '',
        defaults,
        interceptors: { safetyMode: 'read-only' },
      });
      const tools = await listed((live) => {
        safe(live, 'watch', { ...MOOR, annotations: READ_ONLY_DEFAULT }, answer);
        safe(live, 'delete_everything', MOOR, answer);
      });
      return tools.map(({ name }) => name);
    };
    expect(await names()).toEqual(['watch']);
    expect(await names({ readOnlyHint: true })).toEqual(['watch', 'delete_everything']);
  });

  it('leaves out tools beyond it', async () => {
    expect(await namesUnder('read-only')).toEqual(['watch']);
    expect(await namesUnder('write-idempotent')).toEqual(['watch', 'moor', 'signal']);
    expect(await namesUnder('write-destructive')).toEqual(['watch', 'moor', 'signal', 'sink']);
  });

  it.each(['', 'READ-ONLY', 'everything', '__proto__', 'constructor'])(
    'permits nothing under the unknown name %j',
    async (unknown) => {
      expect(await namesUnder(unknown as SafetyMode)).toEqual([]);
    },
  );
});

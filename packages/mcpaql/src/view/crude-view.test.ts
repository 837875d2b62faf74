import { CallsignError, Hub, type Interceptor } from '@callsign/core';
import { describe, expect, it } from 'vitest';

import { callOf, deskFor, envelopeIn, send } from '../../../../test/adapters/desk.js';
import { serverWith, type ServerTool } from '../../../../test/adapters/server.js';
import { createCrudeView, type CrudeViewOptions } from './crude-view.js';
import { hubOperations } from './operation-source.js';

const READ = { readOnlyHint: true, openWorldHint: false };
const TOOLS: readonly ServerTool[] = [
  {
    name: 'read_file',
    description: 'Reads a file. Slowly.',
    annotations: READ,
    inputSchema: {
      type: 'object',
      properties: { path: { type: 'string' }, head: { type: 'integer', minimum: 1 } },
      required: ['path'],
    },
  },
  { name: 'list_files', annotations: READ },
  {
    name: 'write_file',
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  },
  { name: 'delete_file', annotations: { readOnlyHint: false, destructiveHint: true } },
];

interface ViewOptions extends Partial<CrudeViewOptions> {
  readonly trust?: 'full' | 'none';
  readonly interceptors?: readonly Interceptor[];
}

/** A server in a hub, as in the gateway, and a view of it. */
function viewOver(
  server: ReturnType<typeof serverWith>,
  { trust = 'full', interceptors = [], ...options }: ViewOptions = {},
) {
  const hub = new Hub({ interceptors, label: () => ({ trust }) });
  hub.set('fs', server.source);
  return createCrudeView(hubOperations(hub, 'fs'), {
    name: 'fs',
    displayName: 'Files',
    ...options,
  });
}

const textOf = (json: string) =>
  (JSON.parse(json) as { content: { text: string }[] }).content[0]!.text;

describe('any server as five tools', () => {
  it('groups its tools by effect, with labels like those of an adapter', () => {
    const desk = deskFor(viewOver(serverWith(TOOLS)));
    expect(
      desk.list().map(({ name, title, annotations }) => {
        const { readOnlyHint, destructiveHint } = annotations as Record<string, boolean>;
        return [name, title, readOnlyHint, destructiveHint];
      }),
    ).toEqual([
      ['fs_mcpaql_read', 'Files — Read', true, false],
      ['fs_mcpaql_update', 'Files — Update', false, false],
      ['fs_mcpaql_delete', 'Files — Delete', false, true],
    ]);
  });

  it('D5: describes each with what is true of all its operations', () => {
    const server = serverWith([
      { name: 'create_issue', annotations: { readOnlyHint: false, destructiveHint: false } },
      { name: 'create_application' },
      { name: 'list_issues', annotations: READ },
      { name: 'validate', description: 'Checks a theme.' },
      { name: 'update_issue', annotations: { readOnlyHint: false, destructiveHint: true } },
    ]);
    const described = (options: ViewOptions) =>
      Object.fromEntries(
        deskFor(viewOver(server, options))
          .list()
          .map(({ name, description, annotations }) => [
            name,
            [(description as string).split('. ')[0], annotations as Record<string, boolean>],
          ]),
      );
    const five = described({ trust: 'none' });
    expect(five['fs_mcpaql_create']).toEqual([
      'Adds to Files; may overwrite or remove: create_issue, create_application',
      expect.objectContaining({ readOnlyHint: false, destructiveHint: true }),
    ]);
    expect(five['fs_mcpaql_read']).toEqual([
      'Reads from Files; may change something: list_issues, validate',
      expect.objectContaining({ readOnlyHint: false, destructiveHint: true }),
    ]);
    expect(five['fs_mcpaql_update']![0]).toBe('Changes what Files holds; may overwrite or remove');
    server.offer([{ name: 'list_issues', annotations: READ }]);
    expect(described({})['fs_mcpaql_read']).toEqual([
      'Reads from Files; changes nothing',
      expect.objectContaining({ readOnlyHint: true, destructiveHint: false }),
    ]);
  });

  it('believes a server’s harmless labels only as far as it is trusted', () => {
    const desk = deskFor(viewOver(serverWith(TOOLS), { trust: 'none' }));
    const read = desk.list().find(({ name }) => name === 'fs_mcpaql_read')!;
    expect(read['annotations']).toMatchObject({ readOnlyHint: false, destructiveHint: true });
  });

  it('reports the endpoint of each tool and the reason; the operator’s decision wins', () => {
    const endpoints = new Map([['write_file', 'execute' as const]]);
    const view = viewOver(serverWith(TOOLS), { endpoints });
    expect(
      view
        .report()
        .map(({ operation, endpoint, isOverridden }) => [operation.name, endpoint, isOverridden]),
    ).toEqual([
      ['read_file', 'read', false],
      ['list_files', 'read', false],
      ['write_file', 'execute', true],
      ['delete_file', 'delete', false],
    ]);
    expect(view.report()[0]).toMatchObject({
      confidence: 'high',
      because: 'it says readOnlyHint true',
    });
  });

  it('follows changes of the server', () => {
    const server = serverWith(TOOLS);
    const view = viewOver(server);
    const before = view.offer;
    expect(view.offer).toBe(before);
    const heard: unknown[] = [];
    const stop = view.subscribe((event) => heard.push(event));
    server.offer([{ name: 'create_file' }]);
    expect(heard).toEqual([{ type: 'changed', kinds: ['tool'] }]);
    expect(view.offer.tool.map(({ name }) => name)).toEqual(['fs_mcpaql_create', 'fs_mcpaql_read']);
    server.offer([]);
    expect(view.offer.tool).toEqual([]);
    stop();
    view.close();
    server.offer(TOOLS);
    expect(heard).toHaveLength(2);
  });
});

describe('an operation behind a view', () => {
  const RESULT = '{"content":[{"type":"text","text":"x"}],"big":9007199254740993,"z":1.0}';

  it('is called under its server’s name, and its answer is unchanged', async () => {
    const server = serverWith(TOOLS, () => ({ ok: true, json: RESULT }));
    const view = viewOver(server);
    const params =
      '{"name":"fs_mcpaql_read","arguments":{"operation":"read_file","params":{"path":"a", "n":1.00}},"_meta":{"progressToken":"mine","k":1}}';
    const reply = await view.route('tool', 'fs_mcpaql_read')!.send(callOf(params));
    expect(reply).toEqual({ ok: true, json: RESULT });
    expect(server.received).toEqual([
      '{"name":"read_file","arguments":{"path":"a", "n":1.00},"_meta":{"progressToken":7,"k":1}}',
    ]);
  });

  it('is what interceptors see, with its own name and label', async () => {
    const seen: unknown[] = [];
    const watch: Interceptor = (call, next) => {
      seen.push([call.target?.canonical, call.target?.risk, call.name]);
      return next();
    };
    const view = viewOver(serverWith(TOOLS), { interceptors: [watch] });
    await send(view, 'fs_mcpaql_read', { operation: 'read_file', params: { path: 'a' } });
    await send(view, 'fs_mcpaql_delete', { operation: 'delete_file' });
    expect(seen).toEqual([
      ['fs:read_file', 'read', 'read_file'],
      ['fs:delete_file', 'destructive', 'delete_file'],
    ]);
  });

  it('is what they see in the hub for clients, too', async () => {
    const seen: unknown[] = [];
    const watch: Interceptor = (call, next) => {
      seen.push(call.target?.canonical);
      return next();
    };
    const view = viewOver(serverWith(TOOLS), { interceptors: [watch] });
    const shown = new Hub();
    shown.set('fs', view);
    const route = shown.route('tool', 'fs:fs_mcpaql_read')!;
    const call = callOf('{"name":"fs:fs_mcpaql_read","arguments":{"operation":"list_files"}}');
    expect(await route.send(call)).toEqual({ ok: true, json: '{"content":[]}' });
    expect(seen).toEqual(['fs:list_files']);
    // The client's own call is unchanged.
    expect(call.target).toBeUndefined();
  });

  it('can be refused by an interceptor, with our own error', async () => {
    const refuse: Interceptor = () => Promise.reject(new CallsignError('call-cancelled'));
    const view = viewOver(serverWith(TOOLS), { interceptors: [refuse] });
    const args = { operation: 'read_file', params: {} };
    await expect(send(view, 'fs_mcpaql_read', args)).rejects.toThrow(CallsignError);
    const batch = await send(view, 'fs_mcpaql_read', { operations: [args] });
    expect(envelopeIn(batch)).toMatchObject({ summary: { failed: 1 } });
  });

  it('reports, asks and is cancelled through the outer call', async () => {
    const server = serverWith(TOOLS, async (call) => {
      call.context.progress?.('{"progressToken":7}', 17, 18);
      call.context.log?.('{"data":"log"}');
      const answer = await call.context.ask!({ method: 'roots/list', params: '{}' });
      return new Promise((resolve) => {
        call.context.onCancel((reason) =>
          resolve({ ok: true, json: JSON.stringify([reason, answer.json]) }),
        );
      });
    });
    const view = viewOver(server);
    const outer = callOf(
      '{"name":"x","arguments":{"operation":"list_files"},"_meta":{"progressToken":1}}',
    );
    const heard: unknown[] = [];
    outer.context.progress = (...progress) => void heard.push(progress);
    outer.context.log = (log) => void heard.push(log);
    outer.context.ask = async ({ method }) => {
      setImmediate(() => outer.context.cancel('enough'));
      return { ok: true, json: method };
    };
    const reply = await view.route('tool', 'fs_mcpaql_read')!.send(outer);
    expect(reply.json).toBe('["enough","roots/list"]');
    expect(heard).toEqual([['{"progressToken":7}', 17, 18], '{"data":"log"}']);
  });

  it('can be sent beside its parameters, as models do', async () => {
    const server = serverWith(TOOLS);
    await send(viewOver(server), 'fs_mcpaql_read', { operation: 'read_file', path: 'a' });
    expect(server.received).toEqual(['{"name":"read_file","arguments":{"path":"a"}}']);
  });

  it('is refused at the wrong tool before the server gets it, and the right tool is named', async () => {
    const server = serverWith(TOOLS);
    const view = viewOver(server);
    const answer = envelopeIn(await send(view, 'fs_mcpaql_read', { operation: 'delete_file' }));
    expect(answer.error).toMatchObject({
      code: 'VALIDATION_ENDPOINT_MISMATCH',
      message: expect.stringContaining("'fs_mcpaql_delete'"),
    });
    expect(server.received).toEqual([]);
  });

  it('can be one of several in a batch, each with its server’s answer', async () => {
    const server = serverWith(TOOLS, (call) =>
      call.name === 'list_files'
        ? { ok: true, json: '{"content":[],"isError":true}' }
        : { ok: true, json: RESULT },
    );
    const { json } = await send(viewOver(server), 'fs_mcpaql_read', {
      operations: [{ operation: 'read_file', params: { path: 'a' } }, { operation: 'list_files' }],
    });
    expect(textOf(json)).toContain(`"result":${RESULT}`);
    expect(JSON.parse(textOf(json))).toMatchObject({
      summary: { total: 2, succeeded: 1, failed: 1 },
    });
  });

  it('is shown by introspection with its server’s full description of parameters', async () => {
    const desk = deskFor(viewOver(serverWith(TOOLS)));
    const ask = async (params: object) =>
      (await desk.ask('read', { operation: 'introspect', params })).data;
    expect(await ask({ name: 'read_file' })).toMatchObject({
      operation: {
        mcpTool: 'fs_mcpaql_read',
        parameters: [
          { name: 'path', type: 'string', required: true },
          { name: 'head', type: 'integer', minimum: 1, required: false },
        ],
      },
    });
    expect(await ask({ names: ['read_file'], format: 'compact' })).toMatchObject({
      operations: { read_file: 'read(path: string, head?: integer 1..) — Reads a file.' },
    });
  });
});

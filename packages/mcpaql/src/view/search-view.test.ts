import { Hub } from '@callsign/core';
import { describe, expect, it } from 'vitest';

import { callOf, deskFor, envelopeIn, send } from '../../../../test/adapters/desk.js';
import { serverWith, type ServerTool } from '../../../../test/adapters/server.js';
import { hubOperations } from './operation-source.js';
import { createSearchView } from './search-view.js';

const TOOLS: readonly ServerTool[] = [
  { name: 'create_issue', description: 'Opens an issue.', annotations: { destructiveHint: false } },
  {
    name: 'list_pull_requests',
    description: 'Lists pull requests.',
    annotations: { readOnlyHint: true },
    inputSchema: { type: 'object', properties: { state: { enum: ['open', 'closed'] } } },
  },
  { name: 'delete_branch', description: 'Removes a branch for ever.' },
];

function viewOver(server = serverWith(TOOLS)) {
  const hub = new Hub();
  hub.set('github', server.source);
  return createSearchView(hubOperations(hub, 'github'), { name: 'github' });
}

const find = async (args: object) =>
  JSON.parse(
    (JSON.parse((await send(viewOver(), 'find', args)).json) as { content: { text: string }[] })
      .content[0]!.text,
  ) as { operations?: string[]; names?: string[] };

describe('any server as two tools', () => {
  it('has one to find and one to call, labelled for the most dangerous operation', () => {
    expect(
      deskFor(viewOver())
        .list()
        .map(({ name, title, annotations }) => [name, title, annotations]),
    ).toEqual([
      [
        'find',
        'GitHub — Find',
        expect.objectContaining({ readOnlyHint: true, title: 'GitHub — Find' }),
      ],
      [
        'call',
        'GitHub — Call',
        expect.objectContaining({ readOnlyHint: false, destructiveHint: true }),
      ],
    ]);
  });

  it('finds operations by words, with their parameters', async () => {
    const { operations } = await find({ query: 'show me the open pull request list' });
    expect(operations?.[0]).toBe(
      'list_pull_requests(state?: "open"|"closed") — Lists pull requests.',
    );
    expect(await find({ query: '' })).toEqual({ names: TOOLS.map(({ name }) => name) });
    expect(await find({ query: 'issue', format: 'full', limit: 1 })).toMatchObject({
      operations: [{ name: 'create_issue', parameters: [] }],
    });
  });

  it('narrows what it finds to a label', async () => {
    const { operations } = await find({ query: 'branch pull issue', label: 'read' });
    expect(operations).toHaveLength(1);
    expect(operations![0]).toContain('list_pull_requests');
    expect(await find({ query: '', label: 'destructive' })).toEqual({ names: ['delete_branch'] });
  });

  it.each([
    [{ query: 'qwertz' }, /other words.*overview/],
    [{ query: 'branch', label: 'read' }, /leave out 'label'/],
  ])('says what to try if %j finds nothing (B11)', async (args, hint) => {
    expect(await find(args)).toMatchObject({ operations: [], hint: expect.stringMatching(hint) });
  });

  it('calls one on its own route, and passes the answer on', async () => {
    const server = serverWith(TOOLS, () => ({ ok: true, json: '{"content":[],"x":1.0}' }));
    const view = viewOver(server);
    const params =
      '{"name":"call","arguments":{"operation":"create_issue","params":{"title":"T"}}}';
    const reply = await view.route('tool', 'call')!.send(callOf(params));
    expect(reply.json).toBe('{"content":[],"x":1.0}');
    expect(server.received).toEqual(['{"name":"create_issue","arguments":{"title":"T"}}']);
  });

  it.each([
    ['call', { operation: 'nobody' }, 'NOT_FOUND_OPERATION'],
    ['call', {}, 'VALIDATION_MISSING_PARAM'],
    ['call', { operations: [{ operation: 'create_issue' }] }, 'VALIDATION_INVALID_TYPE'],
    ['find', { query: 5 }, 'VALIDATION_INVALID_TYPE'],
    ['find', { query: 'x', label: 'safe' }, 'VALIDATION_INVALID_ENUM'],
  ])('%s refuses %j', async (tool, args, code) => {
    const answer = envelopeIn(await send(viewOver(), tool, args));
    expect(answer).toMatchObject({ success: false, error: { code } });
  });

  it('A12: says how this view finds operations, and suggests one', async () => {
    const { error } = envelopeIn(await send(viewOver(), 'call', { operation: 'issue_create' }));
    expect(error?.message).toBe(
      "There is no operation 'issue_create'. Did you mean 'create_issue'? Look it up with find.",
    );
  });

  it('suggests no operation that this caller may not see', async () => {
    const call = callOf('{"name":"call","arguments":{"operation":"issue_create"}}').with({
      sight: ({ ref }) => ref.tool !== 'create_issue',
    });
    const reply = await viewOver().route('tool', 'call')!.send(call);
    expect(reply.json).not.toContain('create_issue');
    expect(envelopeIn(reply).error?.code).toBe('NOT_FOUND_OPERATION');
  });

  it('follows changes of the server', () => {
    const server = serverWith(TOOLS);
    const view = viewOver(server);
    const heard: unknown[] = [];
    view.subscribe((event) => heard.push(event));
    server.offer([]);
    expect([view.offer.tool, heard.length]).toEqual([[], 1]);
    view.close();
  });
});

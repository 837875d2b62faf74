import { describe, expect, it } from 'vitest';

import { deskFor, type Desk } from '../../../../../test/adapters/desk.js';
import { startTarget } from '../../../../../test/adapters/target.js';
import { parseAdapter } from '../../adapter/parse-adapter.js';
import { createAdapterSource } from '../../source/adapter-source.js';
import { adapterFromOpenApi } from '../openapi/import-openapi.js';
import { reviewAdapter } from './review-adapter.js';

interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly parameters?: readonly object[];
}

const SECRET = 'not-for-strangers-4711';

function documentOf(operations: Readonly<Record<string, Operation>>, title = 'Harbour'): string {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [line, operation] of Object.entries(operations)) {
    const [method, path] = line.split(' ') as [string, string];
    const responses = { 200: { description: 'Fine' } };
    paths[path] = { ...paths[path], [method.toLowerCase()]: { ...operation, responses } };
  }
  return JSON.stringify({
    openapi: '3.0.0',
    info: { title, version: '1.0.0' },
    servers: [{ url: 'https://harbour.example' }],
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
    security: [{ key: [] }],
    paths,
  });
}

function importOf(document: string, previous?: string): string {
  const result = adapterFromOpenApi(document, previous === undefined ? {} : { previous });
  if (!result.ok) throw new Error(JSON.stringify(result.report.findings));
  return result.adapter;
}

function parsed(text: string) {
  const result = parseAdapter(text, 'a.md');
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.adapter;
}

async function served(text: string, env: Record<string, string> = {}) {
  const target = await startTarget();
  const desk = deskFor(createAdapterSource(parsed(text), { env, baseUrl: target.origin }));
  return { desk, target };
}

async function codeOf(desk: Desk, text: string, operation: string): Promise<string> {
  const { endpoint } = parsed(text).operations.get(operation)!;
  const { success, error } = await desk.ask(endpoint, { operation });
  return success ? 'sent' : error!.code;
}

/** A person has accepted everything. */
function reviewed(text: string, names?: readonly string[]): string {
  const review = reviewAdapter(text, 'a.md');
  if (!review.ok) throw new Error(JSON.stringify(review.problems));
  return review.accept(names ?? review.pending.map(({ name }) => name));
}

describe('before a person has reviewed an import', () => {
  it.each([
    ['POST /check_transfers', { operationId: 'create_a_check_transfer' }],
    ['POST /repos/{x}/check-runs', { operationId: 'checks/create' }],
    ['POST /filter', { operationId: 'createFilter' }],
    ['POST /cards/{x}/checklist/check', { operationId: 'addCheckItem' }],
  ])('A1: %s is not a read, and is not sent', async (line, operation) => {
    const text = importOf(documentOf({ [line]: operation }));
    const [imported] = parsed(text).operations.values();
    expect(imported?.endpoint).not.toBe('read');
    const { desk, target } = await served(text);
    expect(await codeOf(desk, text, imported!.name)).toMatch(/^PERMISSION_/);
    expect(target.asked).toEqual([]);
  });

  it('A1: a POST that was classified as a read is not sent either', async () => {
    const text = importOf(documentOf({ 'POST /ships/search': { operationId: 'searchShips' } }));
    expect(parsed(text).operations.get('search_ships')?.endpoint).toBe('read');
    const { desk, target } = await served(text);
    expect(await codeOf(desk, text, 'search_ships')).toBe('PERMISSION_REVIEW_REQUIRED');
    expect(target.asked).toEqual([]);
    const accepted = reviewed(text);
    expect(
      await codeOf(
        (await served(accepted, { CALLSIGN_HARBOUR_KEY: 'k' })).desk,
        accepted,
        'search_ships',
      ),
    ).toBe('sent');
  });

  it.each([
    ['GET /views.publish', 'views_publish', 'Publish a static view for a User.'],
    ['GET /views.update', 'views_update', 'Update an existing view.'],
    ['GET /dialog.open', 'dialog_open', 'Open a dialog with a user'],
    ['GET /#Action=RunInstances', 'GET_RunInstances', 'Launches instances.'],
    ['GET /#Action=PromoteReadReplica', 'GET_PromoteReadReplica', 'Promotes a replica.'],
    ['GET /device/{id}/reboot', undefined, undefined],
  ])('A2: %s is not sent, and is marked for review', async (line, operationId, summary) => {
    const text = importOf(
      documentOf({
        [line]: { ...(operationId ? { operationId } : {}), ...(summary ? { summary } : {}) },
      }),
    );
    const [imported] = parsed(text).operations.values();
    expect(imported?.isReviewed).toBe(false);
    const { desk, target } = await served(text);
    expect(await codeOf(desk, text, imported!.name)).toMatch(/^PERMISSION_/);
    expect(target.asked).toEqual([]);
  });

  it('a GET without a verb for a change is sent', async () => {
    const text = importOf(
      documentOf({
        'GET /ships': { operationId: 'listShips' },
        'GET /orders/current': { operationId: 'getOrder', summary: 'Returns the order.' },
        'GET /books/{isbn}': { operationId: 'get_book' },
      }),
    );
    expect(Array.from(parsed(text).operations.values(), (each) => each.isProvenRead)).toEqual([
      true,
      true,
      true,
    ]);
    const { desk, target } = await served(text);
    expect(await codeOf(desk, text, 'list_ships')).toBe('sent');
    expect(target.asked).toHaveLength(1);
  });

  it.each([
    ['validated', 'DELETE /ships/{id}', {}, /: callsign adapter review FILE$/],
    [
      'community_reviewed',
      'POST /ships/purge',
      { operationId: 'purgeShips' },
      /adapter review FILE, and then write trust\.level: community_reviewed into its file\.$/,
    ],
  ])(
    'a refusal for want of the level %s names the command that helps',
    async (level, line, operation, advice) => {
      const text = importOf(documentOf({ [line]: operation })).replace(
        /danger_level: .*/,
        `danger_level: ${level === 'validated' ? 'destructive' : 'dangerous'}`,
      );
      const [imported] = parsed(text).operations.values();
      const { name, endpoint } = imported!;
      const { desk, target } = await served(text);
      const { error } = await desk.ask(endpoint, { operation: name });
      expect(error).toMatchObject({
        code: 'PERMISSION_TRUST_LEVEL_INSUFFICIENT',
        message: expect.stringMatching(advice) as string,
        details: { required_trust_level: level },
      });
      expect(target.asked).toEqual([]);
    },
  );

  it('V9: no title chooses the variable, and no credential is sent', async () => {
    const text = importOf(documentOf({ 'GET /ships': {} }, 'AWS Secret Access'));
    expect(parsed(text).auth).toMatchObject({ key_env: 'CALLSIGN_AWS_SECRET_ACCESS_KEY' });
    const env = { CALLSIGN_AWS_SECRET_ACCESS_KEY: SECRET, AWS_SECRET_ACCESS_KEY: SECRET };
    const { desk, target } = await served(text, env);
    expect(await codeOf(desk, text, 'list_ships')).toBe('sent');
    expect(JSON.stringify(target.asked)).not.toContain(SECRET);
    const accepted = await served(reviewed(text), env);
    expect(await codeOf(accepted.desk, text, 'list_ships')).toBe('sent');
    expect(accepted.target.asked[0]?.headers['x-key']).toBe(SECRET);
  });

  it('V9: if a target requires credentials, the answer gives the reason', async () => {
    const target = await startTarget((_, response) => response.writeHead(401).end());
    const adapter = parsed(importOf(documentOf({ 'GET /ships': {} })));
    const desk = deskFor(createAdapterSource(adapter, { env: {}, baseUrl: target.origin }));
    const { error } = await desk.ask('read', { operation: 'list_ships' });
    expect(error).toMatchObject({ code: 'PERMISSION_REVIEW_REQUIRED' });
    expect(error?.message).toContain('callsign adapter review');
  });
});

describe('a review', () => {
  it('lists the operations that need one, and the proven reads', () => {
    const text = importOf(
      documentOf({ 'GET /ships': {}, 'POST /ships': {}, 'GET /gpio/{n}/set/{v}': {} }),
    );
    const review = reviewAdapter(text, 'a.md');
    if (!review.ok) throw new Error('it has problems');
    expect(review.proven.map(({ mapsTo }) => mapsTo)).toEqual(['GET /ships']);
    expect(review.pending.map(({ mapsTo }) => mapsTo).toSorted()).toEqual([
      'GET /gpio/{n}/set/{v}',
      'POST /ships',
    ]);
  });
});

describe('importing again into a reviewed file', () => {
  const before = documentOf({
    'POST /ships': { operationId: 'createShip' },
    'POST /ships/{id}/launch': { operationId: 'launchShip' },
  });
  const accepted = reviewed(importOf(before));
  const env = { CALLSIGN_HARBOUR_KEY: 'k' };

  it('A3: a new operation is not called before it is reviewed; the others stay callable', async () => {
    const text = importOf(
      documentOf({
        'POST /ships': { operationId: 'createShip' },
        'POST /ships/{id}/launch': { operationId: 'launchShip' },
        'POST /ships/sink': { operationId: 'sinkShips' },
      }),
      accepted,
    );
    const { desk, target } = await served(text, env);
    expect(await codeOf(desk, text, 'sink_ships')).toBe('PERMISSION_REVIEW_REQUIRED');
    expect(target.asked).toEqual([]);
    expect(await codeOf(desk, text, 'create_ship')).toBe('sent');
  });

  it('A3: a changed operation needs a new review, even if its mark was removed manually', async () => {
    const parameters = [{ name: 'force', in: 'query', schema: { type: 'boolean' } }];
    const changed = documentOf({
      'POST /ships': { operationId: 'createShip', parameters },
      'POST /ships/{id}/launch': { operationId: 'launchShip', summary: 'Another text' },
    });
    const byHand = accepted.replace(/^ +reviewed: .*\n/gm, '');
    expect(parsed(byHand).operations.get('create_ship')?.isReviewed).toBe(true);
    for (const previous of [accepted, byHand]) {
      const text = importOf(changed, previous);
      const { desk } = await served(text, env);
      expect(await codeOf(desk, text, 'create_ship')).toBe('PERMISSION_REVIEW_REQUIRED');
      expect(parsed(text).operations.get('launch_ship')?.isReviewed).toBe(true);
    }
  });

  it('A3: an operation that was edited after its review needs a new one', () => {
    const edited = accepted.replace('maps_to: POST /ships\n', 'maps_to: POST /fleets\n');
    expect(edited).not.toBe(accepted);
    expect(parsed(edited).operations.get('create_ship')?.isReviewed).toBe(false);
  });

  it('V9: a new target gets no credentials before a review', async () => {
    const moved = before.replace('https://harbour.example', 'https://elsewhere.example');
    const text = importOf(moved, accepted);
    expect(parsed(text)).toMatchObject({
      trust: 'generated',
      target: { base_url: 'https://elsewhere.example' },
    });
    expect(parsed(reviewed(text)).trust).toBe('validated');
  });

  it('a review of some operations leaves the others unreviewed', () => {
    const some = reviewed(importOf(before), ['create_ship']);
    const states = Array.from(parsed(some).operations.values(), ({ name, isReviewed }) => [
      name,
      isReviewed,
    ]);
    expect(Object.fromEntries(states)).toEqual({ create_ship: true, launch_ship: false });
  });
});

describe('an accepted review', () => {
  const text = importOf(
    documentOf({
      'POST /ships': { operationId: 'createShip' },
      'POST /ships/{id}/launch': { operationId: 'launchShip' },
    }),
  );

  /** The lines of `after` that are not at the same place in `before`. */
  const changed = (before: string, after: string): string[] => {
    const lines = before.split('\n');
    return after.split('\n').filter((line, i) => line !== lines[i]);
  };

  it.each([
    ['as it was imported', text],
    [
      'with comments',
      text
        .replace('    - name:', '    # Ours\n    - name:')
        .replace('reviewed: false', 'reviewed: false # ask Ann'),
    ],
    ['with Windows line ends', text.replaceAll('\n', '\r\n')],
    [
      'with its keys in another order',
      text.replace(/- name: (.*)\n {6}maps_to: (.*)\n/, '- maps_to: $2\n      name: $1\n'),
    ],
    [
      'with lists at the column of their key',
      text.replace(
        /^ {2}(?= +(?:- name|maps_to|reviewed|params|path|id|type|required|danger|review))/gm,
        '',
      ),
    ],
    ['after a byte order mark', `\ufeff${text}`],
  ])('changes only its own lines in a file %s', (_, before) => {
    const after = reviewed(before, ['create_ship']);
    expect(parsed(after).operations.get('create_ship')?.isReviewed).toBe(true);
    expect(parsed(after).operations.get('launch_ship')?.isReviewed).toBe(false);
    expect(after.includes('# ask Ann')).toBe(before.includes('# ask Ann'));
    expect(changed(before, after)).toEqual([
      expect.stringMatching(/^ +level: validated\r?$/) as string,
      expect.stringMatching(/^ +reviewed: "?[0-9a-f]{32}"?(?: # ask Ann)?\r?$/) as string,
    ]);
  });

  it('is written too where lines do not show the operations', () => {
    const flow = text.replace(/trust:\n +level: generated/, 'trust: { level: generated }');
    expect(flow).not.toBe(text);
    const after = reviewed(flow);
    expect(parsed(after).trust).toBe('validated');
    expect(Array.from(parsed(after).operations.values(), (each) => each.isReviewed)).toEqual([
      true,
      true,
    ]);
  });
});

import { describe, expect, it } from 'vitest';

import type { Call } from '../call/call.js';
import type { Kind } from '../call/kind.js';
import type { Route } from '../call/route.js';
import { fakeCall } from '../testing/fake-call.js';
import { createEntry, unlistedPage, type EntryOptions, type Label } from './create-entry.js';

const REPLY = { ok: true, json: '{}' };

function entryOf(definition: object, given: Partial<EntryOptions> = {}) {
  const json = JSON.stringify({ name: 'thing', ...definition });
  const item = { name: 'thing', json };
  const sent: Call[] = [];
  const route: Route = {
    item,
    send: (call) => {
      sent.push(call);
      return Promise.resolve(REPLY);
    },
  };
  const ref = { server: 's', tool: 'thing' };
  const entry = createEntry({ kind: 'tool', ref, item, route, displayName: 'S', ...given });
  return { entry, sent, item };
}
const labelled = (definition: object, label: Label) => entryOf(definition, { label }).entry;

describe('the identity of an entry', () => {
  it('is its server’s key and its name, or the plain name without a key', () => {
    expect(entryOf({}).entry.canonical).toBe('s:thing');
    expect(entryOf({}, { ref: { server: '', tool: 'thing' } }).entry.canonical).toBe('thing');
  });

  it('is the target of its calls, set once', async () => {
    const { entry, sent } = entryOf({});
    const call = fakeCall('{"name":"s:thing"}');
    await entry.route.send(call);
    expect(sent[0]!.target).toBe(entry);
    const ours = call.with({ target: entry });
    await entry.route.send(ours);
    expect(sent[1]).toBe(ours);
    expect(entry.route).toMatchObject({ item: entry.item, target: entry });
  });
});

describe('a method of an unknown extension', () => {
  it.each(['tool', 'resource'] as const)(
    'V1: is not described by the label of the %s, so the defaults hold',
    async (kind) => {
      const annotations = { readOnlyHint: true };
      const { entry, sent } = entryOf({ annotations }, { kind });
      expect(entry.risk).toBe('read');
      for (const method of ['acme/wipe', 'acme/wipe', 'tools/call']) {
        await entry.route.send(fakeCall('{"name":"s:thing"}', method));
      }
      const [first, second, known] = sent.map(({ target }) => target!);
      expect(first).toMatchObject({ risk: 'destructive', canonical: 's:thing', kind });
      expect(first!.hints.readOnlyHint).toEqual({ value: false, evidence: { by: 'default' } });
      expect(second).toBe(first);
      expect(known).toBe(entry);
    },
  );
});

describe('the label of a tool', () => {
  it.each([
    [{}, 'destructive'],
    [{ description: 'Lists files.' }, 'read'],
    [{ description: 'Lists files.', title: 'Delete files' }, 'destructive'],
    [
      { description: 'Lists files.', inputSchema: { properties: { sql: { type: 'string' } } } },
      'destructive',
    ],
    [{ annotations: { readOnlyHint: true } }, 'read'],
  ])('is found from its whole definition: %j', (definition, risk) => {
    const { entry } = entryOf(definition);
    expect(entry.risk).toBe(risk);
    expect(entry.claim).toEqual('annotations' in definition ? definition.annotations : undefined);
  });

  it('has the operator’s title, or else its own', () => {
    expect(labelled({ title: 'Own' }, {}).title).toBe('Own');
    expect(labelled({ title: 'Own' }, { title: 'Ours' }).title).toBe('Ours');
    expect(labelled({}, {}).title).toBeUndefined();
  });

  it('has the accepted label, which an override replaces', () => {
    const accepted = { readOnlyHint: true, openWorldHint: false };
    const both = labelled({}, { accepted, override: { openWorldHint: true } });
    expect(both.override).toEqual({ readOnlyHint: true, openWorldHint: true });
    expect(both.hints).toMatchObject({
      readOnlyHint: { value: true, evidence: { by: 'you', how: 'accepted' } },
      openWorldHint: { value: true, evidence: { by: 'you', how: 'override' } },
    });
    expect(both.risk).toBe('read');
  });

  it('says whether an accepted label no longer counts', () => {
    expect(labelled({}, { hasLapsed: true }).hasLapsed).toBe(true);
    expect(labelled({}, {}).hasLapsed).toBe(false);
  });

  it('says which claim its own words contradict', () => {
    const item = { name: 'delete_all', json: '{"annotations":{"readOnlyHint":true}}' };
    expect(entryOf({}, { item }).entry.contradiction).toMatchObject({ hint: 'readOnlyHint' });
    expect(entryOf({}).entry.contradiction).toBeUndefined();
  });
});

describe('the label of anything else', () => {
  it.each<Kind>(['prompt', 'resource', 'template'])('is that of a read: %s', (kind) => {
    const { entry } = entryOf({ description: 'Deletes all files.' }, { kind });
    expect(entry.risk).toBe('read');
    expect(entry.hints).toEqual({
      readOnlyHint: { value: true, evidence: { by: 'default' } },
      destructiveHint: { value: false, evidence: { by: 'default' } },
      idempotentHint: { value: true, evidence: { by: 'default' } },
      openWorldHint: { value: true, evidence: { by: 'default' } },
    });
  });
});

describe('a tool that shows other tools', () => {
  it('is marked, and still says what a caller sees of it', () => {
    const item = { name: 'search', json: '{"name":"search"}' };
    const route: Route = {
      seenBy: (sight) => (sight(entry) ? item : undefined),
      send: () => Promise.resolve(REPLY),
    };
    const ref = { server: 's', tool: 'search' };
    const entry = createEntry({ kind: 'tool', ref, item, route, displayName: 'S' });
    expect(entry.isView).toBe(true);
    expect(entry.route.seenBy!(() => true)).toBe(item);
    expect(entry.route.seenBy!(() => false)).toBeUndefined();
  });

  it('is the only one with a mark', () => {
    const { entry } = entryOf({});
    expect(entry.isView).toBe(false);
    expect(entry.route.seenBy).toBeUndefined();
  });
});

describe('a page that no list has', () => {
  it('is a resource, with a definition that names it', () => {
    const page = unlistedPage(
      { server: 's', tool: 'ui://a' },
      { send: () => Promise.resolve(REPLY) },
      'S',
    );
    expect(page).toMatchObject({ kind: 'resource', canonical: 's:ui://a', displayName: 'S' });
    expect(page.item).toEqual({ name: 'ui://a', json: '{"uri":"ui://a"}' });
  });

  it('has the definition of its route and passes the interceptors', async () => {
    const item = { name: 'ui://a', json: '{"uri":"ui://a","name":"A"}' };
    const answer = { ok: true, json: '"ours"' };
    const page = unlistedPage(
      { server: 's', tool: 'ui://a' },
      { item, send: () => Promise.resolve(REPLY) },
      'S',
      { interceptors: [() => Promise.resolve(answer)] },
    );
    expect(page.item).toBe(item);
    expect(await page.route.send(fakeCall('{"uri":"ui://a"}'))).toBe(answer);
  });
});

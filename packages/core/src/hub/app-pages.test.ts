import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { pagesOf } from '../source/app-pages.js';
import { fakeCall } from '../testing/fake-call.js';
import { fakeSource, type FakeOffer } from '../testing/fake-source.js';
import { Hub } from './hub.js';
import { View } from './view.js';
import { profileById } from '@callsign/naming';

const PAGE = 'ui://app/main.html';

function showing(uri: string, name = 'show'): { name: string; json: string } {
  const inputSchema = { type: 'object' };
  return { name, json: JSON.stringify({ name, inputSchema, _meta: { ui: { resourceUri: uri } } }) };
}

function viewOf(offers: Record<string, FakeOffer>) {
  return viewOfEach(Object.entries(offers));
}

/** In this order: an object has keys like `0` before all others. */
function viewOfEach(offers: readonly (readonly [string, FakeOffer])[]) {
  const hub = new Hub();
  const sources = new Map(offers.map(([key, offer]) => [key, fakeSource(offer)]));
  for (const [key, { source }] of sources) hub.set(key, source);
  const view = new View(hub, { profile: profileById('identity') });
  /** The page that a tool names for this client. */
  const pageOf = (name: string): string =>
    pagesOf(view.offer.tool.find((item) => item.name === name)!.json)[0]!;
  return { view, sources, pageOf };
}

describe('pages of apps', () => {
  it('D12: of two servers with one URI stay in their scheme, and each tool names its own', () => {
    const offer = { tools: [showing(PAGE)], resources: [PAGE] };
    const { view, pageOf } = viewOf({ a: offer, b: offer });
    expect(view.offer.resource.map(({ name }) => name)).toEqual([PAGE, 'ui://b+app/main.html']);
    expect(view.offer.tool.map(({ name }) => pageOf(name))).toEqual([PAGE, 'ui://b+app/main.html']);
    expect(view.route('resource', PAGE)?.target?.canonical).toBe(`a:${PAGE}`);
    expect(view.route('resource', 'ui://b+app/main.html')?.target?.canonical).toBe(`b:${PAGE}`);
  });

  it('D12: keep every other member as it is', () => {
    const meta = `{ "ui":{"resourceUri":"${PAGE}","x":1.0},"other":"${PAGE}","ui/resourceUri":"${PAGE}" }`;
    const twin = {
      name: 'show',
      json: `{"name":"show","inputSchema":{"type":"object"},"_meta":${meta}}`,
    };
    const { view } = viewOf({
      a: { resources: [PAGE] },
      b: { tools: [twin], resources: [PAGE] },
    });
    const moved = 'ui://b+app/main.html';
    expect(view.offer.tool[0]!.json).toContain(
      `"_meta":{ "ui":{"resourceUri":"${moved}","x":1.0},"other":"${PAGE}","ui/resourceUri":"${moved}" }`,
    );
  });

  it('D12: are named by their new URI in results and when they are read', async () => {
    const offer = { tools: [showing(PAGE)], resources: [PAGE] };
    const { view, sources, pageOf } = viewOf({ a: offer, b: offer });
    const moved = pageOf(view.offer.tool[1]!.name);
    sources.get('b')!.answerAll({
      content: [
        { type: 'resource_link', uri: PAGE, name: 'p' },
        { type: 'resource', resource: { uri: PAGE, text: PAGE } },
        { type: 'text', text: PAGE },
      ],
      _meta: { ui: { resourceUri: PAGE }, 'openai/outputTemplate': PAGE },
      contents: [{ uri: PAGE, text: PAGE }],
    });
    const name = view.offer.tool[1]!.name;
    const shown = await view.route('tool', name)!.send(fakeCall(JSON.stringify({ name })));
    expect(JSON.parse(shown.json)).toMatchObject({
      content: [
        { type: 'resource_link', uri: moved },
        { type: 'resource', resource: { uri: moved, text: PAGE } },
        { type: 'text', text: PAGE },
      ],
      _meta: { ui: { resourceUri: moved }, 'openai/outputTemplate': moved },
    });
    const read = await view
      .route('resource', moved)!
      .send(fakeCall(JSON.stringify({ uri: moved }), 'resources/read'));
    expect(JSON.parse(read.json).contents).toEqual([{ uri: moved, text: PAGE }]);
    expect(JSON.parse(sources.get('b')!.calls.at(-1)!.params)).toEqual({ uri: PAGE });
  });

  it('D12: belong to the tools of their server for an app that calls back', () => {
    const page = showing(PAGE);
    const { view } = viewOf({
      a: { tools: [page, 'refresh', 'both'], resources: [PAGE] },
      b: { tools: ['refresh'] },
      c: { tools: [showing('ui://c'), 'both'] },
    });
    // Only servers with pages have apps.
    expect(view.route('tool', 'refresh')?.target?.canonical).toBe('a:refresh');
    expect(view.route('tool', 'both')).toBeUndefined();
    expect(view.route('prompt', 'refresh')).toBeUndefined();
  });

  it('D12: keep their URIs in tools when another server brings the same page', () => {
    const offer = { tools: [showing(PAGE)], resources: [PAGE] };
    const { view, sources, pageOf } = viewOf({ a: {}, b: offer });
    const heard: string[][] = [];
    view.subscribe((event) => event.type === 'changed' && heard.push([...event.kinds]));
    expect(pageOf(view.offer.tool[0]!.name)).toBe(PAGE);
    sources.get('a')!.offers({ resources: [PAGE] });
    expect(heard).toEqual([['resource', 'tool']]);
    expect(pageOf(view.offer.tool[0]!.name)).toBe(PAGE);
    sources.get('a')!.offers(offer);
    expect(view.offer.tool.map(({ name }) => pageOf(name))).toEqual(['ui://a+app/main.html', PAGE]);
  });

  it('D12: are valid, distinct and lead back to their server, for 10,000 pairs', () => {
    const key = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
      .filter((text) => !/[:\p{Cc}]/u.test(text));
    const rest = fc.stringMatching(/^[a-z+/%2B.]{1,8}$/);
    let pairs = 0;
    fc.assert(
      fc.property(
        fc.uniqueArray(key, { minLength: 2, maxLength: 4 }),
        fc.array(rest, { minLength: 1, maxLength: 4 }),
        (keys, rests) => {
          const own = rests.map((each) => `ui://${each}`);
          // Some servers have URIs that look like ours.
          const nasty = [
            ...own,
            ...keys.map((each) => `ui://${encodeURIComponent(each)}+${rests[0]}`),
          ];
          const resources = [...new Set(nasty)];
          const { view } = viewOfEach(keys.map((each) => [each, { resources }]));
          const uris = view.offer.resource.map(({ name }) => name);
          expect(new Set(uris).size).toBe(keys.length * resources.length);
          for (const [i, uri] of uris.entries()) {
            const server = keys[Math.floor(i / resources.length)]!;
            const mine = resources[i % resources.length]!;
            expect(view.route('resource', uri)?.target?.canonical).toBe(`${server}:${mine}`);
            expect(uri).toMatch(/^ui:\/\/[\w\-.~!$&'()*+,;=:@%/]*$/);
            pairs++;
          }
        },
      ),
      { numRuns: 1_200 },
    );
    expect(pairs).toBeGreaterThan(10_000);
  });
});

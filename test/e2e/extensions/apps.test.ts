/** D12: the page of a tool is always its own server's. */

import { describe, expect, it } from 'vitest';

import type { Era, Peer } from '../clients/peer.js';
import { directly, errorOf, extended, gatewayWith, resultOf } from './extended.js';

const ERAS: readonly Era[] = ['session', 'stateless'];

interface Tool {
  readonly name: string;
  readonly _meta?: { ui?: { resourceUri: string } };
}

interface Page {
  readonly contents: readonly { readonly uri: string; readonly text: string }[];
}

async function pageOf(peer: Peer, tool: string): Promise<{ uri: string; page: Page }> {
  const { tools } = await resultOf<{ tools: Tool[] }>(peer, 'tools/list');
  const { _meta: meta } = tools.find(({ name }) => name === tool)!;
  const uri = meta!.ui!.resourceUri;
  return { uri, page: await resultOf<Page>(peer, 'resources/read', { uri }) };
}

describe.each(ERAS)('an app, in the %s era', (era) => {
  it('D12: shows the page of its own server, listed or not, as the server gives it', async () => {
    const [one, two] = [
      extended('--dual', '--apps', '--name=one'),
      extended('--dual', '--apps', '--name=two'),
    ];
    const gateway = gatewayWith('http', { servers: { one, two } });
    const client = await gateway.connect(era);
    for (const [key, command] of [
      ['one', one],
      ['two', two],
    ] as const) {
      const direct = await directly(command, era);
      for (const tool of ['show', 'show_hidden']) {
        const own = await pageOf(direct, tool);
        const through = await pageOf(client, `${key}:${tool}`);
        expect(through.uri).toMatch(/^ui:\/\//);
        expect(through.page.contents[0]).toEqual({ ...own.page.contents[0], uri: through.uri });
        const result = await resultOf<object>(client, 'tools/call', { name: `${key}:${tool}` });
        expect(JSON.stringify(result)).toContain(through.uri);
      }
    }
    const pages = await Promise.all(
      ['one:show', 'two:show', 'one:show_hidden', 'two:show_hidden'].map((tool) =>
        pageOf(client, tool),
      ),
    );
    expect(new Set(pages.map(({ uri }) => uri)).size).toBe(4);
  });

  it('D12: of a hidden server is not shown, and calls from its page are refused', async () => {
    const gateway = gatewayWith('http', {
      servers: { one: extended('--dual', '--apps'), two: extended('--dual') },
      settings: { access: { anonymous: ['some'] }, roles: { some: { allow: ['two:*'] } } },
    });
    const client = await gateway.connect(era);
    for (const uri of ['ui://app/main.html', 'ui://app/hidden.html', 'ui://one+app/main.html']) {
      expect((await errorOf(client, 'resources/read', { uri })).code).toBe(-32602);
    }
    expect((await errorOf(client, 'tools/call', { name: 'show' })).code).toBe(-32602);
  });
});

import { describe, expect, it } from 'vitest';

import { fakeCall } from '../testing/fake-call.js';
import { pagesOf, routeWithPages, withPages } from './app-pages.js';

const rename = (uri: string): string => uri.replace('ui://', 'ui://b+');

describe('the pages that a tool names', () => {
  it.each([
    ['{"_meta":{"ui":{"resourceUri":"ui://a"}}}', ['ui://a']],
    ['{"_meta":{"ui/resourceUri":"ui://a"}}', ['ui://a']],
    ['{"_meta":{"openai/outputTemplate":"ui://a"}}', ['ui://a']],
    [
      '{"_meta":{"ui":{"resourceUri":"ui://a"},"ui/resourceUri":"ui://a","openai/outputTemplate":"ui://b"}}',
      ['ui://a', 'ui://b'],
    ],
    ['{"_meta":{"ui":{"resourceUri":"\\u0075i://a"}}}', ['ui://a']],
    ['{"_meta":{"ui":{"resourceUri":"u\\u0069:\\/\\/a"}}}', ['ui://a']],
    ['{"_meta":{"ui":{"resourceUri":"https://ui://a"}}}', []],
    ['{"_meta":{"ui":{"resourceUri":["ui://a"]}}}', []],
    ['{"_meta":{"ui":"ui://a"}}', []],
    ['{"_meta":["ui://a"]}', []],
    ['{"description":"ui://a"}', []],
    ['{}', []],
  ])('in %s are %j', (json, pages) => {
    expect(pagesOf(json)).toEqual(pages);
  });
});

describe('a definition with URIs for clients', () => {
  it('has them in every place for pages, and is otherwise the same', () => {
    expect(
      withPages(
        '{ "n":1.0,"_meta":{"ui":{"resourceUri":"ui://a","x":"ui://a"},"ui/resourceUri":"ui://c","openai/outputTemplate":"ui://d","y":"ui://a"}}',
        rename,
      ),
    ).toBe(
      '{ "n":1.0,"_meta":{"ui":{"resourceUri":"ui://b+a","x":"ui://a"},"ui/resourceUri":"ui://b+c","openai/outputTemplate":"ui://b+d","y":"ui://a"}}',
    );
  });

  it('has only the places that it had before', () => {
    expect(withPages('{"_meta":{"openai/outputTemplate":"ui://d"}}', rename)).toBe(
      '{"_meta":{"openai/outputTemplate":"ui://b+d"}}',
    );
    expect(withPages('{"_meta":{"ui":{"resourceUri":"ui://a"}}}', rename)).toBe(
      '{"_meta":{"ui":{"resourceUri":"ui://b+a"}}}',
    );
  });

  it.each([
    '{"description":"ui://a"}',
    '{"_meta":"ui://a"}',
    '{"_meta":{"ui":"ui://a"}}',
    '{"_meta":{"ui":{"resourceUri":7},"x":"ui://a"}}',
    '{"_meta":{"ui":{"resourceUri":"x://ui://a"}}}',
  ])('stays the same without a page: %s', (json) => {
    expect(withPages(json, rename)).toBe(json);
  });

  it('is unchanged if its pages keep their URIs', () => {
    const json = '{"_meta":{"ui":{"resourceUri":"ui:\\/\\/a"},"ui/resourceUri":"ui:\\/\\/a"}}';
    expect(withPages(json, (uri) => uri)).toBe(json);
  });
});

describe('a result with URIs for clients', () => {
  const sent = async (json: string, ok = true) => {
    const route = { send: () => Promise.resolve({ ok, json }) };
    return routeWithPages(route, rename).send(fakeCall('{"name":"t"}'));
  };

  it.each([
    [
      '{"content":[{"type":"resource_link","uri":"ui://a"},{"type":"text","text":"ui://a"}],"n":1.0}',
      '{"content":[{"type":"resource_link","uri":"ui://b+a"},{"type":"text","text":"ui://a"}],"n":1.0}',
    ],
    [
      '{"content":[{"type":"resource","resource":{"uri":"ui://a","text":"ui://a"}}]}',
      '{"content":[{"type":"resource","resource":{"uri":"ui://b+a","text":"ui://a"}}]}',
    ],
    [
      '{"content":[],"_meta":{"ui/resourceUri":"ui://a"}}',
      '{"content":[],"_meta":{"ui/resourceUri":"ui://b+a"}}',
    ],
  ])('has them in links, embedded pages and _meta: %s', async (json, expected) => {
    expect(await sent(json)).toEqual({ ok: true, json: expected });
  });

  it.each([
    '{"content":[ {"type":"text","text":"ui://a"} ]}',
    '{"content":[ {"type":"text","uri":"ui://a"}, "ui://b", {"uri":"ui://c"} ]}',
    '{"content":[ {"type":"resource","resource":"ui://a"}, {"type":"resource","uri":"ui://a"} ]}',
    '{"content":[ {"type":"resource","resource":{"uri":"x://a","text":"ui://a"}} ]}',
    '{"content":{"type":"resource_link","uri":"ui://a"}}',
    '{"structuredContent":{"uri":"ui://a"}}',
    '"ui://a"',
  ])('is otherwise the server’s text: %s', async (json) => {
    expect(await sent(json)).toEqual({ ok: true, json });
  });

  it('is not an error: errors stay as they are', async () => {
    const json = '{"code":1,"_meta":{"ui/resourceUri":"ui://a"}}';
    expect(await sent(json, false)).toEqual({ ok: false, json });
  });
});

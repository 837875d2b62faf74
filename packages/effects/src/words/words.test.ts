import { describe, expect, it } from 'vitest';

import { segmentsOf, wordsOf } from './words.js';

describe('the words of a name', () => {
  it.each([
    ['get_http_page', ['get', 'http', 'page']],
    ['get-http-page', ['get', 'http', 'page']],
    ['getHTTPPage', ['get', 'http', 'page']],
    ['ListS3Buckets', ['list', 's3', 'buckets']],
    ['größe.lesen', ['größe', 'lesen']],
    ['__proto__', ['proto']],
    ['', []],
  ])('in %j are %j', (name, words) => {
    expect(wordsOf(name)).toEqual(words);
  });
});

describe('the segments of a name', () => {
  it.each([
    ['lightdash_tools__list_charts', ['lightdash_tools', 'list_charts']],
    ['team:github:create_issue', ['team', 'github', 'create_issue']],
    ['users.list', ['users', 'list']],
    ['repos/list', ['repos', 'list']],
    ['read_file', ['read_file']],
    ['___', []],
  ])('of %j are %j', (name, segments) => {
    expect(segmentsOf(name)).toEqual(segments);
  });
});

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { shows } from '../../../../test/requirements/shows.js';
import { ENDPOINT_TITLES, ENDPOINTS } from '../hints/endpoints.js';
import { titleOf, toolTitle, withTitle } from './titles.js';

describe('the title of a tool', () => {
  it.each([
    ['GitHub', 'GitHub API — Read'],
    ['Apple', 'Apple Mail — Read'],
    ['Mail', 'Apple Mail — Read'],
  ])('of %s is kept if it already says whose it is: %s (S4)', (displayName, title) => {
    expect(toolTitle({ displayName, title })).toBe(title);
  });

  it(
    'names adapter and endpoint',
    shows('AQL-24', () => {
      const title = toolTitle({ displayName: 'Apple Mail', title: ENDPOINT_TITLES.read });
      expect(title).toBe('Apple Mail — Read');
    }),
  );

  it(
    'has an em dash between two spaces, and the endpoint with a capital',
    shows('AQL-25', () => {
      for (const endpoint of ENDPOINTS) {
        const title = toolTitle({ displayName: 'GitHub', title: ENDPOINT_TITLES[endpoint] });
        expect(title).toMatch(/^GitHub \u2014 [A-Z][a-z]+$/);
        expect(title?.toLowerCase()).toBe(`github \u2014 ${endpoint}`);
      }
    }),
  );

  it(
    'is the title that was set, not one made from the name',
    shows('ANN-07', () => {
      expect(toolTitle({ title: 'Search Files', fallback: 'search_files' })).toBe('Search Files');
      expect(toolTitle({ annotations: { title: 'Search Files' }, fallback: 'search_files' })).toBe(
        'Search Files',
      );
    }),
  );

  it('is its own title, else that of its annotations, else the fallback', () => {
    const annotations = { title: 'Older' };
    expect(toolTitle({ title: 'Newer', annotations, fallback: 'Name' })).toBe('Newer');
    expect(toolTitle({ annotations, fallback: 'Name' })).toBe('Older');
    expect(toolTitle({ fallback: 'Name' })).toBe('Name');
  });

  it.each(['', '  ', '\n', 7, null, ['List']])('is absent when it is %j', (title) => {
    expect(toolTitle({ displayName: 'GitHub', title, fallback: 'List issues' })).toBe(
      'GitHub — List issues',
    );
  });

  it('is the display name alone when there is nothing else', () => {
    expect(toolTitle({ displayName: ' GitHub ' })).toBe('GitHub');
    expect(toolTitle({ displayName: ' ' })).toBeUndefined();
    expect(toolTitle({})).toBeUndefined();
  });

  it.each([
    ['GitHub', 'GitHub — Create issue', 'GitHub — Create issue'],
    ['GitHub', 'GitHub: Create issue', 'GitHub: Create issue'],
    ['GitHub', 'github - create issue', 'github - create issue'],
    ['GitHub', 'GitHub – create issue', 'GitHub – create issue'],
    ['GitHub', 'GitHub', 'GitHub'],
  ])('does not name the server twice: %s and "%s"', (displayName, title, expected) => {
    expect(toolTitle({ displayName, title })).toBe(expected);
  });

  it.each([
    ['Slack', 'Slack List Channels', 'Slack — List Channels'],
    ['slack', 'Slack  List Channels', 'slack — List Channels'],
    ['Google Maps', 'Google Maps Geocode', 'Google Maps — Geocode'],
    ['Git', 'Git 2 Log', 'Git — 2 Log'],
  ])('D9: does not repeat the owner: %s and "%s"', (displayName, title, expected) => {
    expect(toolTitle({ displayName, title })).toBe(expected);
    expect(toolTitle({ displayName, fallback: title })).toBe(expected);
  });

  it.each([
    ['Memory', 'Memory usage of a process'],
    ['GitHub', 'github create issue'],
    ['Git', 'GitHub issues'],
    ['Git', 'Git-flow start'],
    ['R2', 'R2D2 repair'],
  ])('names the server where the title only begins alike: %s and "%s"', (displayName, title) => {
    expect(toolTitle({ displayName, title })).toBe(`${displayName} — ${title}`);
  });

  it('does not change when it is made again', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (displayName, title) => {
        const once = toolTitle({ displayName, title });
        expect(toolTitle({ displayName, title: once })).toBe(once);
      }),
    );
  });
});

describe('setting a title', () => {
  const tool = {
    annotations: { openWorldHint: false, 'x-note': 1, title: 'Old', readOnlyHint: false },
    name: 'read',
    title: 'Old',
    vendor: { kept: true },
  };

  it('puts it in both places where clients look', () => {
    const titled = withTitle(tool, 'New');
    expect(titled.title).toBe('New');
    expect(titled.annotations.title).toBe('New');
    expect(titleOf({ annotations: titled.annotations })).toBe('New');
  });

  it('keeps every other field, explicit false, unknown keys and their order', () => {
    expect(JSON.stringify(withTitle(tool, 'New'))).toBe(
      JSON.stringify(tool).replaceAll('"Old"', '"New"'),
    );
  });

  it('changes nothing in the tool it was given', () => {
    const before = structuredClone(tool);
    withTitle(Object.freeze(tool), 'New');
    expect(tool).toEqual(before);
  });

  it.each([[undefined], [null], [['x']], ['text']])(
    'makes annotations where they are %j',
    (annotations) => {
      expect(withTitle({ name: 'read', annotations }, 'New').annotations).toEqual({ title: 'New' });
    },
  );
});

import { describe, expect, it } from 'vitest';

import { wordsBeyondKey } from './repeated-key.js';

describe('the words beyond the key', () => {
  it.each([
    ['slack', 'slack_list_channels', 'list_channels'],
    ['Slack', 'slackListChannels', 'List_Channels'],
    ['google-maps', 'google_maps_geocode', 'geocode'],
    ['google-maps', 'maps_geocode', 'maps_geocode'],
    ['slack', 'slack', 'slack'],
    ['slack', 'slacks_list', 'slacks_list'],
    ['😀', 'read', 'read'],
  ])('of %s:%s are %s', (server, tool, words) => {
    expect(wordsBeyondKey({ server, tool })).toBe(words);
  });
});

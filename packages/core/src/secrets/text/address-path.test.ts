import { expect, it } from 'vitest';

import { isSecretPart, placeOf } from './address-path.js';

it.each([
  ['https://u:p@x.example:8080/mcp?token=a#b', 'https://x.example:8080/mcp'],
  ['https://x.example/api/streamable-http-endpoint/mcp', undefined],
  ['https://x.example/s/abcdefghijklmnopqrstuvwxy/mcp', 'https://x.example/s/…/mcp'],
  ['https://x.example/s/ghp_0123456789abcdef/mcp', 'https://x.example/s/…/mcp'],
  ['https://a-very-long-name-of-a-host.example/', undefined],
])('shows %s without keys', (url, place = url) => {
  expect(placeOf(new URL(url))).toBe(place);
});

it('recognises a part that may be a key', () => {
  expect(['mcp', 'v1', 'x'.repeat(24)].some(isSecretPart)).toBe(false);
  expect(['x'.repeat(25), 'ghp_0123456789abcdef'].every(isSecretPart)).toBe(true);
});

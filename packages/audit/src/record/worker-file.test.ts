import { expect, it } from 'vitest';

import { workerFile } from './worker-file.js';

it.each([
  // From the sources, the built thread runs.
  ['file:///repo/src/query/a.ts', 'file:///repo/dist/query/thread.js'],
  ['file:///repo/dist/query/a.js', 'file:///repo/dist/query/thread.js'],
  // A bundle has its threads beside it.
  ['file:///app/callsign.mjs', 'file:///app/thread.js'],
])('a thread that %s starts is %s', (own, file) => {
  expect(workerFile(own, 'query', 'thread').href).toBe(file);
});

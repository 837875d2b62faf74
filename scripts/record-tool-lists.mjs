// Records the tool lists of the official servers, for tests that need real tools without starting a
// server.
import { mkdirSync, writeFileSync } from 'node:fs';

import { OFFICIAL_SERVERS, readToolList } from './tool-list.mjs';

const folder = new URL('../test/recordings/', import.meta.url);
mkdirSync(folder, { recursive: true });
for (const [key, server] of Object.entries(OFFICIAL_SERVERS)) {
  const list = await readToolList(server);
  writeFileSync(new URL(`${key}.json`, folder), `${JSON.stringify(list, null, 2)}\n`);
  console.log(`${key}: ${list.tools.length} tools of ${list.package} ${list.version}`);
}

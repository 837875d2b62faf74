// The official memory server. Its file is in the state folder of this user, which no other user can read or prepare.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { stateFolder } from '@callsign/config/state-folder';

const folder = join(stateFolder(), 'showcase');
mkdirSync(folder, { recursive: true, mode: 0o700 });
process.env.MEMORY_FILE_PATH = join(folder, 'memory.jsonl');
await import('@modelcontextprotocol/server-memory/dist/index.js');

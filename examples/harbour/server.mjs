// The harbour as an MCP server: starts the API on a free port of this machine, and serves the adapter over it.
import { fileURLToPath } from 'node:url';

import { main } from 'mcp-callsign';

import { startHarbour } from './api.mjs';

const adapter = fileURLToPath(new URL('harbour.adapter.md', import.meta.url));
const token = 'showcase';
const harbour = await startHarbour({ port: 0, token });
process.env.HARBOUR_TOKEN = token;
process.exitCode = await main(['adapter', 'serve', adapter, '--base-url', harbour.url]);
await harbour.close();

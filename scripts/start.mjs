// The showcase: the gateway over HTTP, in front of four real MCP servers. PORT chooses the port.
import { setUp } from './setup.mjs';

setUp();
const { showcase } = await import('./showcase.mjs');
process.exitCode = await showcase();

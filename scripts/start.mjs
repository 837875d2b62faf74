// The showcase: the gateway over HTTP, in front of six real MCP servers. PORT chooses the port.
import { setUp } from './setup.mjs';

console.error('Preparing Callsign: checking what is installed and built …');
setUp();
const { showcase } = await import('./showcase.mjs');
process.exitCode = await showcase();

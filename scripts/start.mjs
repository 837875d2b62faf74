// The showcase: the tools of four real MCP servers, their names in several clients, and their labels.
import { setUp } from './setup.mjs';

setUp();
await import('./showcase.mjs');

/** The commands about adapters. */

import type { CommandEntry } from '../command/command.js';

export const ADAPTER_COMMANDS: readonly CommandEntry[] = [
  {
    name: 'adapter validate',
    summary: 'Check adapters',
    heading: 'Adapters and other servers',
    load: () => import('../commands/adapter-validate.js'),
  },
  {
    name: 'adapter tools',
    summary: 'List the tools of adapters',
    load: () => import('../commands/adapter-tools.js'),
  },
  {
    name: 'adapter serve',
    summary: 'Serve adapters as one MCP server',
    load: () => import('../commands/adapter-serve.js'),
  },
  {
    name: 'adapter call',
    summary: 'Call an operation of an adapter',
    load: () => import('../commands/adapter-call.js'),
  },
  {
    name: 'adapter test',
    summary: 'Call the operations of an adapter that only read',
    load: () => import('../commands/adapter-test.js'),
  },
  {
    name: 'adapter generate',
    summary: 'Write a package that serves an adapter',
    load: () => import('../commands/adapter-generate.js'),
  },
  {
    name: 'adapter from-openapi',
    summary: 'Create an adapter from an OpenAPI document',
    load: () => import('../commands/adapter-from-openapi.js'),
  },
  {
    name: 'adapter init',
    summary: 'Write a minimal adapter to start from',
    load: () => import('../commands/adapter-init.js'),
  },
  {
    name: 'adapter review',
    summary: 'Review imported operations, so that they can be called',
    load: () => import('../commands/adapter-review.js'),
  },
  {
    name: 'adapter from-mcp',
    summary: 'Create an adapter from the tools of a server',
    load: () => import('../commands/adapter-from-mcp.js'),
  },
  {
    name: 'adapter check',
    summary: 'Check an MCPAQL server against the protocol',
    load: () => import('../commands/adapter-check.js'),
  },
];

// Files of users: configurations, adapters, OpenAPI documents. Each is either read or refused with
// a readable message.
import { readFileSync } from 'node:fs';

import { parseConfig } from '@callsign/gateway';
import { parseAdapter } from '@callsign/mcpaql';
import { adapterFromOpenApi } from '@callsign/mcpaql/authoring';
import fc from 'fast-check';

import { readable, soon } from './problems.mjs';
import { jsonValue, mutated, reshaped } from './texts.mjs';

const ADAPTER = readFileSync('examples/harbour/harbour.adapter.md', 'utf8');
const CONFIG = {
  mcpServers: {
    files: { command: 'npx', args: ['-y', 'server', '${HOME:-x}'], env: { TOKEN: '${TOKEN:-}' } },
    far: { url: 'https://example.com/mcp', headers: { authorization: 'Bearer ${T:-x}' } },
  },
  callsign: {
    profile: 'auto',
    servers: { files: { trust: 'none', view: 'crude', callTimeoutMs: 1000 } },
    tools: { allow: ['files:*'], deny: ['*:delete_*'] },
    annotations: { 'files:get_*': { preset: 'READ_ONLY_DEFAULT' } },
    policy: { rules: [{ tools: 'files:*', action: 'confirm' }] },
    limits: { maxMessageBytes: 2048 },
    http: { port: 0, connections: { maxConnections: 5 } },
    aliases: { rf: 'files:read_file' },
  },
};
const OPENAPI = {
  openapi: '3.0.3',
  info: { title: 'Boats', version: '1' },
  servers: [{ url: 'https://api.example.com/v1' }],
  paths: {
    '/boats/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      get: {
        operationId: 'getBoat',
        responses: {
          200: {
            description: 'ok',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Boat' } } },
          },
        },
      },
      post: {
        summary: 'Rename a boat',
        requestBody: {
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Boat' } } },
        },
        responses: { 201: { description: 'made' } },
      },
    },
  },
  components: {
    schemas: {
      Boat: {
        type: 'object',
        properties: { name: { type: 'string' }, next: { $ref: '#/components/schemas/Boat' } },
      },
    },
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
  },
  security: [{ key: [] }],
};

const written = (document) =>
  fc.oneof(
    reshaped(document).map((value) => JSON.stringify(value)),
    mutated(JSON.stringify(document, undefined, 1)),
    jsonValue.map((value) => JSON.stringify(value)),
  );

function refusedInWords({ ok, problems = [] }) {
  if (ok) return;
  if (problems.length === 0) throw new Error('refused without a problem');
  for (const { message, advice } of problems) {
    readable(message);
    if (advice !== undefined) readable(advice);
  }
}

export const DOCUMENT_TARGETS = [
  {
    name: 'config',
    input: written(CONFIG),
    check: (text) =>
      refusedInWords(soon(() => parseConfig(text, { file: 'callsign.json', env: { HOME: '/h' } }))),
  },
  {
    name: 'adapter',
    input: mutated(ADAPTER),
    check: (text) => refusedInWords(soon(() => parseAdapter(text, 'a.adapter.md'))),
  },
  {
    name: 'openapi',
    input: written(OPENAPI),
    check(text) {
      const result = soon(() => adapterFromOpenApi(text));
      for (const { message } of result.report.findings) readable(message);
      // An imported document must be an adapter that the validation accepts.
      if (result.ok) refusedInWords(soon(() => parseAdapter(result.adapter, 'a.adapter.md')));
    },
  },
];

/** The tests of a generated package: what it lists, what it refuses, and what it sends. */

import { RUNTIME } from './runtime-files.js';

/** All adapters have equal tests: they compare the package with the adapter's data. */
export function testFile(): string {
  return TESTS;
}

const TESTS = `import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';

import type { Operation, Param } from ${RUNTIME};

import { adapter, createCalls, TOOLS } from '../src/index.js';
import type { Calls } from '../src/index.js';

interface Envelope {
  readonly success: boolean;
  readonly data?: unknown;
  readonly error?: { readonly code: string };
}

/** A target that records requests and answers null. */
const asked: string[] = [];
const target = createHttpServer((request, response) => {
  const [path = ''] = (request.url ?? '').split('?', 1);
  asked.push(\`\${request.method} \${path}\`);
  response.setHeader('content-type', 'application/json');
  response.end('null');
});
let calls: Calls;

before(async () => {
  target.listen(0, '127.0.0.1');
  await once(target, 'listening');
  const { port } = target.address() as AddressInfo;
  const env = new Proxy({}, { get: () => 'test', has: () => true, getOwnPropertyDescriptor: () => ({ value: 'test', configurable: true }) });
  calls = createCalls({ env, baseUrl: \`http://127.0.0.1:\${port}\` });
});

after(async () => {
  await calls.close();
  target.closeAllConnections();
  target.close();
});

async function ask(tool: string, args: unknown): Promise<Envelope> {
  const result = await calls.callTool(tool, args);
  return JSON.parse(result!.content[0]!.text) as Envelope;
}

function toolFor({ endpoint }: Operation): string {
  for (const [name, tool] of TOOLS) if (tool.endpoint === endpoint) return name;
  throw new Error(\`no tool for \${endpoint}\`);
}

/** A valid value. */
function sample({ type, enum: words, min_length, ...range }: Param): unknown {
  if (words) return words[0];
  switch (type) {
    case 'integer':
    case 'number':
      return Math.max(range.minimum ?? 1, Math.min(range.maximum ?? 1, 1));
    case 'boolean':
      return true;
    case 'array':
      return [];
    case 'object':
      return {};
    default:
      return 'x'.repeat(Math.max(min_length ?? 1, 1));
  }
}

/** What a sample value may not fit. */
const LIMITS = [
  'pattern', 'items', 'prefix_items', 'properties', 'one_of', 'min_items', 'min_properties',
  'exclusive_minimum', 'exclusive_maximum', 'multiple_of',
] as const;

/** Whether a sample value is valid for this parameter. */
function isPlain(param: Param): boolean {
  return LIMITS.every((limit) => param[limit] === undefined);
}

/** Whether a call reaches the target in these tests: no separate sign-in, and no limit below the number of calls. */
const isOpen =
  adapter.trust !== 'untested' &&
  (adapter.auth.type === 'all' ? adapter.auth.schemes : [adapter.auth]).every(({ type }) => type !== 'oauth2') &&
  adapter.rateLimits.every(({ scope, limit }) => scope === 'operation' || limit >= adapter.operations.size);

describe('the tools', () => {
  it('have resolved names, a title in both places and every label', () => {
    assert.ok(TOOLS.size > 0);
    for (const [name, { definition }] of TOOLS) {
      const { title, annotations } = definition;
      assert.equal(definition.name, name);
      assert.doesNotMatch(name, /[{}]/);
      assert.ok(title?.includes(adapter.displayName));
      assert.equal(annotations?.title, title);
      for (const hint of ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const) {
        assert.equal(typeof annotations?.[hint], 'boolean');
      }
    }
  });

  it('describe the adapter and its operations', async () => {
    const [read] = [...TOOLS].find(([, { endpoint }]) => endpoint === 'read')!;
    const { data } = await ask(read, { operation: 'introspect', params: { query: 'operations' } });
    const { _protocol, operations } = data as {
      _protocol: { adapter: string };
      operations: { name: string }[];
    };
    assert.equal(_protocol.adapter, adapter.name);
    const names = operations.map(({ name }) => name).filter((name) => name !== 'introspect');
    assert.deepEqual(names, [...adapter.operations.keys()]);
  });
});

for (const operation of adapter.operations.values()) {
  describe(operation.name, () => {
    const required = [...operation.params.values()].filter(({ required: isRequired }) => isRequired);
    const params = Object.fromEntries(required.map((param) => [param.name, sample(param)]));

    it('refuses an unknown parameter, and sends no request', async () => {
      const before = asked.length;
      const request = { operation: operation.name, params: { ...params, no_such_parameter: 1 } };
      const { success, error } = await ask(toolFor(operation), request);
      assert.equal(success, false);
      assert.match(error!.code, /^(?:VALIDATION|PERMISSION)_/);
      assert.equal(asked.length, before);
    });

    const isAllowed = operation.isProvenRead || (operation.isReviewed && adapter.trust !== 'generated');
    const isSent = isOpen && operation.endpoint === 'read' && isAllowed && required.every(isPlain);
    it('sends the request to the path of its mapping', { skip: !isSent }, async () => {
      const { mapsTo } = operation;
      assert.equal(mapsTo.kind, 'http');
      const path = mapsTo.path.map((part) =>
        part.kind === 'text' ? part.text : encodeURIComponent(String(params[part.name])),
      );
      const { success } = await ask(toolFor(operation), { operation: operation.name, params });
      assert.equal(success, true);
      assert.equal(asked.at(-1), \`\${mapsTo.method} \${path.join('')}\`);
    });

    it('is refused by the tools of other endpoints', async () => {
      for (const [name, { endpoint }] of TOOLS) {
        if (endpoint === operation.endpoint) continue;
        const { error } = await ask(name, { operation: operation.name, params });
        assert.equal(error?.code, 'VALIDATION_ENDPOINT_MISMATCH');
      }
    });
  });
}
`;

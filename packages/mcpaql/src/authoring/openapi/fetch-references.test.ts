import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { HttpClient } from '@callsign/outbound';

import { fetchReferences } from './fetch-references.js';
import { adapterFromOpenApi } from './import-openapi.js';

describe('referenced documents', () => {
  const files = new Map<string, string>();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url!);
    const text = files.get(request.url!);
    response.writeHead(text === undefined ? 404 : 200).end(text);
  });
  let base = '';

  beforeEach(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    asked.length = 0;
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const root = (): string =>
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Parts', version: '1.0.0' },
      paths: { '/a': { $ref: './paths.yaml#/a' } },
    });

  it('are fetched with their own references, each once', async () => {
    files.set(
      '/paths.yaml',
      'a: { get: { parameters: [{ $ref: "deep/params.yaml#/Flag" }], responses: {} } }',
    );
    files.set(
      '/deep/params.yaml',
      'Flag: { name: flag, in: query, schema: { $ref: "../paths.yaml#/none" } }',
    );
    const client = new HttpClient({ guard: { trustedOrigins: [base] } });
    const url = `${base}/openapi.json`;
    const { documents, findings } = await fetchReferences(root(), { url, client });
    client.close();
    expect(asked).toEqual(['/paths.yaml', '/deep/params.yaml']);
    expect(findings).toEqual([]);
    const result = adapterFromOpenApi(root(), { url, documents });
    expect(result.ok && result.adapter).toContain('flag:');
  });

  it('are tried so often and no more, even if none can be fetched', async () => {
    const many = Array.from({ length: 200 }, (_, i) => [`/p${i}`, { $ref: `./gone-${i}.yaml` }]);
    const text = JSON.stringify({ openapi: '3.1.0', paths: Object.fromEntries(many) });
    const client = new HttpClient({ guard: { trustedOrigins: [base] } });
    const { findings } = await fetchReferences(text, { url: `${base}/x.json`, client });
    client.close();
    expect(asked).toHaveLength(50);
    expect(findings.at(-1)?.message).toBe('There are more than 50 other documents.');
  });

  it('that cannot be fetched are reported', async () => {
    files.clear();
    const client = new HttpClient({ guard: { trustedOrigins: [base] } });
    const { documents, findings } = await fetchReferences(root(), {
      url: `${base}/x.json`,
      client,
    });
    client.close();
    expect(documents.size).toBe(0);
    expect(findings).toEqual([
      {
        kind: 'left-out',
        pointer: `${base}/paths.yaml`,
        message: 'The document cannot be fetched: HTTP 404',
      },
    ]);
  });

  it('in a private network are not requested', async () => {
    const client = new HttpClient({ guard: {} });
    const { findings } = await fetchReferences(root(), { url: `${base}/x.json`, client });
    client.close();
    expect(asked).toEqual([]);
    expect(findings).toHaveLength(1);
  });
});

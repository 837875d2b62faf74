import { once } from 'node:events';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { describe, expect, it, onTestFinished } from 'vitest';

import { journalFolder } from '../../../../test/testing/audit-folder.js';
import { openJournal, writeCalls } from '../../../../test/testing/written-journal.js';
import { folderSource } from '../journal/journal-source.js';
import { exportOtlp, type OtlpOptions } from './otlp-export.js';

interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A collector that gives these answers, then 200, and a journal with three records. */
async function setup(...answers: readonly Answer[]) {
  const left = [...answers];
  const requests: { readonly request: IncomingMessage; readonly body: string }[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      requests.push({ request, body });
      const { status = 200, headers = {}, body: answer = '{}' } = left.shift() ?? {};
      return response.writeHead(status, headers).end(answer);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const folder = journalFolder();
  const journal = openJournal(folder);
  onTestFinished(() => journal.close(0));
  await writeCalls(journal, 2);
  const said: string[] = [];
  const end = new AbortController();
  const send = (options: Partial<OtlpOptions> = {}) =>
    exportOtlp({
      folder,
      source: folderSource(folder),
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/logs`,
      version: '1.2.3',
      follow: false,
      signal: end.signal,
      firstRetryMs: 1,
      say: (sentence) => said.push(sentence),
      ...options,
    });
  return { folder, requests, said, send, end, journal };
}

describe('what a collector answers', () => {
  it('may be that all is well', async () => {
    const { send, said, requests, folder } = await setup();
    const told: number[] = [];
    expect(await send({ onProgress: (sent) => told.push(sent) })).toBe(4);
    expect(told).toEqual([4]);
    expect(said).toEqual([]);
    expect(requests[0]!.request.method).toBe('POST');
    expect(requests[0]!.body).toContain('"1.2.3"');
    const file = readdirSync(folder).find((name) => name.startsWith('otlp-'))!;
    expect(file).toMatch(/^otlp-[0-9a-f]{12}\.json$/);
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    writeFileSync(join(folder, file), 'no JSON');
    await expect(send()).rejects.toThrow(SyntaxError);
  });

  it.each([
    ['{"partialSuccess":{"rejectedLogRecords":"2"}}', ['Records that the collector left out: 2.']],
    ['{"partialSuccess":{"rejectedLogRecords":0}}', []],
    ['{"partialSuccess":{}}', []],
    ['', []],
    ['null', []],
  ])('may be %s', async (body, sentences) => {
    const { send, said } = await setup({ body });
    expect(await send()).toBe(4);
    expect(said).toEqual(sentences);
  });

  it.each([429, 502, 503, 504])('may be %d for some time', async (status) => {
    const { send, said, requests } = await setup({ status }, { status });
    expect(await send()).toBe(4);
    expect(requests).toHaveLength(3);
    expect(said).toEqual([
      `The collector does not accept records: it answers ${status}. Trying again.`,
      'The collector accepts records again.',
    ]);
  });

  it('may be when to try again', async () => {
    const headers = { 'retry-after': '0' };
    const { send, requests } = await setup({ status: 503, headers });
    expect(await send({ firstRetryMs: 1e6 })).toBe(4);
    expect(requests).toHaveLength(2);
    const late = await setup({ status: 503, headers: { 'retry-after': '1000' } });
    const sending = late.send();
    await expect.poll(() => late.said).toHaveLength(1);
    late.end.abort();
    expect(await sending).toBe(0);
    expect(late.requests).toHaveLength(1);
  });

  it.each([400, 401, 404, 500])('may be %d, which ends the export', async (status) => {
    const { send, requests } = await setup({ status });
    await expect(send()).rejects.toThrow(`the collector refuses records: it answers ${status}`);
    expect(requests).toHaveLength(1);
  });

  it('may be another address, which is not followed, since the headers hold secrets', async () => {
    const { send } = await setup({ status: 307, headers: { location: '/other' } });
    await expect(send()).rejects.toThrow('the collector refuses records: it answers 307');
  });
});

describe('an export', () => {
  it('that has already ended sends nothing', async () => {
    const { send, requests, end } = await setup();
    end.abort();
    expect(await send()).toBe(0);
    expect(requests).toEqual([]);
  });
});

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { describe, expect, it, onTestFinished } from 'vitest';

import { journalFolder } from '../../../../test/testing/audit-folder.js';
import { Journal } from '../journal/journal.js';
import { recordsIn } from '../testing/audit-rows.js';
import { intentEntry } from '../testing/journal-entries.js';
import { folderSource } from '../journal/journal-source.js';
import { exportOtlp, type OtlpOptions } from './otlp-export.js';
import { committed } from '../testing/committed.js';

interface Received {
  readonly uid: string;
  readonly body: string;
  readonly severity: string;
}

interface OtlpBody {
  readonly resourceLogs: readonly {
    readonly scopeLogs: readonly {
      readonly logRecords: readonly {
        readonly timeUnixNano: string;
        readonly severityText: string;
        readonly body: { readonly stringValue: string };
        readonly attributes: readonly {
          readonly key: string;
          readonly value: { stringValue?: string };
        }[];
      }[];
    }[];
  }[];
}

/** A receiver of OTLP over HTTP. `answers`: the statuses of the next requests, then 200. */
class Receiver {
  readonly received: Received[] = [];
  readonly answers: number[] = [];
  headers: NodeJS.Dict<string | string[]> = {};
  #server: Server | undefined;
  #port = 0;

  get url(): string {
    return `http://127.0.0.1:${this.#port}/v1/logs`;
  }

  async open(): Promise<this> {
    const server = createServer((request, response) => {
      void text(request).then((body) => {
        this.headers = request.headers;
        const status = request.url === '/v1/logs' ? (this.answers.shift() ?? 200) : 404;
        if (status === 200) this.#take(JSON.parse(body) as OtlpBody);
        return response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
      });
    });
    this.#server = server.listen(this.#port, '127.0.0.1');
    await once(server, 'listening');
    this.#port = (server.address() as AddressInfo).port;
    return this;
  }

  async close(): Promise<void> {
    this.#server?.closeAllConnections();
    this.#server?.close();
    if (this.#server) await once(this.#server, 'close');
    this.#server = undefined;
  }

  #take({ resourceLogs }: OtlpBody): void {
    for (const { scopeLogs } of resourceLogs) {
      for (const { logRecords } of scopeLogs) {
        for (const { attributes, body, severityText } of logRecords) {
          const uid = attributes.find(({ key }) => key === 'log.record.uid')!.value.stringValue!;
          this.received.push({ uid, body: body.stringValue, severity: severityText });
        }
      }
    }
  }
}

async function setup() {
  const folder = journalFolder();
  const receiver = await new Receiver().open();
  onTestFinished(() => receiver.close());
  const journal = new Journal({
    folder,
    durability: 'process',
    rotateBytes: 20_000,
    log: () => undefined,
    consequence: '',
  });
  onTestFinished(() => journal.close(0));
  const write = async (count: number): Promise<void> => {
    for (let i = 0; i < count; i++) await committed(journal, intentEntry(i));
  };
  const said: string[] = [];
  const send = (options: Partial<OtlpOptions> = {}): Promise<number> =>
    exportOtlp({
      folder,
      source: folderSource(folder),
      url: receiver.url,
      version: '0',
      follow: false,
      signal: new AbortController().signal,
      firstRetryMs: 10,
      say: (sentence) => said.push(sentence),
      ...options,
    });
  const idsWritten = (): string[] => recordsIn(folder).map(({ id }) => id);
  const idsReceived = (): string[] => receiver.received.map(({ uid }) => uid);
  return { folder, receiver, write, send, said, idsWritten, idsReceived };
}

describe('sending records to a collector', () => {
  it('sends every record once, and only new ones the next time', async () => {
    const { receiver, write, send, idsWritten, idsReceived } = await setup();
    await write(700);
    await send({ headers: { 'x-key': 'k' } });
    expect(idsReceived()).toEqual(idsWritten());
    expect(receiver.headers).toMatchObject({ 'x-key': 'k', 'content-type': 'application/json' });
    expect(receiver.received[1]).toMatchObject({ severity: 'info' });
    expect(await send()).toBe(0);
    await write(3);
    expect(await send()).toBe(3);
    expect(idsReceived()).toEqual(idsWritten());
  });

  it('continues after an outage, and loses nothing', async () => {
    const { receiver, write, send, said, idsWritten, idsReceived } = await setup();
    await write(600);
    await receiver.close();
    const halt = new AbortController();
    const sending = send({ follow: true, signal: halt.signal });
    await expect.poll(() => said.join()).toContain('does not accept records: ECONNREFUSED');
    await write(600);
    receiver.answers.push(503, 429, 504);
    await receiver.open();
    await expect.poll(() => new Set(idsReceived()).size).toBe(1_200);
    halt.abort();
    await sending;
    expect([...new Set(idsReceived())]).toEqual(idsWritten());
    expect(said.at(-1)).toBe('The collector accepts records again.');
  });

  it('ends with the reason if the collector stays unavailable, and continues from there later', async () => {
    const { receiver, write, send, idsWritten, idsReceived } = await setup();
    await write(10);
    await receiver.close();
    await expect(send({ patienceMs: 50 })).rejects.toThrow('does not accept records: ECONNREFUSED');
    await receiver.open();
    await send();
    expect(idsReceived()).toEqual(idsWritten());
  });

  it('ends if the collector refuses records, and keeps them for the next time', async () => {
    const { receiver, write, send, idsWritten, idsReceived } = await setup();
    await write(10);
    receiver.answers.push(400);
    await expect(send()).rejects.toThrow('the collector refuses records: it answers 400');
    await send();
    expect(idsReceived()).toEqual(idsWritten());
  });
});

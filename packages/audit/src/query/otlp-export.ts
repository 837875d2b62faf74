/**
 * Sends records to an OpenTelemetry collector over OTLP/HTTP. Every record is sent at least once:
 * the position is saved after the collector has accepted the records, and the next run continues
 * from there.
 */

import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { replaceFile } from '@callsign/config';
import {
  HttpClient,
  readText,
  RequestFailed,
  readRetryAfter,
  type HttpResponse,
} from '@callsign/outbound';

import { AuditTrouble, isMissing } from '../record/trouble.js';
import type { JournalSource } from '../journal/journal-source.js';
import type { Position, Positions } from '../journal/position.js';
import { type FollowedRecord, recordsAfter } from './follow.js';
import { otlpLogRecord, otlpRequest } from './otlp-log.js';

export interface OtlpOptions {
  /** Where the position is saved. */
  readonly folder: string;
  readonly source: JournalSource;
  /** The address for logs, such as `http://localhost:4318/v1/logs`. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly version: string;
  /** If true, it continues with new records until the signal. If false, it ends when all are sent. */
  readonly follow: boolean;
  readonly signal: AbortSignal;
  /** How long an outage may last. Default: forever. */
  readonly patienceMs?: number;
  readonly firstRetryMs?: number;
  /** Receives sentences for the operator. */
  readonly say: (sentence: string) => void;
  readonly onProgress?: (sent: number) => void;
}

const BATCH = 500;
const POLL_MS = 1_000;
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 30_000;
const REQUEST_MS = 30_000;
/** Bytes of an answer. */
const MAX_ANSWER = 1024 * 1024;
/** The statuses after which OTLP allows the same request again. */
const TEMPORARY: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * Returns the number of records that were sent. Rejects if the collector refuses them, or cannot be
 * reached for too long.
 */
export async function exportOtlp(options: OtlpOptions): Promise<number> {
  const client = new HttpClient();
  try {
    return await exportWith(client, options);
  } finally {
    client.close();
  }
}

async function exportWith(client: HttpClient, options: OtlpOptions): Promise<number> {
  const { folder, source, url, follow, signal, onProgress } = options;
  const file = positionFile(folder, url);
  const positions = readPositions(file);
  let sent = 0;
  while (!signal.aborted) {
    for await (const batch of batchesOf(recordsAfter(source, positions))) {
      if (!(await send(client, batch, options))) return sent;
      for (const { journal, position } of batch) positions.set(journal, position);
      savePositions(file, positions);
      sent += batch.length;
      onProgress?.(sent);
    }
    if (!follow) break;
    await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
  }
  return sent;
}

/** Returns false if the signal stopped it. */
async function send(
  client: HttpClient,
  batch: readonly FollowedRecord[],
  options: OtlpOptions,
): Promise<boolean> {
  const { version, signal, patienceMs = Infinity, firstRetryMs = FIRST_RETRY_MS, say } = options;
  const logs = batch.map(({ record, line }) => otlpLogRecord(record, line));
  const body = otlpRequest(logs, version);
  const end = performance.now() + patienceMs;
  let retryMs = firstRetryMs;
  for (let attempt = 1; !signal.aborted; attempt++) {
    const failure = await post(client, body, options);
    if (failure === undefined) {
      if (attempt > 1) say('The collector accepts records again.');
      return true;
    }
    if (signal.aborted) return false;
    if (attempt === 1)
      say(`The collector does not accept records: ${failure.reason}. Trying again.`);
    if (performance.now() >= end) {
      throw new AuditTrouble(`the collector does not accept records: ${failure.reason}`);
    }
    await sleep(failure.waitMs ?? retryMs, undefined, { signal }).catch(() => undefined);
    retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
  }
  return false;
}

interface Failure {
  readonly reason: string;
  /** The pause that the collector asks for. */
  readonly waitMs?: number | undefined;
}

async function post(
  client: HttpClient,
  body: string,
  { url, headers = {}, signal, say }: OtlpOptions,
): Promise<Failure | undefined> {
  let response: HttpResponse;
  let answer: string;
  try {
    // No redirects: the headers may hold secrets.
    response = await client.request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)]),
    });
    answer = await readText(response.body, MAX_ANSWER);
  } catch (error) {
    const { message } = error as Error;
    return { reason: error instanceof RequestFailed ? error.code : message };
  }
  const { status } = response;
  if (status >= 200 && status < 300) {
    sayRejected(answer, say);
    return undefined;
  }
  const reason = `it answers ${status}`;
  if (!TEMPORARY.has(status)) throw new AuditTrouble(`the collector refuses records: ${reason}`);
  return { reason, waitMs: readRetryAfter(response.headers['retry-after']) };
}

/** A collector may accept a request and leave out some of its records. */
function sayRejected(answer: string, say: (sentence: string) => void): void {
  try {
    const { partialSuccess } = JSON.parse(answer) as {
      partialSuccess?: { rejectedLogRecords?: number | string };
    };
    const count = Number(partialSuccess?.rejectedLogRecords ?? 0);
    if (count > 0) say(`Records that the collector left out: ${count}.`);
  } catch {
    // An answer that is not JSON says nothing about records.
  }
}

async function* batchesOf(
  pieces: AsyncIterable<readonly FollowedRecord[]>,
): AsyncIterable<FollowedRecord[]> {
  let batch: FollowedRecord[] = [];
  for await (const piece of pieces) {
    for (const record of piece) {
      // The first record of a file is not about calls.
      if (record.record.kind === 'journal') continue;
      batch.push(record);
      if (batch.length < BATCH) continue;
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

/** One file per collector. The address may hold a secret, so the name contains only its hash. */
function positionFile(folder: string, url: string): string {
  return join(folder, `otlp-${hash('sha256', url).slice(0, 12)}.json`);
}

function readPositions(file: string): Positions {
  try {
    const saved = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Position>;
    return new Map(Object.entries(saved));
  } catch (error) {
    if (isMissing(error)) return new Map();
    throw error;
  }
}

function savePositions(file: string, positions: Positions): void {
  replaceFile(file, `${JSON.stringify(Object.fromEntries(positions))}\n`, { mode: 0o600 });
}

/** Runs a query: sends it to Lightdash and polls until it is done. */

import { LightdashError } from './lightdash-error.js';
import type { LightdashHttp } from './lightdash-http.js';
import type { QueryResult, QueryState } from './metric-query.js';
import { path, type ApiPath } from './path.js';
import { pause } from './pause.js';
import { asList, asObject } from './shape.js';

/** The address and the body of a query. */
export interface QueryStart {
  readonly path: ApiPath;
  readonly body: object;
}

/** How long to wait for a query, and how much of its result to fetch. */
export interface RunQueryOptions {
  readonly signal?: AbortSignal | undefined;
  /** How many rows to return. */
  readonly rows: number;
  /** Called each time the query is not done yet. */
  readonly onWaiting?: (status: string) => void;
  /** The time limit of the whole query. */
  readonly timeoutMs?: number;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;
const TIMEOUT_MS = 300_000;

/** If the signal aborts or the time is over, the query is cancelled in Lightdash too. */
export async function runQuery(
  http: LightdashHttp,
  project: string,
  start: QueryStart,
  { signal, rows, onWaiting, timeoutMs = TIMEOUT_MS }: RunQueryOptions,
): Promise<QueryResult> {
  const started = asObject<{ queryUuid: string }>(
    await http.send({
      method: 'POST',
      path: start.path,
      body: { ...start.body, context: 'api' },
      signal,
    }),
    'the query',
  );
  const { queryUuid } = started;
  const end = Date.now() + timeoutMs;
  try {
    for (let ms = FIRST_PAUSE_MS; Date.now() < end; ms = Math.min(ms * 2, LONGEST_PAUSE_MS)) {
      const state = asObject<QueryState>(
        await http.send({
          method: 'GET',
          path: path`/api/v2/projects/${project}/query/${queryUuid}`,
          query: { page: 1, pageSize: rows },
          signal,
        }),
        'the results',
      );
      if (state.status === 'ready') {
        const data = asList<QueryResult['rows'][number]>(state.rows, 'the rows').slice(0, rows);
        return { rows: data, total: state.totalResults, started };
      }
      if (state.status === 'error' || state.status === 'expired') {
        throw failed(state.error ?? state.status);
      }
      if (state.status === 'cancelled') throw failed('it was cancelled');
      onWaiting?.(state.status);
      await pause(ms, signal);
    }
  } catch (error) {
    if (signal?.aborted) cancel(http, project, queryUuid);
    throw error;
  }
  cancel(http, project, queryUuid);
  throw new LightdashError(
    'timeout',
    `The query did not end within ${timeoutMs / 1000} seconds and was cancelled. Ask for less.`,
  );
}

/**
 * Cancels a query that no one waits for, so that it does not keep the warehouse busy. Never throws.
 */
function cancel(http: LightdashHttp, project: string, queryUuid: string): void {
  const address = path`/api/v2/projects/${project}/query/${queryUuid}/cancel`;
  http.send({ method: 'POST', path: address }).catch(() => undefined);
}

function failed(reason: string): LightdashError {
  return new LightdashError('invalid', `Lightdash API error: the query failed: ${reason}`);
}

/** Reads an HTTP response: the envelope of Lightdash, or an error for anything else. */

import { readRetryAfter } from '@callsign/outbound';

import { LightdashError, type LightdashErrorKind } from './lightdash-error.js';

/** A whole response. `location` is set for a redirect, which usually means a sign-in page. */
export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
  readonly retryAfter?: string | undefined;
  readonly location?: string | undefined;
  /** Removes the token and other secrets from a text: a server may repeat them. */
  readonly hide: (text: string) => string;
}

const TOKEN_ADVICE =
  'Create a personal access token in Lightdash (Settings, Personal access tokens) and put it into LIGHTDASH_API_KEY.';
const URL_ADVICE =
  'LIGHTDASH_URL must be the address that opens Lightdash in a browser, without the path of a page.';
const MAX_FOREIGN_TEXT = 500;

/** The results in the envelope, or `undefined` without any. Throws a {@link LightdashError}. */
export function readAnswer(answer: HttpAnswer): unknown {
  const { status, text } = answer;
  if (status >= 300 && status < 400) throw redirected(answer);
  if (text.trim() === '') {
    if (status < 300) return undefined;
    throw failure(answer, undefined);
  }
  const body = parsed(answer);
  if (body['status'] === 'ok' && status < 300) return body['results'];
  if (body['status'] === 'error' || status >= 300) throw failure(answer, body['error']);
  throw new LightdashError(
    'not-lightdash',
    `The answer is not in the format of Lightdash. ${URL_ADVICE}`,
    { status },
  );
}

function parsed(answer: HttpAnswer): Record<string, unknown> {
  const { status, text } = answer;
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null) return body as Record<string, unknown>;
  } catch {
    // Reported below, by what the text looks like.
  }
  if (status >= 300) throw failure(answer, undefined);
  const start = text.trimStart();
  if (start.startsWith('<')) {
    throw new LightdashError(
      'not-lightdash',
      `The answer is a web page instead of data. ${URL_ADVICE}`,
      {
        status,
      },
    );
  }
  if (start.startsWith('{')) {
    throw new LightdashError(
      'malformed',
      'The answer of Lightdash is incomplete or damaged. Try again.',
      {
        status,
      },
    );
  }
  throw new LightdashError('not-lightdash', `The answer is not JSON. ${URL_ADVICE}`, { status });
}

function redirected({ status, location, hide }: HttpAnswer): LightdashError {
  const where = location === undefined ? '' : ` to ${hide(hostOf(location))}`;
  return new LightdashError(
    'not-lightdash',
    `The server redirects${where}. The token is not sent there. ${URL_ADVICE}`,
    { status },
  );
}

/** Only the origin: the rest of the address may contain secrets. */
function hostOf(location: string): string {
  return URL.canParse(location) ? new URL(location).origin : 'another of its pages';
}

/** Turns a failed response, JSON or not, into an error. */
function failure(answer: HttpAnswer, error: unknown): LightdashError {
  const said =
    typeof error === 'object' && error !== null ? (error as Record<string, unknown>) : {};
  // An error may come with status 200, so the status in the envelope counts.
  const status = typeof said['statusCode'] === 'number' ? said['statusCode'] : answer.status;
  const apiName = typeof said['name'] === 'string' ? answer.hide(said['name']) : undefined;
  const message =
    typeof said['message'] === 'string' && said['message'] !== ''
      ? answer.hide(said['message']).slice(0, MAX_FOREIGN_TEXT)
      : `HTTP ${status}`;
  const kind = kindOf(status, message, apiName);
  const waitMs = kind === 'rate-limited' ? readRetryAfter(answer.retryAfter) : undefined;
  return new LightdashError(
    kind,
    sentence(kind, message, waitMs, fieldsOf(said['data'], answer.hide)),
    {
      status,
      apiName,
      retryAfterMs: waitMs,
    },
  );
}

function kindOf(status: number, message: string, apiName: string | undefined): LightdashErrorKind {
  if (status === 401) return 'unauthorized';
  if (status === 403) return apiName === 'DeactivatedAccountError' ? 'unauthorized' : 'forbidden';
  if (status === 410 || (status === 404 && message === 'API endpoint not found'))
    return 'no-endpoint';
  if (status === 404) return apiName === undefined ? 'no-endpoint' : 'not-found';
  if (status === 429) return 'rate-limited';
  return status >= 500 ? 'server' : 'invalid';
}

function sentence(
  kind: LightdashErrorKind,
  message: string,
  waitMs: number | undefined,
  fields: string,
): string {
  const said = `Lightdash API error: ${message}`;
  const stop = said.replace(/(?<![.\s])[.\s]*$/, '.');
  switch (kind) {
    case 'unauthorized':
      return `${stop} ${TOKEN_ADVICE}`;
    case 'forbidden':
      return `${stop} The owner of the token has no permission for this.`;
    case 'no-endpoint':
      return `${stop} This Lightdash does not have this endpoint; it may be older or newer than this server expects.`;
    case 'rate-limited': {
      const wait = waitMs === undefined ? '' : ` Retry after ${Math.ceil(waitMs / 1000)}s.`;
      return `Rate limited (429).${wait}`;
    }
    case 'server':
      return `${stop} Try again later.`;
    case 'invalid':
      return `${said}${fields}`;
    default:
      return said;
  }
}

/** The fields of a refused request that are wrong. */
function fieldsOf(data: unknown, hide: HttpAnswer['hide']): string {
  if (typeof data !== 'object' || data === null) return '';
  const fields = Object.keys(data).slice(0, 5);
  return fields.length === 0 ? '' : ` (see ${hide(fields.join(', ')).slice(0, MAX_FOREIGN_TEXT)})`;
}

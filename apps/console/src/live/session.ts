/**
 * The session of this tab: exchanges the token of a link for a key, and sends the key with every
 * request.
 */

import type { SessionData } from '@callsign/gateway/admin/data';
import { signal } from '@preact/signals';

const KEY = 'callsign.key';
const GATEWAY = 'callsign.gateway';
const API = new URL('../admin/v1', document.baseURI).href;

/** Default: not known yet. `null`: signed out. */
export const session = signal<SessionData | null | undefined>(undefined);
/** Why the last sign-in failed. */
export const signInProblem = signal<string>('');
/** The process id of the chosen gateway; empty: the only one, or the newest. */
export const chosenGateway = signal<string>(sessionStorage.getItem(GATEWAY) ?? '');

/** A refusal of the gateway, with its reason. */
class ApiError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Throws an `ApiError` with the message of the gateway. */
export function get<T>(path: string): Promise<T> {
  return send<T>('GET', path);
}

export function post<T>(path: string, body: unknown = {}): Promise<T> {
  return send<T>('POST', path, body);
}

/** Saves a reply as a file. */
export async function download(path: string, name: string): Promise<void> {
  const response = await fetch(API + path, { headers: headers(), cache: 'no-store' });
  if (!response.ok) {
    const reply = (await response.json().catch(() => undefined)) as { error?: string } | undefined;
    throw new ApiError(response.status, reply?.error ?? `The gateway answered ${response.status}.`);
  }
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await response.blob());
  link.download = name;
  link.click();
  // Long enough for the browser to start the download.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Opens a stream of events. */
export async function openStream(
  method: string,
  path: string,
  abort: AbortSignal,
): Promise<Response> {
  const response = await fetch(API + path, {
    method,
    headers: headers(),
    signal: abort,
    cache: 'no-store',
  });
  if (response.status === 401) endSession();
  return response;
}

/** Signs in with the token in the address, with the key of this tab, or not at all. */
export async function startSession(): Promise<void> {
  // A new link may be opened in a tab that already shows the page.
  addEventListener('hashchange', () => void takeToken());
  if (!(await takeToken())) await readSession();
}

/** False if the address has no token. */
async function takeToken(): Promise<boolean> {
  const token = /^#token=([\w-]+)$/.exec(location.hash)?.[1];
  if (token === undefined) return false;
  // The token must not stay in the address or in the history.
  history.replaceState(null, '', location.pathname + location.search);
  try {
    const { key } = await send<{ key: string }>('POST', '/session', { token });
    sessionStorage.setItem(KEY, key);
    await readSession();
  } catch (error) {
    signInProblem.value = (error as Error).message;
    session.value = null;
  }
  return true;
}

/** Signs in with an API key. */
export async function signInWithKey(key: string): Promise<void> {
  sessionStorage.setItem(KEY, key);
  await readSession();
  if (session.value === null) signInProblem.value = 'This key does not open the console.';
}

export async function signOut(): Promise<void> {
  await send('DELETE', '/session').catch(() => undefined);
  sessionStorage.removeItem(KEY);
  session.value = null;
}

/** Empty: the gateway that serves the page, or the newest. */
export function chooseGateway(pid: string): void {
  sessionStorage.setItem(GATEWAY, pid);
  chosenGateway.value = pid;
}

async function readSession(): Promise<void> {
  if (sessionStorage.getItem(KEY) === null) {
    session.value = null;
    return;
  }
  try {
    session.value = await get<SessionData>('/session');
    signInProblem.value = '';
  } catch (error) {
    signInProblem.value = (error as Error).message;
    session.value = null;
  }
}

async function send<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(API + path, {
    method,
    headers: {
      ...headers(),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    cache: 'no-store',
  }).catch(() => {
    throw new ApiError(0, 'The gateway does not answer. It may have stopped.');
  });
  const reply = (await response.json().catch(() => undefined)) as T & { error?: string };
  if (response.ok) return reply;
  if (response.status === 401 && path !== '/session') endSession();
  throw new ApiError(response.status, reply?.error ?? `The gateway answered ${response.status}.`);
}

/**
 * Called when the gateway does not know the key: the gateway was restarted, or the key has expired.
 */
function endSession(): void {
  sessionStorage.removeItem(KEY);
  signInProblem.value = 'You were signed out. To get a new link: callsign console';
  session.value = null;
}

function headers(): Record<string, string> {
  const key = sessionStorage.getItem(KEY);
  const gateway = chosenGateway.value;
  return {
    ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    ...(gateway === '' ? {} : { 'x-callsign-gateway': gateway }),
  };
}

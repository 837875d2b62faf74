/** Reads a stream of events, and opens it again when it breaks. */

import { openStream } from './session.js';

/** `onState` is called with false when the stream breaks, and with true when it is open again. */
export interface StreamListener<T> {
  /** Such as `/events`. Read again before each opening. */
  readonly path: () => string;
  readonly onEvent: (event: T) => void;
  readonly onState?: (isLive: boolean) => void;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 5_000;

/** Returns a function that ends the stream. */
export function followStream<T>({ path, onEvent, onState }: StreamListener<T>): () => void {
  const abort = new AbortController();
  void follow();
  return () => abort.abort();

  async function follow(): Promise<void> {
    let wait = FIRST_WAIT_MS;
    while (!abort.signal.aborted) {
      try {
        const response = await openStream('GET', path(), abort.signal);
        if (response.ok && response.body) {
          onState?.(true);
          wait = FIRST_WAIT_MS;
          await readEvents(response.body, onEvent);
        }
      } catch {
        // The gateway has ended or the network is down. The loop tries again.
      }
      if (abort.signal.aborted) return;
      onState?.(false);
      await new Promise((resolve) => setTimeout(resolve, wait));
      wait = Math.min(2 * wait, LONGEST_WAIT_MS);
    }
  }
}

/** Reads a stream once, to its end. Throws if it is refused. */
export async function readStream<T>(
  method: string,
  path: string,
  onEvent: (event: T) => void,
): Promise<void> {
  const response = await openStream(method, path, new AbortController().signal);
  if (response.ok && response.body) return readEvents(response.body, onEvent);
  const reply = (await response.json().catch(() => undefined)) as { error?: string } | undefined;
  throw new Error(reply?.error ?? `The gateway answered ${response.status}.`);
}

/** Reads one event from each line. */
async function readEvents<T>(
  body: ReadableStream<Uint8Array>,
  onEvent: (event: T) => void,
): Promise<void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += decoder.decode(value, { stream: true });
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) onEvent(JSON.parse(line) as T);
  }
}

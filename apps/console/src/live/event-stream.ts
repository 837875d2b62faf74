/** Reads the event stream of the gateway, and opens it again when it breaks. */

import { openEvents } from './session.js';

export interface StreamListener {
  readonly onEvent: (name: string, data: unknown) => void;
  readonly onState: (isLive: boolean) => void;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 5_000;

/** Returns what ends it. */
export function followEvents({ onEvent, onState }: StreamListener): () => void {
  const abort = new AbortController();
  void follow();
  return () => abort.abort();

  async function follow(): Promise<void> {
    let wait = FIRST_WAIT_MS;
    while (!abort.signal.aborted) {
      try {
        const response = await openEvents(abort.signal);
        if (response.ok && response.body) {
          onState(true);
          wait = FIRST_WAIT_MS;
          await readEvents(response.body, onEvent);
        }
      } catch {
        // The gateway has ended, or the network is gone: try again below.
      }
      if (abort.signal.aborted) return;
      onState(false);
      await new Promise((resolve) => setTimeout(resolve, wait));
      wait = Math.min(2 * wait, LONGEST_WAIT_MS);
    }
  }
}

async function readEvents(
  body: ReadableStream<Uint8Array>,
  onEvent: StreamListener['onEvent'],
): Promise<void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += decoder.decode(value, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) readEvent(block, onEvent);
  }
}

function readEvent(block: string, onEvent: StreamListener['onEvent']): void {
  const lines = block.split('\n');
  const name = lines.find((line) => line.startsWith('event: '))?.slice(7);
  const data = lines.find((line) => line.startsWith('data: '))?.slice(6);
  if (name !== undefined && data !== undefined) onEvent(name, JSON.parse(data));
}

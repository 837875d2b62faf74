/**
 * Tools whose own name begins with their server's key, such as `slack:slack_list_channels`. They
 * are shown without the key.
 */

import type { ToolRef } from '../identity/tool-ref.js';
import { lowerWords, wordsOf } from '../words/words.js';

const PLAIN_KEY = /^[A-Za-z0-9]+$/;
/** Words of letters and digits, each after a single `_`, `-` or `.`. */
const MORE_WORDS = /^(?:[-_.][A-Za-z0-9]+)+$/;

/**
 * Whether the tool's own name is enough. The key must be one plain word, so that it ends at the
 * first `_`, `-` or `.`. The name must not contain `__`, so that it differs from every name of two
 * parts.
 */
export function repeatsKey({ server, tool }: ToolRef): boolean {
  return (
    tool.length > server.length &&
    tool.startsWith(server) &&
    PLAIN_KEY.test(server) &&
    MORE_WORDS.test(tool.slice(server.length))
  );
}

/** The identity behind a name without a separator. `undefined`: the name has another form. */
export function readRepeatedKey(name: string): ToolRef | undefined {
  const end = name.search(/[-_.]/);
  const ref = { server: name.slice(0, Math.max(end, 0)), tool: name };
  return repeatsKey(ref) ? ref : undefined;
}

/**
 * Whether a tool's own name is enough among these servers: it carries its server's key, spelled with
 * `-`, `_` or `.`, and no tool of the others can have that name. Of two keys that it carries, the
 * longer one counts. Without keys nothing is known, so it is not enough.
 */
export function ownsName({ server, tool }: ToolRef, keys: readonly string[]): boolean {
  if (keys.length === 0) return false;
  const words = tool.split(BETWEEN_WORDS);
  const own = server.split(BETWEEN_WORDS);
  if (!carries(words, own)) return false;
  const others = keys.filter((key) => key !== server).map((key) => key.split(BETWEEN_WORDS));
  if (others.some((other) => other.length >= own.length && carries(words, other))) return false;
  // A key before `__` may begin the name of another server's tool, or of another tool of this server.
  const parts = tool.split('__');
  return !parts.slice(1).some((_, i) => {
    const start = parts
      .slice(0, i + 1)
      .join('__')
      .split(BETWEEN_WORDS)
      .join();
    return [own, ...others].some((key) => key.join() === start);
  });
}

const BETWEEN_WORDS = /[-_.]+/;

function carries(words: readonly string[], key: readonly string[]): boolean {
  return words.length > key.length && key.every((word, i) => word !== '' && words[i] === word);
}

/** A tool's name without the words of its server's key, for titles: `slack_list` → `list`. */
export function wordsBeyondKey({ server, tool }: ToolRef): string {
  const key = lowerWords(server);
  const words = wordsOf(tool);
  const isRepeated = key.length > 0 && key.every((word, i) => words[i]?.toLowerCase() === word);
  return isRepeated && words.length > key.length ? words.slice(key.length).join('_') : tool;
}

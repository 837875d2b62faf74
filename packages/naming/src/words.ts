/** Splitting keys and tool names into words, and writing those words for programs and for people. */

import { INVISIBLE } from './confusables.js';
import { KNOWN_SPELLINGS } from './known-spellings.js';

// A capital starts a word unless it continues an acronym; digits belong to the letters around them: n8n.
const WORD = new RegExp(
  [
    String.raw`\p{Lu}{2,}s(?!\p{Ll})`, // a plural acronym: URLs
    String.raw`\p{Lu}{2,}(?=v\p{N})`, // an acronym and its version: UUIDv4
    String.raw`\p{Lu}+(?!\p{Ll})(?:\p{N}+\p{Ll}*)*`,
    String.raw`\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{Lt}\p{M}]+(?:\p{N}+\p{Ll}*)*`,
    String.raw`\p{N}+\p{Ll}*`,
  ].join('|'),
  'gu',
);

/** The words of a name as they were written: `readHTML5_file` → `read`, `HTML5`, `file`. */
export function wordsOf(name: string): string[] {
  return name.normalize('NFC').match(WORD) ?? [];
}

/** `apple-mail` → `apple_mail`, `GitHubAPI` → `git_hub_api`. */
export function snakeCase(name: string): string {
  return wordsOf(name).join('_').toLowerCase();
}

/** A key or tool name as a label: `read_file` → `Read File`, `github-api` → `GitHub API`. */
export function titleCase(name: string): string {
  const whole = knownSpelling(name);
  if (whole !== undefined) return whole;
  const shouted = name === name.toUpperCase();
  return joinKnownPairs(wordsOf(name))
    .map((word) => knownSpelling(word) ?? capitalise(word, shouted))
    .join(' ');
}

/** Words of a server key that say nothing about the server. */
const EMPTY_WORDS = new Set(['mcp', 'server']);

/**
 * What people call a server: the name that the operator gave it, else its key as a label. What a server
 * calls itself is no reason to show it under that name: it could pass for another.
 */
export function displayName(key: string, given?: string): string {
  const chosen = given?.replace(INVISIBLE, '').trim();
  if (chosen) return chosen;
  const last = key.slice(key.lastIndexOf('/') + 1) || key;
  const telling = wordsOf(last).filter((word) => !EMPTY_WORDS.has(word.toLowerCase()));
  return titleCase(telling.join(' ')) || titleCase(last) || key;
}

function knownSpelling(word: string): string | undefined {
  return KNOWN_SPELLINGS.get(word.toLowerCase());
}

/** Brands with an inner capital come apart in `wordsOf`; `Git` + `Hub` is one word again here. */
function joinKnownPairs(words: readonly string[]): string[] {
  const joined: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const pair = words[i]! + (words[i + 1] ?? '');
    const isPair = pair !== words[i] && /\p{Lu}/u.test(words[i + 1]!) && knownSpelling(pair);
    joined.push(isPair ? pair : words[i]!);
    if (isPair) i++;
  }
  return joined;
}

function capitalise(word: string, shouted: boolean): string {
  if (/^v\d+$/i.test(word)) return word.toLowerCase();
  const isAcronym =
    !shouted && word.length > 1 && word === word.toUpperCase() && /\p{Lu}/u.test(word);
  if (isAcronym) return word;
  const [first = '', ...rest] = word;
  return first.toUpperCase() + rest.join('').toLowerCase();
}

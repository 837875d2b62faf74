/** Copies a JSON value without its secrets. */

import { beginsKey, isKeyLine } from '../text/private-keys.js';
import { REDACTED } from '../text/redacted.js';
import { announcesSecret, secretMembers } from './secret-positions.js';

/** Deeper values are replaced as a whole. */
const MAX_DEPTH = 64;

/** The detector's rules for names and texts. */
export interface JsonRules {
  isSecretName(name: string): boolean;
  redactText(text: string): string;
}

export function redactedJson(value: unknown, rules: JsonRules, depth = 0): unknown {
  if (typeof value === 'string') return rules.redactText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return REDACTED;
  if (Array.isArray(value)) {
    let isInKey = false;
    return value.map((element: unknown, i) => {
      const isLine = isInKey && typeof element === 'string' && isKeyLine(element);
      isInKey = isLine || (typeof element === 'string' && beginsKey(element));
      const isSecret = isLine || isAnnounced(value[i - 1], element);
      return isSecret ? REDACTED : redactedJson(element, rules, depth + 1);
    });
  }
  const members = Object.entries(value);
  const named = members.flatMap(([key, label]) => secretMembers(key, label) ?? []);
  const names = new Set<string>();
  return Object.fromEntries(
    members.map(([key, member]) => {
      const isSecret = rules.isSecretName(key) || named.some((each) => each.has(key.toLowerCase()));
      const name = redactedKey(key, names, rules);
      return [name, isSecret ? REDACTED : redactedJson(member, rules, depth + 1)];
    }),
  );
}

/** A key may be a secret itself. Two such keys stay two members. */
function redactedKey(key: string, taken: Set<string>, { redactText }: JsonRules): string {
  const safe = redactText(key);
  let name = safe;
  for (let i = 2; taken.has(name); i++) name = `${safe} ${i}`;
  taken.add(name);
  return name;
}

function isAnnounced(before: unknown, element: unknown): boolean {
  if (typeof before !== 'string' || typeof element !== 'string') return false;
  return announcesSecret(before) && !element.startsWith('-');
}

/** Copies a JSON value without its secrets. */

import { REDACTED } from '../text/redacted.js';
import { announcesSecret, isLabelName, isValueName, namesSecret } from './secret-positions.js';

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
    return value.map((element, i) =>
      isAnnounced(value[i - 1], element) ? REDACTED : redactedJson(element, rules, depth + 1),
    );
  }
  const members = Object.entries(value);
  const isLabelled = members.some(([key, label]) => isLabelName(key) && namesSecret(label));
  const names = new Set<string>();
  return Object.fromEntries(
    members.map(([key, member]) => {
      const isSecret = rules.isSecretName(key) || (isLabelled && isValueName(key));
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

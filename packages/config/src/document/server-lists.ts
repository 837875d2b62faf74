/** The lists with which a file of Gemini CLI switches servers on and off: `mcp.allowed` and `mcp.excluded`. */

import { readJson, withElement, withoutElement } from './json-edit.js';
import { isRecord } from './written-entry.js';

const ALLOWED = ['mcp', 'allowed'];
const EXCLUDED = ['mcp', 'excluded'];

/** Whether the lists of a document switch a server off. An empty `mcp.allowed` allows all servers. */
export function isListedOff(document: unknown, key: string): boolean {
  return !isAllowed(document, key) || placesOf(listIn(document, 'excluded'), key).length > 0;
}

/** The text with a server that the lists let run. Creates no list. */
export function withListed(text: string, key: string): string {
  const document = readJson(text);
  const cleared = withoutPlaces(text, EXCLUDED, placesOf(listIn(document, 'excluded'), key));
  return isAllowed(document, key) ? cleared : withElement(cleared, ALLOWED, key);
}

/** The text without the server in `mcp.allowed`. A list with this server alone stays: empty, it would allow all. */
export function withoutListed(text: string, key: string): string {
  const allowed = listIn(readJson(text), 'allowed');
  const places = placesOf(allowed, key);
  return places.length < allowed.length ? withoutPlaces(text, ALLOWED, places) : text;
}

function isAllowed(document: unknown, key: string): boolean {
  const allowed = listIn(document, 'allowed');
  return allowed.length === 0 || placesOf(allowed, key).length > 0;
}

function listIn(document: unknown, name: 'allowed' | 'excluded'): readonly unknown[] {
  const lists = isRecord(document) ? document['mcp'] : undefined;
  const list = isRecord(lists) ? lists[name] : undefined;
  return Array.isArray(list) ? list : [];
}

/** Gemini CLI compares names without regard to case and outer spaces. */
function placesOf(list: readonly unknown[], key: string): number[] {
  const wanted = comparable(key);
  return list.flatMap((name, index) =>
    typeof name === 'string' && comparable(name) === wanted ? index : [],
  );
}

function comparable(name: string): string {
  return name.toLowerCase().trim();
}

function withoutPlaces(text: string, path: readonly string[], places: readonly number[]): string {
  return places.toReversed().reduce((now, index) => withoutElement(now, path, index), text);
}

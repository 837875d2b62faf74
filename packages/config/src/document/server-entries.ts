/** Lists, adds and switches servers in the text of a configuration. */

import { withoutValue, withValue } from './json-edit.js';
import { isListedOff, withListed } from './server-lists.js';
import { isRecord, summaryOf, type WrittenEntry } from './written-entry.js';

/** The keys that most clients, VS Code and Zed use. */
export const ENTRY_SECTIONS = ['mcpServers', 'servers', 'context_servers'] as const;

type Section = (typeof ENTRY_SECTIONS)[number];

/** A server entry and where it is. */
export interface PlacedEntry {
  readonly key: string;
  readonly section: Section;
  readonly entry: WrittenEntry;
  /** Whether the entry, or a list of the file, switches the server off. */
  readonly isOff: boolean;
}

/** The servers as written, in the order of the file. */
export function placedEntries(document: WrittenEntry): PlacedEntry[] {
  return ENTRY_SECTIONS.flatMap((section) => {
    const entries = document[section];
    if (!isRecord(entries)) return [];
    return Object.entries(entries).map(([key, written]) => {
      const entry = isRecord(written) ? written : {};
      const isOff = summaryOf(entry).isOff || isListedOff(document, key);
      return { key, section, entry, isOff };
    });
  });
}

/**
 * The text with a server added or replaced, under the section that the file already uses. No list
 * of the file switches a new server off.
 */
export function withEntry(
  text: string,
  document: WrittenEntry,
  key: string,
  entry: WrittenEntry,
): string {
  const placed = placedEntries(document).find((each) => each.key === key);
  const section = placed?.section ?? ENTRY_SECTIONS.find((each) => isRecord(document[each]));
  const added = withValue(text, [section ?? ENTRY_SECTIONS[0], key], entry);
  return placed ? added : withListed(added, key);
}

/** The text with a server switched on or off. Its entry and all comments stay. */
export function withSwitch(
  text: string,
  { section, key, entry, isOff }: PlacedEntry,
  isOn: boolean,
): string {
  if (isOff !== isOn) return text;
  const path = [section, key];
  const listed = isOn ? withListed(text, key) : text;
  if (summaryOf(entry).isOff !== isOn) return listed;
  const bare = withoutValue(listed, [...path, 'disabled']);
  // Some clients write "enabled". Only one of the two keys may remain, or they could disagree.
  if (Object.hasOwn(entry, 'enabled')) return withValue(bare, [...path, 'enabled'], isOn);
  return isOn ? bare : withValue(text, [...path, 'disabled'], true);
}

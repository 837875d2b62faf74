/** Finds the servers and our settings in a file. Everything else belongs to the client. */

import type { Node } from 'jsonc-parser';

import { didYouMean, memberOf, membersOf, nearestWord } from '@callsign/config';
import type { Member, ProblemLog } from '@callsign/config';
import { ADDRESS_FIELDS } from './server-entry.js';
import { logProblemsBelow, logTwins } from './key-problems.js';

/** The keys of Claude, Cursor and Windsurf; of VS Code; of Zed. */
export const SERVER_SECTIONS: readonly string[] = ['mcpServers', 'servers', 'context_servers'];
const SETTINGS_SECTION = 'callsign';
const SECTIONS = [...SERVER_SECTIONS, SETTINGS_SECTION];

const EXAMPLE = '"mcpServers": {"files": {"command": "npx", "args": ["some-package"]}}';

export interface Sections {
  /** The entries of all servers, in the order of the file. */
  readonly entries: readonly Member[];
  readonly settings: Node | undefined;
}

/** The servers of all sections share one set of keys. */
export function readSections(root: Node, log: ProblemLog): Sections {
  const members = membersOf(root);
  const sections = members.filter(({ key }) => SERVER_SECTIONS.includes(key));
  const entries = sections.flatMap(({ value }) => membersOf(value));
  const settings = memberOf(root, SETTINGS_SECTION)?.value;

  logTwins(
    members.filter(({ key }) => SECTIONS.includes(key)),
    log,
  );
  if (settings) logProblemsBelow(settings, log);
  for (const { value } of sections) {
    if (value.type === 'object') continue;
    log.problem('wrong-type', value, 'must be an object', `write ${EXAMPLE}`);
  }
  if (sections.length === 0) logNoSection(root, log);
  else {
    logSlips(members, SECTIONS, log.warning);
    logAliases(members, log);
    if (entries.length === 0) logNoEntry(sections[0]!.value, log);
  }
  return { entries, settings };
}

/** Aliases beside the servers look right, and have no effect. */
function logAliases(members: readonly Member[], log: ProblemLog): void {
  const aliases = members.find(({ key, value }) => key === 'aliases' && value.type === 'object');
  if (!aliases) return;
  const advice = `move it into "${SETTINGS_SECTION}": {"aliases": {…}}`;
  log.warning('ignored-key', aliases.keyNode, 'has no effect here', advice);
}

/** A file without servers: a misspelled section, or really none. */
function logNoSection(root: Node, log: ProblemLog): void {
  if (root.type !== 'object') {
    log.problem('wrong-type', root, 'the file must contain an object', `write {${EXAMPLE}}`);
  } else if (!logSlips(membersOf(root), SERVER_SECTIONS, log.problem)) {
    log.problem('no-servers', root, 'the file names no servers', adviceFor(root));
  }
}

/** Some clients keep servers under another key, and some pages show entries without any. */
function adviceFor(root: Node): string {
  const nested = memberOf(root, 'mcp')?.value;
  const holders = [root, nested, nested && memberOf(nested, 'servers')?.value];
  const holder = holders.find((each) => each && membersOf(each).some(isEntry));
  if (!holder) return `add ${EXAMPLE}`;
  const key = JSON.stringify(membersOf(holder).find(isEntry)?.key);
  return `put the servers under "mcpServers": {"mcpServers": {${key}: …}}`;
}

function isEntry({ value }: Member): boolean {
  return ADDRESS_FIELDS.some((field) => memberOf(value, field) !== undefined);
}

/** Only a warning: a new configuration has no servers yet. */
function logNoEntry(section: Node, log: ProblemLog): void {
  if (log.hasProblemAt(section)) return;
  const advice = 'to add one: callsign add NAME -- COMMAND';
  log.warning('no-servers', section, 'contains no servers', advice);
}

/** Top-level keys that are probably misspelled. */
function logSlips(
  members: readonly Member[],
  sections: readonly string[],
  report: ProblemLog['problem'],
): boolean {
  const slips = members.filter(
    ({ key }) => !SECTIONS.includes(key) && nearestWord(key, sections) !== undefined,
  );
  for (const { key, keyNode } of slips) {
    report('unknown-key', keyNode, 'is not read', didYouMean(key, sections, EXAMPLE));
  }
  return slips.length > 0;
}

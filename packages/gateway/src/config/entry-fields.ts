/** The fields of a server entry as plain values: variables replaced, numbers turned into text. */

import {
  expandVariables,
  membersOf,
  type Environment,
  type Member,
  type ProblemLog,
  type Secrets,
  type VariableFault,
} from '@callsign/config';
import { snakeCase } from '@callsign/naming';
import type { Node } from 'jsonc-parser';

import { ENTRY_FIELDS } from './server-entry.js';

/** What reading an entry needs. Problems go to `log`, so that all are found at once. */
export interface EntryContext {
  /** The text of the whole file, for values that are passed on as written. */
  readonly text: string;
  readonly environment: Environment;
  /** Default: secrets are not judged. */
  readonly secrets?: Secrets | undefined;
  readonly log: ProblemLog;
  /** Called with each variable and its value. */
  readonly onVariable?: (name: string, value: string) => void;
}

/** Reads only our fields: a missing variable in another client's field must not be reported. */
export function readFields(entry: Node, context: EntryContext): Record<string, unknown> {
  const members = membersOf(entry).filter(({ key }) => ENTRY_FIELDS.includes(key));
  return readMembers(members, context);
}

function readMembers(members: readonly Member[], context: EntryContext): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const { key, value } of members) {
    // Clients treat null as a missing field.
    if (value.type === 'null') continue;
    const isTextMap = key === 'env' || key === 'headers';
    fields[key] = isTextMap ? readTextMap(value, context) : readValue(value, context);
  }
  return fields;
}

function readValue(node: Node, context: EntryContext): unknown {
  if (node.type === 'object') return readMembers(membersOf(node), context);
  if (node.type === 'array') return node.children!.map((child) => readValue(child, context));
  return node.type === 'string' ? expandText(node, context) : node.value;
}

function readTextMap(map: Node, context: EntryContext): unknown {
  if (map.type !== 'object') return readValue(map, context);
  const texts: Record<string, unknown> = {};
  for (const { key, value } of membersOf(map)) {
    if (value.type === 'null') continue;
    const isPlain = value.type === 'number' || value.type === 'boolean';
    texts[key] = isPlain ? asWritten(value, context) : readValue(value, context);
  }
  return texts;
}

/** As written in the file, so that a long number keeps its digits. */
function asWritten(node: Node, { text, log }: EntryContext): string {
  const message = `is a ${node.type} and is passed on as text`;
  log.warning('not-text', node, message, 'put it in double quotes');
  return text.slice(node.offset, node.offset + node.length);
}

/** A text of the settings of a server, whose entry stands at `at`. */
export function expandSetting(
  written: string,
  at: Node,
  { environment, secrets, log, onVariable }: EntryContext,
): string {
  const { text, faults } = expandVariables(written, environment, { onValue: onVariable, secrets });
  for (const fault of faults) logVariableFault(fault, at, log);
  return text;
}

function expandText(node: Node, context: EntryContext): string {
  return expandSetting(node.value as string, node, context);
}

/**
 * Problems with variables. Messages name variables and never quote values, which may be secrets.
 */
function logVariableFault(fault: VariableFault, at: Node, log: ProblemLog): void {
  const { kind, name } = fault;
  if (kind === 'secret') {
    const [, scope, own = ''] = /^(\w+):(.*)$/s.exec(name) ?? [];
    const what = scope === 'file' ? `the file ${own}, which` : `the secret ${own}, which`;
    const advice =
      scope === 'file'
        ? 'put only the secret into it, and let no one else read it: chmod 600'
        : `to store it: callsign secrets set ${own}`;
    log.problem('missing-secret', at, `needs ${what} ${fault.reason}`, advice);
  } else if (kind === 'missing') {
    const message = `needs the environment variable ${name}, which is not set`;
    const advice = `set it, or give a default: "\${${name}:-default}"`;
    log.problem('missing-variable', at, message, advice);
  } else if (kind === 'editor') {
    const message = `needs \${${name}}, which only an editor can fill in`;
    const variable = snakeCase(name.replace(/^.*:/, '')).toUpperCase() || 'VALUE';
    const advice = `put the value into an environment variable and write "\${${variable}}"`;
    log.problem('editor-variable', at, message, advice);
  } else {
    const message = 'contains a "${" that starts no variable';
    const advice = 'write "${NAME}" or "${NAME:-default}"; "$${" keeps it as text';
    log.problem('malformed-variable', at, message, advice);
  }
}

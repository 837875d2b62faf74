/** Selects the fields of an answer: named fields or a preset. */

import { isObject } from '@callsign/core';

import type { Operation, Param } from '../adapter/adapter.js';
import type { Warning } from './envelope.js';
import { ProtocolError } from './protocol-error.js';

const PRESETS = ['minimal', 'standard', 'full'];
const PATH = /^[A-Za-z_][\w-]{0,127}(?:\.[A-Za-z_][\w-]{0,127}){0,31}$/;
const MAX_PATHS = 200;

/** The parameter as introspection shows it. It is a word or a list, and is checked here. */
export const FIELDS_PARAM: Param = {
  name: 'fields',
  type: 'array',
  items: { type: 'string' },
  required: false,
  description: 'Fields to return, as dotted paths; or the word minimal, standard or full.',
};

/** A tree of the keys to keep. `undefined` keeps everything. */
export type Selection = ReadonlyMap<string, Selection | undefined> | undefined;

export function parseFields(given: unknown, operation: Operation): Selection {
  if (given === undefined || given === null) {
    const standard = operation.pagination ? operation.fieldPresets.get('standard') : undefined;
    return treeOf(operation.defaultFields ?? standard);
  }
  const words = typeof given === 'string' ? [given] : given;
  if (!Array.isArray(words) || words.length === 0 || words.length > MAX_PATHS) throw wrong();
  const paths: string[] = [];
  for (const word of words as unknown[]) {
    if (typeof word !== 'string' || !PATH.test(word)) throw wrong();
    if (word === 'full') return undefined;
    const preset = PRESETS.includes(word) ? operation.fieldPresets.get(word) : [word];
    // An undefined preset omits nothing.
    if (preset === undefined) return undefined;
    paths.push(...preset);
  }
  return treeOf(paths);
}

/** Applies the selection to each element of a list, or to the object. Missing fields are omitted. */
export function selectFields(data: unknown, selection: Selection): unknown {
  if (selection === undefined || typeof data !== 'object' || data === null) return data;
  if (Array.isArray(data)) return data.map((element) => selectFields(element, selection));
  return Object.fromEntries(
    Object.entries(data)
      .filter(([key]) => selection.has(key))
      .map(([key, value]) => [key, selectFields(value, selection.get(key))]),
  );
}

/** The warning if the named fields match nothing, or if the adapter does not define the preset. */
export function fieldWarnings(
  given: unknown,
  operation: Operation,
  before: unknown,
  after: unknown,
): Warning[] {
  if (given === undefined || given === null) return [];
  const words = (Array.isArray(given) ? given : [given]) as readonly string[];
  const undefinedPreset = words.find(
    (word) => word !== 'full' && PRESETS.includes(word) && !operation.fieldPresets.has(word),
  );
  if (undefinedPreset !== undefined) {
    const message = `'${operation.name}' has no preset '${undefinedPreset}', so every field came back. Name the fields.`;
    return [{ code: 'FIELDS_UNKNOWN_WARNING', message }];
  }
  const [whole] = Array.isArray(before) ? (before as readonly unknown[]) : [before];
  const [cut] = Array.isArray(after) ? (after as readonly unknown[]) : [after];
  const isEmpty = isObject(whole) && isObject(cut) && Object.keys(cut).length === 0;
  if (!isEmpty || Object.keys(whole).length === 0) return [];
  const keys = Object.keys(whole).slice(0, 20).join(', ');
  const message = `None of these fields is in the answer. It has ${keys}.`;
  return [{ code: 'FIELDS_UNKNOWN_WARNING', message }];
}

function treeOf(paths: readonly string[] | undefined): Selection {
  if (paths === undefined) return undefined;
  const root = new Map<string, Selection | undefined>();
  for (const path of paths) {
    let level = root;
    const keys = path.split('.');
    for (const [i, key] of keys.entries()) {
      const isLast = i === keys.length - 1;
      const inner = level.get(key);
      // A whole field includes its parts.
      if (level.has(key) && inner === undefined) break;
      if (isLast) level.set(key, undefined);
      else {
        const next = (inner ?? new Map()) as Map<string, Selection | undefined>;
        level.set(key, next);
        level = next;
      }
    }
  }
  return root;
}

function wrong(): ProtocolError {
  const message =
    "Parameter 'fields' must be a list of paths such as ['id', 'owner.name'], or 'minimal', 'standard' or 'full'.";
  return new ProtocolError('VALIDATION_INVALID_VALUE', message, { param_name: 'fields' });
}

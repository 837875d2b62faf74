/**
 * Merges a new import into an existing adapter, field by field. A field that still has the imported value
 * follows the source. A field that a person has changed stays.
 */

import { isObject } from '@callsign/core';

import { fingerprint, reviewPrint, type WrittenOperation } from '../../adapter/review.js';
import { isAccepted, TRUST_LEVELS } from '../../adapter/trust.js';
import type { Findings } from '../spec/import-report.js';
import {
  byEndpoint,
  documentFields,
  documentOf,
  operationFields,
  operationOf,
  operationsIn,
  type PlacedOperation,
} from './flat-fields.js';
import {
  type Fields,
  type Fingerprints,
  fingerprints,
  type ImportRecord,
  type RecordedOperation,
} from './import-record.js';
import { SnakeNames } from './snake-names.js';

export interface SourceOperation extends PlacedOperation {
  /** Its key in the source, such as `GET /ships`. */
  readonly source: string;
  readonly pointer: string;
}

/** The adapter that an import would write now. */
export interface Generated {
  readonly document: Readonly<Record<string, unknown>>;
  readonly operations: readonly SourceOperation[];
  /** Keys that the source has, but that were not selected this time. */
  readonly others?: readonly string[];
}

/** The new file and the record for the next merge. */
export interface Merged {
  readonly document: Readonly<Record<string, unknown>>;
  readonly record: ImportRecord;
}

/** `previous` is the current document. `undefined` at the first import. */
export function mergeImport(
  { document, operations, others = [] }: Generated,
  previous: Readonly<Record<string, unknown>> | undefined,
  record: ImportRecord,
  findings: Findings,
): Merged {
  const notChosen = new Set(others);
  const fields = documentFields(document);
  const whole = mergeFields(
    fields,
    documentFields(previous ?? {}),
    record.document,
    previous === undefined,
  );
  note(whole.edited, '#', 'The adapter', findings);

  const there = new Map(operationsIn(previous ?? {}).map((each) => [nameOf(each), each]));
  const recorded = new Set(Array.from(record.operations.values(), ({ name }) => name));
  const merged: MergedOperation[] = [];
  const absent = new Map<string, RecordedOperation>();
  for (const generated of operations) {
    const { source, pointer } = generated;
    const known = record.operations.get(source);
    const now = withoutReview(operationFields(generated));
    const current = currentOf(generated, known, there, recorded);
    const prints = fingerprints(now);
    if (!current && known) {
      absent.set(source, known);
      findings.note('kept', pointer, `${source} was removed by hand and stays removed.`);
    } else if (!current) {
      merged.push({ source, prints, operation: generated, isSettled: false });
    } else {
      there.delete(nameOf(current));
      const before = withoutReview(operationFields(current));
      const { fields: joined, edited } = mergeFields(
        now,
        before,
        known?.fields ?? new Map(),
        false,
      );
      const operation = withReview(operationOf(joined), current, generated);
      const isSettled = nameOf(operation) === nameOf(current);
      merged.push({ source, prints, operation, isSettled });
      note(edited, pointer, `"${nameOf(current)}"`, findings);
    }
  }
  const sources = new Set(merged.map(({ source }) => source));
  for (const [source, known] of record.operations) {
    const left = there.get(known.name);
    if (!left || absent.has(source) || sources.has(source)) continue;
    absent.set(source, known);
    if (notChosen.has(source)) continue;
    const message = `"${known.name}" (${source}) is no longer in the source; it stays in the adapter until you remove it.`;
    findings.note('removed', '#', message);
  }
  const named = withNames(merged, there.keys());
  const all = [...named.map(({ operation }) => operation), ...there.values()];
  const written = named.map(({ source, prints, operation }): [string, RecordedOperation] => {
    return [source, { name: nameOf(operation), fields: prints }];
  });
  const joined = withTrust(documentOf(whole.fields), previous, findings);
  return {
    document: { ...joined, operations: byEndpoint(all) },
    record: { document: fingerprints(fields), operations: new Map([...written, ...absent]) },
  };
}

interface MergedOperation {
  readonly source: string;
  readonly operation: PlacedOperation;
  /** Fingerprints of the current source. */
  readonly prints: Fingerprints;
  /** Whether it keeps its name. */
  readonly isSettled: boolean;
}

interface Joined {
  readonly fields: Fields;
  /** Fields that both the person and the source have changed. */
  readonly edited: readonly string[];
}

function mergeFields(
  generated: Fields,
  previous: Fields,
  recorded: Fingerprints,
  isFirst: boolean,
): Joined {
  if (isFirst) return { fields: generated, edited: [] };
  const fields = new Map<string, unknown>();
  const edited: string[] = [];
  for (const key of new Set([...generated.keys(), ...previous.keys()])) {
    const known = recorded.get(key);
    const there = previous.has(key) ? fingerprint(previous.get(key)) : undefined;
    const now = generated.has(key) ? fingerprint(generated.get(key)) : undefined;
    const isTouched = there !== known;
    const chosen = isTouched ? previous : generated;
    if (chosen.has(key)) fields.set(key, chosen.get(key));
    if (isTouched && known !== undefined && now !== known && now !== there) edited.push(key);
  }
  return { fields, edited };
}

/** The existing operation for this one: by its imported name, else by its mapping. */
function currentOf(
  generated: PlacedOperation,
  known: RecordedOperation | undefined,
  there: ReadonlyMap<string, PlacedOperation>,
  recorded: ReadonlySet<string>,
): PlacedOperation | undefined {
  const target = generated.document['maps_to'];
  const isSame = (each: PlacedOperation): boolean => each.document['maps_to'] === target;
  const named = there.get(known?.name ?? nameOf(generated));
  if (named && (known || isSame(named))) return named;
  // Several operations may map to the same path. Imported ones also have a key in the source.
  return [...there.values()].find((each) => isSame(each) && !recorded.has(nameOf(each)));
}

function note(edited: readonly string[], pointer: string, whose: string, findings: Findings): void {
  if (edited.length === 0) return;
  const message = `${whose} was edited by hand, so changes in the source were not applied to: ${edited.join(', ')}.`;
  findings.note('kept', pointer, message);
}

/** Existing names stay. A new operation with the same name gets another one. */
function withNames(
  operations: readonly MergedOperation[],
  others: Iterable<string>,
): MergedOperation[] {
  const settled = operations.filter(({ isSettled }) => isSettled);
  const names = new SnakeNames([...others, ...settled.map(({ operation }) => nameOf(operation))]);
  return operations.map((each) => {
    if (each.isSettled) return each;
    const { endpoint, document } = each.operation;
    const name = names.take(nameOf(each.operation));
    return { ...each, operation: { endpoint, document: { ...document, name } } };
  });
}

function withoutReview(fields: Fields): Fields {
  return new Map([...fields].filter(([key]) => key !== 'reviewed'));
}

/** Keeps the review if the operation is unchanged, and drops it otherwise. */
function withReview(
  { endpoint, document }: PlacedOperation,
  before: PlacedOperation,
  generated: PlacedOperation,
): PlacedOperation {
  const isSame = printOf({ endpoint, document }) === printOf(before);
  const { reviewed } = (isSame ? before : generated).document;
  return { endpoint, document: reviewed === undefined ? document : { ...document, reviewed } };
}

function printOf({ endpoint, document }: PlacedOperation): string {
  return reviewPrint(document as unknown as WrittenOperation, endpoint);
}

/**
 * Lowers the trust if the target or the credentials have changed: a person must review them again.
 */
function withTrust(
  document: Readonly<Record<string, unknown>>,
  previous: Readonly<Record<string, unknown>> | undefined,
  findings: Findings,
): Readonly<Record<string, unknown>> {
  if (!previous || targetPrint(document) === targetPrint(previous) || !isTrusted(document))
    return document;
  const message =
    'The target or the way to sign in has changed. No credentials are sent until you review it: callsign adapter review FILE';
  findings.note('guess', '#', message);
  return { ...document, trust: { level: 'generated' } };
}

function targetPrint(of: Readonly<Record<string, unknown>>): string {
  return fingerprint([of['target'], of['auth'], of['headers']]);
}

/** An adapter without a level was written by its author, and is trusted. */
function isTrusted({ trust }: Readonly<Record<string, unknown>>): boolean {
  const written = isObject(trust) ? trust['level'] : undefined;
  const level = TRUST_LEVELS.find((each) => each === written);
  return level === undefined || isAccepted(level);
}

function nameOf({ document }: PlacedOperation): string {
  return String(document['name']);
}

/**
 * Parses the text of an adapter's file, and knows the position of each part. YAML, and so also
 * JSON.
 */

import {
  createProblemList,
  pathText,
  type CheckedDocument,
  type Path,
  type ProblemList,
} from '@callsign/config/problems';
import { valueAt } from '@callsign/core';
import {
  type Document,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  visit,
  type YAMLError,
} from 'yaml';

import type { AdapterProblem, AdapterProblemCode } from './adapter-problem.js';

/** Reports at the position of a key or value, or of the nearest parent if it is missing. */
export type Report = (
  code: AdapterProblemCode,
  path: Path,
  message: string,
  advice: string,
) => void;

export interface WrittenDocument extends CheckedDocument {
  readonly value: unknown;
  readonly report: Report;
  readonly reportKey: Report;
  /** In the order of the file. */
  readonly problems: () => readonly AdapterProblem[];
}

type Problems = ProblemList<AdapterProblemCode>;

/** More are not reported: later errors usually follow from the first ones. */
const MAX_SYNTAX_PROBLEMS = 10;
/** A limit on YAML aliases: nested ones could fill the memory. */
const MAX_ALIASES = 100;
/** Keys with a special meaning in JavaScript. */
const RESERVED: ReadonlySet<unknown> = new Set(['__proto__', 'constructor', 'prototype']);

/** Never throws. `value` is `undefined` if the text has syntax errors. */
export function readDocument(text: string, file: string): WrittenDocument {
  const problems: Problems = createProblemList(file, text);
  const reported = new Set<string>();
  const document = parse(text, problems);
  const reportAt =
    (offsetAt: (parsed: Document | undefined, path: Path) => number): Report =>
    (code, path, message, advice) => {
      reported.add(pathText(path));
      problems.add(code, offsetAt(document, path), path, message, advice);
    };
  const value =
    document === undefined || problems.sorted().length > 0
      ? undefined
      : valueOf(document, problems);
  return {
    value,
    valueAt: (path) => valueAt(value, path),
    report: reportAt(offsetOf),
    reportKey: reportAt(keyOffset),
    hasProblemAt: (path) => reported.has(pathText(path)),
    problems: problems.sorted,
  };
}

function parse(text: string, problems: Problems): Document | undefined {
  let document: Document;
  try {
    document = parseDocument(text, { prettyErrors: false, version: '1.2' });
  } catch {
    return tooDeep(problems);
  }
  if (document.errors.some(({ code }) => code === 'RESOURCE_EXHAUSTION')) return tooDeep(problems);
  // The second error on a line follows from the first.
  const byLine = new Map(
    document.errors.toReversed().map((error) => [problems.positionOf(error.pos[0]).line, error]),
  );
  for (const error of [...byLine.values()].toReversed().slice(0, MAX_SYNTAX_PROBLEMS)) {
    const code = error.code === 'DUPLICATE_KEY' ? 'duplicate-key' : 'syntax';
    problems.add(code, error.pos[0], [], ...sentenceFor(error));
  }
  visit(document, {
    Pair(_, { key }) {
      if (!isScalar(key) || !RESERVED.has(key.value)) return;
      const message = `has the key "${String(key.value)}"`;
      problems.add('reserved-key', key.range?.[0] ?? 0, [], message, 'choose another name');
    },
  });
  return document;
}

/** The parser recurses and fails on text that is nested thousands of levels deep. */
function tooDeep(problems: Problems): undefined {
  problems.add('too-deep', 0, [], 'is nested too deeply', 'nest less');
}

function valueOf(document: Document, problems: Problems): unknown {
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch {
    problems.add('syntax', 0, [], 'repeats itself by too many aliases', 'write the parts out');
    return undefined;
  }
}

function sentenceFor({ code, message }: YAMLError): [message: string, advice: string] {
  switch (code) {
    case 'DUPLICATE_KEY':
      return ['has a key twice', 'keep one of the two'];
    case 'TAB_AS_INDENT':
      return ['is indented with a tab', 'indent with spaces'];
    case 'MULTIPLE_DOCS':
      return ['has a second document', 'put each adapter into its own file'];
    case 'BAD_INDENT':
      return [
        'is not indented like the lines around it',
        'give all keys of one object the same indent',
      ];
    default:
      return [
        `is not YAML: ${message}`,
        'check the punctuation; put text with ": " or "#" in quotes',
      ];
  }
}

/** The start of a value, or of the nearest parent if it is missing. */
function offsetOf(document: Document | undefined, path: Path): number {
  for (let length = path.length; length >= 0; length--) {
    const node = nodeAt(document, path.slice(0, length));
    if (node?.range) return node.range[0];
  }
  return 0;
}

function keyOffset(document: Document | undefined, path: Path): number {
  const parent = nodeAt(document, path.slice(0, -1));
  const pair = isMap(parent) ? pairOf(parent.items, path.at(-1)) : undefined;
  const key = pair?.key as Node | undefined;
  return key?.range?.[0] ?? offsetOf(document, path);
}

function nodeAt(document: Document | undefined, path: Path): Node | undefined {
  let node = document?.contents as Node | null | undefined;
  for (const segment of path) {
    if (isSeq(node)) node = node.items[Number(segment)] as Node | undefined;
    else if (isMap(node)) node = pairOf(node.items, segment)?.value as Node | undefined;
    else return undefined;
  }
  return node ?? undefined;
}

function pairOf(pairs: readonly Pair[], key: string | number | undefined): Pair | undefined {
  return pairs.find((pair) => isScalar(pair.key) && String(pair.key.value) === String(key));
}

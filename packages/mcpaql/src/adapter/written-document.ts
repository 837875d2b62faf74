/** The text of an adapter's file as a value that knows where each part of it stood. YAML, which JSON is too. */

import {
  type Document,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  visit,
  type YAMLError,
} from 'yaml';

import { pathText, type Path, type Problem, type ProblemCode } from './problem.js';

/** Says a problem at the place of a key or value; in the nearest thing that is there, if it is missing. */
export type Report = (code: ProblemCode, path: Path, message: string, advice: string) => void;

export interface WrittenDocument {
  readonly value: unknown;
  readonly report: Report;
  /** Like `report`, but at the key instead of its value. */
  readonly reportKey: Report;
  readonly hasProblemAt: (path: Path) => boolean;
  /** In the order of the file. */
  readonly problems: () => readonly Problem[];
}

/** What follows the first few errors is mostly their echo. */
const MAX_SYNTAX_PROBLEMS = 10;
/** Aliases that copy themselves would fill the memory. */
const MAX_ALIASES = 100;
/** Keys that mean something to the language of whoever reads the file. */
const RESERVED: ReadonlySet<unknown> = new Set(['__proto__', 'constructor', 'prototype']);

export function readDocument(text: string, file: string): WrittenDocument {
  const lines = new LineCounter();
  const problems: Problem[] = [];
  const spots = new Set<string>();
  const add = (code: ProblemCode, offset: number, path: Path, words: readonly string[]): void => {
    const { line, col } = lines.linePos(offset);
    const [message = '', advice = ''] = words;
    problems.push({ code, file, line, column: col, path: pathText(path), message, advice });
  };

  const document = parse(text, lines, add);
  const locate =
    (find: (path: Path) => number): Report =>
    (code, path, message, advice) => {
      spots.add(pathText(path));
      add(code, find(path), path, [message, advice]);
    };
  const read = document && problems.length === 0 ? valueOf(document, add) : undefined;
  return {
    value: read,
    report: locate((path) => offsetOf(document, path)),
    reportKey: locate((path) => keyOffset(document, path)),
    hasProblemAt: (path) => spots.has(pathText(path)),
    problems: () => problems.toSorted((a, b) => a.line - b.line || a.column - b.column),
  };
}

type Add = (code: ProblemCode, offset: number, path: Path, words: readonly string[]) => void;

function parse(text: string, lineCounter: LineCounter, add: Add): Document | undefined {
  let document: Document;
  try {
    document = parseDocument(text, { lineCounter, prettyErrors: false, version: '1.2' });
  } catch {
    return tooDeep(add);
  }
  if (document.errors.some(({ code }) => code === 'RESOURCE_EXHAUSTION')) return tooDeep(add);
  // The second error on a line follows from the first.
  const byLine = new Map(
    document.errors.toReversed().map((error) => [lineCounter.linePos(error.pos[0]).line, error]),
  );
  for (const error of [...byLine.values()].toReversed().slice(0, MAX_SYNTAX_PROBLEMS)) {
    add(error.code === 'DUPLICATE_KEY' ? 'duplicate-key' : 'syntax', error.pos[0], [], said(error));
  }
  visit(document, {
    Pair(_, { key }) {
      if (!isScalar(key) || !RESERVED.has(key.value)) return;
      const words = [`has the key "${String(key.value)}"`, 'call it by another name'];
      add('reserved-key', key.range?.[0] ?? 0, [], words);
    },
  });
  return document;
}

/** The parser recurses; text that is nested thousands of levels deep ends it. */
function tooDeep(add: Add): undefined {
  add('too-deep', 0, [], ['is nested too deeply', 'nest less']);
}

function valueOf(document: Document, add: Add): unknown {
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch {
    add('syntax', 0, [], ['repeats itself by too many aliases', 'write the parts out']);
    return undefined;
  }
}

function said({ code, message }: YAMLError): readonly string[] {
  switch (code) {
    case 'DUPLICATE_KEY':
      return ['has a key twice', 'keep one of the two'];
    case 'TAB_AS_INDENT':
      return ['is indented with a tab', 'indent with spaces'];
    case 'MULTIPLE_DOCS':
      return ['holds a second document', 'keep one adapter to a file'];
    case 'BAD_INDENT':
      return ['is not indented like its neighbours', 'give all keys of one object the same indent'];
    default:
      return [
        `is not YAML: ${message}`,
        'check the punctuation; put text with ": " or "#" in quotes',
      ];
  }
}

/** Where a value starts; what is missing is missing where the nearest thing around it starts. */
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

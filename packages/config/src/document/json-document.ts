/** Parses JSON with comments and trailing commas into a tree with positions. */

import {
  createScanner,
  getLocation,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';

import type { ProblemLog } from './problem-log.js';

/** Deeper than any configuration. Checked first, since the parser recurses. */
const MAX_DEPTH = 100;
/** More errors mostly follow from the first ones. */
const MAX_SYNTAX_PROBLEMS = 10;

type Sentence = readonly [message: string, advice: string];

const SENTENCES: Readonly<Record<string, Sentence>> = {
  InvalidSymbol: [
    'this word is not valid JSON',
    'put keys and text in double quotes; only true, false, null and numbers need no quotes',
  ],
  InvalidNumberFormat: ['this is not a number', 'write it in plain digits, or put it in quotes'],
  PropertyNameExpected: ['a property name is expected here', 'write one in double quotes'],
  ColonExpected: ['a colon is missing before this', 'write "key": value'],
  CommaExpected: ['a comma is missing before this', 'put a comma after the previous entry'],
  CloseBraceExpected: ['a closing brace is missing', 'close the object with }'],
  CloseBracketExpected: ['a closing bracket is missing', 'close the list with ]'],
  EndOfFileExpected: ['the document ends before this', 'remove the rest, or a brace before it'],
  UnexpectedEndOfComment: ['a comment is never closed', 'close it with */'],
  UnexpectedEndOfString: ['text is not closed', 'close it with a double quote on the same line'],
  UnexpectedEndOfNumber: ['a number is not complete', 'complete it'],
  InvalidUnicode: ['an escape is not complete', 'write \\u and four hexadecimal digits'],
  InvalidEscapeCharacter: ['a backslash starts no known escape', 'write \\\\ for a backslash'],
  InvalidCharacter: [
    'text contains a control character',
    'write a tab as \\t, a line break as \\n',
  ],
};

/** The parser takes a closing bracket of the wrong kind for another entry and asks for a comma. */
const STILL_OPEN: Readonly<Record<string, Sentence>> = {
  '}': ['a list is still open here', 'close it with ] first'],
  ']': ['an object is still open here', 'close it with } first'],
};

const UNKNOWN_SENTENCE: Sentence = ['this is not JSON', 'check the punctuation'];

/** A table or a key at the start of a line: the file of Codex. */
const TOML = /^(?:\[[\w."-]+\]|[\w-]+ *= *\S)/m;

/** The root of the document. `undefined`: it could not be parsed, and the log has the problems. */
export function parseDocument(text: string, log: ProblemLog): Node | undefined {
  const deep = firstTooDeep(text);
  if (deep !== undefined) {
    const message = `is nested deeper than ${MAX_DEPTH} levels`;
    log.problem('too-deep', { offset: deep, path: [] }, message, 'nest less');
    return undefined;
  }
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  if (errors.length === 0) return root;
  if (root === undefined && isNothing(errors)) {
    const advice = 'write {"mcpServers": {"name": {"command": "npx", "args": ["package"]}}}';
    log.problem('file-empty', { offset: 0, path: [] }, 'the file is empty', advice);
  } else if (root?.type !== 'object' && TOML.test(text)) {
    const advice = 'bring its servers into a configuration: callsign import FILE';
    log.problem('syntax', { offset: 0, path: [] }, 'the file is TOML, not JSON', advice);
  } else logSyntaxProblems(text, errors, log);
  return undefined;
}

/** At most one problem per line: a second one follows from the first. */
function logSyntaxProblems(text: string, errors: readonly ParseError[], log: ProblemLog): void {
  let endOfLine = -1;
  let left = MAX_SYNTAX_PROBLEMS;
  for (const { error, offset } of errors.toSorted((a, b) => a.offset - b.offset)) {
    if (offset < endOfLine) continue;
    if (left-- === 0) return;
    // The parser inserts an empty key where a key is missing.
    const path = getLocation(text, offset).path.filter((segment) => segment !== '');
    log.problem('syntax', { offset, path }, ...sentenceFor(error, text, offset));
    const toEnd = text.slice(offset).search(/[\r\n]/);
    endOfLine = toEnd === -1 ? Infinity : offset + toEnd;
  }
}

function sentenceFor(error: ParseError['error'], text: string, offset: number): Sentence {
  const name = printParseErrorCode(error);
  const character = text.charAt(offset);
  const isMisplaced = name === 'PropertyNameExpected' && Object.hasOwn(CHARACTERS, character);
  if (name === 'ValueExpected' || isMisplaced) return unexpected(text, offset);
  const isWrongCloser = name === 'CommaExpected' && Object.hasOwn(STILL_OPEN, character);
  return (isWrongCloser ? STILL_OPEN[character] : SENTENCES[name]) ?? UNKNOWN_SENTENCE;
}

const CHARACTERS: Readonly<Record<string, string>> = {
  '': 'end of the file',
  ',': 'comma',
  ':': 'colon',
  '}': 'closing brace',
  ']': 'closing bracket',
};

/**
 * The parser reports a missing key and a missing value alike. The text before shows which it is.
 */
function unexpected(text: string, offset: number): Sentence {
  const character = text.charAt(offset);
  const what = CHARACTERS[character] ?? `"${character}"`;
  const isKey = isKeyExpected(text, offset);
  const wanted = isKey ? 'a property name' : 'a value';
  const advice =
    character === ',' ? 'remove the comma' : isKey ? 'write "key": value' : 'write a value';
  return [`unexpected ${what}; expected ${wanted}`, advice];
}

/** Whether a key comes next: directly after `{`, or after a comma in an object. */
function isKeyExpected(text: string, offset: number): boolean {
  const before = text.slice(0, offset);
  const scanner = createScanner(before, true);
  const open: string[] = [];
  let last = '';
  while (scanner.getPosition() < before.length) {
    scanner.scan();
    // Empty where only white space was left.
    last = before.charAt(scanner.getTokenOffset()) || last;
    if (last === '{' || last === '[') open.push(last);
    else if (last === '}' || last === ']') open.pop();
  }
  return (last === '{' || last === ',') && open.at(-1) === '{';
}

/**
 * Whether the text has only white space and comments: then the one error is at the end of the file.
 */
function isNothing([first, ...others]: readonly ParseError[]): boolean {
  return first?.length === 0 && others.length === 0;
}

/** Where the text is nested deeper than `max` levels. */
export function firstTooDeep(text: string, max: number = MAX_DEPTH): number | undefined {
  const scanner = createScanner(text, true);
  let depth = 0;
  while (scanner.getPosition() < text.length) {
    scanner.scan();
    const offset = scanner.getTokenOffset();
    const character = text.charAt(offset);
    if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') depth--;
    if (depth > max) return offset;
  }
  return undefined;
}

/**
 * Judges what an operation does: a tool of an MCP server, or a request of an HTTP API. A pure function of what is known of
 * it. Labels, endpoints and the safety of imports all follow from this one reading.
 */

import type { Effect } from '../hints/endpoints.js';
import type { Evidence } from './evidence.js';
import { isAskedFor, readName, readTitle } from './name.js';
import { type Parameter, parametersOf, readParameters } from './parameters.js';
import { nameWords, readOperationName, readPath } from './request.js';
import { readText, type TextReading } from './text.js';
import { type Certainty, isClearChange, provesRead, verbOf } from './verbs.js';
import { plainText, wordsOf } from './words.js';

/** What is known of an operation. Values are untrusted. */
export interface Operation {
  /** Empty if its author gave none. */
  readonly name: string;
  readonly title?: unknown;
  readonly description?: unknown;
  /** The input schema of a tool. */
  readonly inputSchema?: unknown;
  /** Its parameters, where they are known without a schema. */
  readonly parameters?: readonly Parameter[];
  /** The short text of an HTTP operation. */
  readonly summary?: unknown;
  /** As in `GET /ships/{ship_id}`. */
  readonly http?: { readonly method: string; readonly path: string } | undefined;
}

/** What it likely does, and the words behind it. */
interface Likely {
  /** `undefined`: the words do not say it clearly enough. */
  readonly likely: Effect | undefined;
  readonly certainty: Certainty;
  /** A clause for people: `the name says list, nothing contradicts`. */
  readonly because: string;
}

/** Three strictnesses over one reading. */
export interface Judgement extends Likely {
  /** Every fact that was read, the most telling first. */
  readonly evidence: readonly Evidence[];
  /** The fact that contradicts a claim to only read; `undefined` if none is clear. */
  readonly contradiction: Evidence | undefined;
  /** Whether nothing at all speaks against a read. It proves nothing on its own. */
  readonly isUndisputed: boolean;
  /** Whether it may be sent without a review: a GET or HEAD, something says that it reads, and nothing says otherwise. */
  readonly isProvenRead: boolean;
}

/** What each part of an operation says. */
interface Reading {
  readonly name: readonly Evidence[];
  readonly title: readonly Evidence[];
  readonly texts: readonly TextReading[];
  readonly parameters: readonly Evidence[];
}

export function judge(operation: Operation): Judgement {
  const { name, title, summary, description, inputSchema, parameters, http } = operation;
  const texts = [summary, description].filter((each) => typeof each === 'string');
  const reading: Reading = {
    name: readName(name),
    title: typeof title === 'string' ? readTitle(title) : [],
    texts: texts.map(readText),
    parameters: readParameters(
      parameters ?? parametersOf(inputSchema),
      plainText(texts.join('\n').slice(0, 4000)),
      http?.path,
    ),
  };
  const evidence = http ? strictEvidence(name, http.path, reading) : evidenceOf(reading);
  const isUndisputed = evidence.every(({ effect }) => effect === 'reads');
  const isGet = http?.method === 'GET' || http?.method === 'HEAD';
  return {
    ...(http ? likelyRequest(name, http, reading, evidence) : likelyTool(reading)),
    evidence,
    contradiction: contradictionIn(name, reading),
    isUndisputed,
    isProvenRead: isGet && isUndisputed && evidence.some(({ certainty }) => certainty === 'clear'),
  };
}

function evidenceOf({ name, title, texts, parameters }: Reading): Evidence[] {
  const described = texts.flatMap(({ head, changes }) => (head ? [head, ...changes] : changes));
  return [...name, ...title, ...described, ...parameters];
}

const UNKNOWN: Likely = {
  likely: undefined,
  certainty: 'weak',
  because: 'nothing says what it does',
};

/** The most harmful clear reading counts, so that a later one cannot hide it. Only then a read, or an addition. */
function likelyTool(reading: Reading): Likely {
  const all = evidenceOf(reading);
  const harm = all.find(({ effect, certainty, where }) => {
    return certainty === 'clear' && effect !== 'reads' && effect !== 'adds' && where !== 'title';
  });
  if (harm) return { likely: harm.effect, certainty: 'clear', because: harm.because };
  const changes = all.filter(({ effect, certainty }) => effect !== 'reads' && certainty !== 'weak');
  if (changes.length === 0) return likelyRead(reading);
  const [own] = reading.name;
  const isAddition = all.every(({ effect, certainty }) => {
    if (certainty === 'weak') return effect !== 'reads' && effect !== 'sends';
    return effect === 'adds' && certainty === 'clear';
  });
  if (own?.effect === 'adds' && own.certainty === 'clear' && isAddition) {
    const because = `${own.because}, nothing mentions overwriting`;
    return { likely: 'adds', certainty: 'clear', because };
  }
  const change = changes.find(({ effect }) => effect !== 'adds' && effect !== undefined);
  if (change === undefined || reading.texts.some(({ isReadOnly }) => isReadOnly)) return UNKNOWN;
  return { likely: change.effect, certainty: 'likely', because: change.because };
}

/** A clear read in name or description; or a likely one that the other one does not leave alone. */
function likelyRead({ name, title, texts }: Reading): Likely {
  const heads = texts.flatMap(({ head }) => head ?? []);
  const reads = [...name.slice(0, 1), ...heads].filter(({ effect }) => effect === 'reads');
  // A title repeats the name, so it backs nothing.
  const clear = [...reads, ...title].find(({ certainty }) => certainty === 'clear');
  const likely = reads.find(({ certainty }) => certainty === 'likely');
  // A description that begins with no verb at all leaves the name alone.
  const isNamed =
    texts.length > 0 && heads.length === 0 && texts.every(({ changes }) => changes.length === 0);
  const isBacked = name.length === 0 || reads.length > 1 || isNamed;
  const found = clear ?? (isBacked ? likely : undefined);
  if (found) {
    const because = `${found.because}, nothing contradicts`;
    return { likely: 'reads', certainty: found.certainty, because };
  }
  if (reads.length === 0 || !texts.some(({ isReadOnly }) => isReadOnly)) return UNKNOWN;
  const because = 'the description says read-only, nothing contradicts';
  return { likely: 'reads', certainty: 'likely', because };
}

function isClear({ effect, certainty }: Evidence): boolean {
  return certainty === 'clear' && effect !== 'reads';
}

/** Verbs that do not say what happens: `run_report` may only read. */
const VAGUE =
  /^(?:attach|run|execute|perform|call|invoke|start|build|test|evaluate|trigger|apply|navigate|click|sync|connect|disconnect|write)$/;

/**
 * What contradicts a claim to only read: a clear change that the name, the description or a parameter states. A name that
 * may be a noun does not, if title or description say that it reads.
 */
function contradictionIn(written: string, reading: Reading): Evidence | undefined {
  const { name, title, texts, parameters } = reading;
  const own = name.find((each) => isClear(each) && !VAGUE.test(each.word));
  const heads = texts.flatMap(({ head }) => head ?? []);
  const readsInstead = [...title, ...heads].some(({ effect }) => effect === 'reads');
  const isThing = readsInstead && verbOf(own?.word ?? '')?.isNoun === true;
  if (own && !isThing && !isAskedFor(own, written)) return own;
  // "Creates a report" and "Adds two numbers" may only make the answer.
  const described = [...heads, ...texts.flatMap(({ changes }) => changes)].filter(
    ({ word, effect }) => effect !== 'adds' && !VAGUE.test(word) && verbOf(word)?.isNoun !== true,
  );
  return [...described, ...parameters].find(isClear);
}

/** The evidence of an HTTP operation, as a proof needs it: the read verbs are fewer, and every doubt counts. */
function strictEvidence(name: string, path: string, { texts, parameters }: Reading): Evidence[] {
  const described = texts.flatMap(({ head, isThing, changes, proof }): Evidence[] => {
    const isChange = head && head.effect !== 'reads' && !isThing && !ONLY_ANSWERS.test(head.word);
    return [
      ...(isChange ? [head] : []),
      ...changes.filter(({ word }) => word !== 'download'),
      ...(proof ? [proof] : []),
    ];
  });
  // A name that says nothing is no doubt if a text says what the operation does.
  const isSaid = described.some(({ effect }) => effect === 'reads');
  const named = readOperationName(name, path).filter(({ effect }) => effect || !isSaid);
  return [...named, ...readPath(path, nameWords(name)), ...parameters, ...described];
}

/** Verbs of changes that a GET only does to its answer. */
const ONLY_ANSWERS = /^(?:accept|use|load|type|index|download)$/;

/** What the methods of HTTP do if no word says otherwise. */
const BY_METHOD: Readonly<Record<string, Effect>> = {
  GET: 'reads',
  HEAD: 'reads',
  POST: 'adds',
  PUT: 'changes',
  PATCH: 'changes',
  DELETE: 'destroys',
};

/** By the method and the words: the name first, then the texts, then the path. A change outweighs a read. */
function likelyRequest(
  name: string,
  { method, path }: NonNullable<Operation['http']>,
  { texts }: Reading,
  strict: readonly Evidence[],
): Likely {
  const usual = BY_METHOD[method] ?? 'runs';
  const sure: Likely = { likely: usual, certainty: 'clear', because: method };
  const guess = (effect: Effect | undefined, { word }: Evidence): Likely => {
    return { likely: effect ?? 'runs', certainty: 'likely', because: `${method} and "${word}"` };
  };
  if (usual === 'destroys') return sure;
  const [own] = readName(isEcho(name, method, path) ? '' : name);
  // A GET of an order history orders nothing.
  const heads = texts.flatMap(({ head, isThing }) => {
    return head && !(isThing && usual === 'reads') ? [head] : [];
  });
  const isOwn = own && own.word !== method.toLowerCase();
  const said = [...(isOwn ? [own] : []), ...heads].filter(({ word }) => word !== 'post');
  if (usual === 'reads') {
    const against = strict.filter(({ effect }) => effect !== 'reads');
    const change = against.find(({ effect }) => effect !== undefined) ?? against[0];
    if (change === undefined) return sure;
    // `GET /archive` may be a thing; `GET /reboot` and `GET /ships/{id}/frobnicate` are actions.
    const first = said.find(({ effect, certainty }) => effect !== 'reads' || certainty !== 'weak');
    const isThing = first ? first.effect === 'reads' : !isClearChange(change.word);
    const isRead = against.length < strict.length || change.effect || change.where === 'name';
    const isStated = change.where === 'description' && (change.certainty !== 'weak' || !first);
    if (isThing && isRead && !isStated) return guess('reads', change);
    return guess(first && first.effect !== 'reads' ? first.effect : change.effect, change);
  }
  const inPath = strict.filter(({ where, effect, word }) => {
    return where === 'path' && (effect !== 'reads' || provesRead(word.split(' ')[0]!));
  });
  const deeds = [...said, ...inPath];
  const [first] = deeds;
  if (usual === 'changes') {
    const isUpdate = first?.effect === 'changes' && first.certainty === 'clear';
    const deed = deeds.find(({ effect }) => effect && !/^(?:reads|adds|changes)$/.test(effect));
    return deed && !isUpdate ? guess(deed.effect, deed) : sure;
  }
  if (first === undefined && /\/actions?\/*$/i.test(path))
    return { ...sure, likely: 'runs', certainty: 'likely' };
  if (first === undefined && /\}\/*$/.test(path))
    return { ...sure, likely: 'changes', certainty: 'likely' };
  if (first === undefined) return sure;
  const change = deeds.find(({ effect }) => effect && effect !== 'reads');
  const deed = first.effect === 'reads' ? (change ?? first) : first;
  if (deed.effect === 'adds' && deed.certainty === 'clear') {
    return { ...sure, because: `${method} and "${deed.word}"` };
  }
  // A POST that claims to read, without a usual verb for questions, may do more.
  const isVague = deed.certainty === 'weak' && deed.where !== 'path';
  const isDoubtful =
    isVague ||
    NO_QUESTION.test(deed.word) ||
    (deed.where === 'name' && isUnknownAction(name, strict));
  return guess(isDoubtful && deed.effect === 'reads' ? 'runs' : deed.effect, deed);
}

/** Reads that a POST seldom only asks for: `POST /utils/sort/{collection}` moves what is stored. */
const NO_QUESTION = /^(?:return|sort)$/;

/** The name begins with a word that the path does, and that no table knows: `prewarm_search` for `/search/prewarm`. */
function isUnknownAction(name: string, strict: readonly Evidence[]): boolean {
  const [first] = wordsOf(name);
  const isUnknown = first !== undefined && verbOf(first) === undefined;
  return isUnknown && strict.some(({ where, word }) => where === 'path' && word === first);
}

/** `PostCustomers` says nothing: it repeats the method and the path. */
function isEcho(name: string, method: string, path: string): boolean {
  const words = wordsOf(name);
  const verb = method.toLowerCase();
  if (words[0] !== verb && words.at(-1) !== verb) return false;
  const inPath = new Set(wordsOf(path).map(stem));
  return words.every((word) => {
    return word === verb || inPath.has(stem(word)) || /^(?:by|of|the|id|v\d+)$/.test(word);
  });
}

/** `customers` and `customer` are the same word here. */
function stem(word: string): string {
  return word.replace(/(?:es|s)$/, '');
}

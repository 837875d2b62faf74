/** Reads the effect of a tool from its description, mostly from its first sentence. */

import { verbIn, type Form } from './inflection.js';
import { laterChange, saying, saysOf, secondVerb } from './mentioned-change.js';
import { isCheckIn, isRidding } from './name-reading.js';
import type { Reading } from './reading.js';
import { effectOf } from './verb-effects.js';

/** Characters of a description that are read. */
const MAX_LENGTH = 4000;

/** Openings without information: `This tool allows you to`, `Use this to`. */
const OPENINGS: readonly RegExp[] = [
  /^[^\p{L}[]+/u,
  /^\[[^\]]{0,40}\]\s*/,
  /^\[+/,
  /^[\w .-]{1,30} \| /,
  /^(?:important|note|deprecated|beta|experimental|preview|purpose|summary|description):\s*/,
  /^(?:use|call|invoke) (?:this|it)(?: (?:tool|function|endpoint|command|operation))?(?: (?:when|if) (?:you|the user) (?:need|want|wish|ask)s?)?(?: (?:to|for))\s+/,
  /^(?:this|the|an?|mcp)? ?(?:[\w-]+ )?(?:tool|function|endpoint|operation|command|method)(?: is)?(?: (?:that|which|used|designed|meant|will|can|is))*(?: (?:to|for))?\s+/,
  /^(?:it |which |that )?(?:allows?|lets?|enables?|helps?)(?: (?:you|users?|agents?|clients?|the \w+|an? \w+|llms?))? ?(?:to )?\s*/,
  /^(?:can |will )?(?:be )?used (?:to|for)\s+/,
  /^(?:you can|to|always|first|please)\s+/,
  /^\w+ly\s+/,
];

/**
 * `Performs a web search`, `Run multiple search queries`: here the noun is the verb that counts.
 */
const PERFORMED =
  /^(?:perform|conduct|run|execute|do|make|carry out|issue)(?:s|es|ing)? (?:an? |multiple |several |the )?(?:[\w-]+,? ){0,4}?(search|searches|lookup|lookups)\b|^(?:perform|conduct)(?:s|ing)? (?:[\w-]+,? ){0,4}?(research)\b/;

const TAKEN =
  /^(?:take|capture|grab|get)(?:s|ing)? (?:an? |the )?(?:[\w-]+ ){0,3}(?:screenshot|snapshot)s?\b/;

const ONLY_READS =
  /\b(?:read-?only|(?:does|do|will) not (?:modify|change|write|alter|make (?:any )?changes)|doesn't (?:modify|change)|never (?:modifies|changes|writes)|no side[- ]effects?|without (?:modifying|changing|making any changes))\b/;

/** The promise holds only sometimes, or is about something else. */
const SOMETIMES =
  /^(?:if|when|unless|otherwise)\b|\bnot read-?only|\bread-?only (?:mode|fields?|files?|attributes?|propert\w+)\b/;

/** What a description says. */
export interface DescriptionReading {
  /** The effect that the first words state. */
  readonly head?: Reading;
  /** A change that is mentioned later. */
  readonly change?: Reading;
  /** The description says that the tool changes nothing. */
  readonly isReadOnly: boolean;
}

export function readDescription(description: unknown): DescriptionReading {
  if (typeof description !== 'string') return { isReadOnly: false };
  const text = description.slice(0, MAX_LENGTH).toLowerCase().replaceAll('’', "'");
  const sentences = sentencesOf(text);
  const sentence = afterOpenings(sentences[0] ?? '');
  const head = headOf(sentence);
  const change = secondVerb(sentence, head?.form) ?? laterChange(text, sentences);
  return {
    ...(head ? { head: head.reading } : {}),
    ...(change ? { change } : {}),
    isReadOnly: sentences.some((each) => ONLY_READS.test(each) && !SOMETIMES.test(each)),
  };
}

function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?])\s+|\n+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /\p{L}{2}/u.test(sentence));
}

function afterOpenings(sentence: string): string {
  let rest = sentence;
  for (let round = 0; round < 4; round++) {
    const before = rest;
    for (const opening of OPENINGS) rest = rest.replace(opening, '');
    if (rest === before) break;
  }
  return rest;
}

interface Head {
  readonly reading: Reading;
  readonly form: Form;
}

function headOf(sentence: string): Head | undefined {
  const performed = PERFORMED.exec(sentence);
  if (performed) return { reading: saying('read', performed[1] ?? performed[2]!), form: 'base' };
  if (TAKEN.test(sentence)) return { reading: saying('likely-read', 'screenshot'), form: 'base' };
  const [first = '', second] = sentence.match(/\p{L}+/gu) ?? [];
  const verb = verbIn(first);
  if (verb === undefined) return undefined;
  const { base, form } = verb;
  if (base === 'look' && second === 'up') return { reading: saying('read', 'look up'), form };
  if (isCheckIn(base, second) || isRidding(base, second)) {
    return { reading: saying('change', `${base} ${second}`), form };
  }
  return { reading: saying(saysOf(effectOf(base)!), base), form };
}

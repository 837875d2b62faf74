/**
 * Infers the risk of a tool from its name, title, description and parameters. The result is
 * evidence, not proof.
 */

import type { Risk } from '../hints/risk.js';
import { type DescriptionReading, readDescription } from './description-reading.js';
import { readName, readTitle } from './name-reading.js';
import type { Reading } from './reading.js';
import { readSchema } from './schema-reading.js';

/** Verbs that only compute something from their input. */
const COMPUTED: ReadonlySet<string> = new Set(
  'calculate compute compare analyze estimate summarize measure check explain diff'.split(' '),
);

/** The parts of a tool's definition that are read. */
export interface ToolWords {
  readonly name: string;
  readonly title?: unknown;
  readonly description?: unknown;
  readonly inputSchema?: unknown;
}

/** A risk that the words state, and why. */
export interface Inference {
  readonly risk: Risk;
  /** The words it relies on, as a clause: `the name says list, nothing contradicts`. */
  readonly because: string;
}

/** What each part of a definition says. `undefined`: nothing. */
export interface Voices {
  readonly name: Reading | undefined;
  readonly title: Reading | undefined;
  readonly description: DescriptionReading;
  readonly schema: Reading | undefined;
}

/**
 * The risk, if the words state it clearly. `undefined`: they say nothing, or disagree. Only strong
 * evidence lowers the risk: `read` requires that no word states a change.
 */
export function inferRisk(tool: ToolWords): Inference | undefined {
  const voices = voicesOf(tool);
  // The most harmful reading comes first, so a later one cannot hide it.
  return destructive(voices) ?? read(voices) ?? write(voices);
}

/** Reads each part of a definition on its own. */
export function voicesOf({ name, title, description, inputSchema }: ToolWords): Voices {
  return {
    name: readName(name),
    title: typeof title === 'string' ? readTitle(title) : undefined,
    description: readDescription(description),
    schema: readSchema(inputSchema, description),
  };
}

function destructive({ name, description, schema }: Voices): Inference | undefined {
  const harm = [schema, description.change, name, description.head].find(isDestructive);
  return harm && { risk: 'destructive', because: harm.because };
}

function read(voices: Voices): Inference | undefined {
  const { name, title, description, schema } = voices;
  const { head, change, isReadOnly } = description;
  if (schema || change) return undefined;
  const spoken = [name, title, head].filter((each) => each !== undefined);
  if (spoken.some(isChanging)) return undefined;

  const proof = [name, head].find((each) => each?.says === 'read');
  const isBacked = proof !== name || name?.says !== 'mixed';
  if (proof && isBacked) return { risk: 'read', because: `${proof.because}, nothing contradicts` };
  const likely = [name, head].filter((each) => each?.says === 'likely-read');
  const isComputed = name === undefined && head !== undefined && COMPUTED.has(head.word);
  if (likely.length === 2 || isComputed || (isReadOnly && spoken.length > 0)) {
    const because = likely[0]?.because ?? 'the description says read-only';
    return { risk: 'read', because: `${because}, nothing contradicts` };
  }
  return undefined;
}

function write(voices: Voices): Inference | undefined {
  const { name, title, description, schema } = voices;
  const spoken = [name, title, description.head, description.change];
  const says = spoken.filter((each) => each !== undefined);
  if (name?.says !== 'write' || schema) return undefined;
  if (says.some((each) => each.says !== 'write')) return undefined;
  return { risk: 'write', because: `${name.because}, nothing mentions overwriting` };
}

function isDestructive(reading: Reading | undefined): reading is Reading {
  return reading?.says === 'destructive';
}

function isChanging({ says }: Reading): boolean {
  return says === 'write' || says === 'destructive' || says === 'change';
}

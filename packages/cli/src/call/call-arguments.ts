/** Reads the arguments of a call: words after the name, `--args` or standard input. */

import {
  createProblemLog,
  isRecord,
  nearestWord,
  parseDocument,
  shellWord,
} from '@callsign/config';
import { withMembers } from '@callsign/core';
import type { ParameterData } from '@callsign/gateway/admin';

import { usageFailure } from '../command/failure.js';
import { isJson, typedValue } from './argument-json.js';

export interface WrittenArguments {
  /** `name=value` and `name:=json`. */
  readonly words: readonly string[];
  /** A whole object as JSON text, from `--args` or standard input. */
  readonly whole: string | undefined;
}

/** The arguments as JSON text. Words win over the object. */
export function readArguments(
  { words, whole = '{}' }: WrittenArguments,
  parameters: readonly ParameterData[],
): string {
  if (!isJson(whole) || !isRecord(JSON.parse(whole))) {
    const wanted = 'The arguments must be a JSON object, such as {"path": "notes.txt"}.';
    throw usageFailure([wanted, ...faultIn(whole)].join(' '));
  }
  const members = new Map<string, string>();
  for (const word of words) {
    const { name, json } = readWord(word, parameters);
    const before = members.get(name);
    // A list may be given value by value: tag=a tag=b.
    const isList = before?.startsWith('[') && json.startsWith('[');
    members.set(name, isList ? `${before!.slice(0, -1)},${json.slice(1)}` : json);
  }
  return withMembers(whole, Object.fromEntries(members));
}

/** Where a text that begins like an object goes wrong. */
function faultIn(text: string): string[] {
  if (isJson(text) || !text.trimStart().startsWith('{')) return [];
  const log = createProblemLog('', text);
  parseDocument(text, log);
  const [fault] = log.problems();
  if (!fault) return ['JSON has no comments, and no comma before a closing bracket.'];
  const { line, column, message, advice } = fault;
  return [`Line ${line}, column ${column}: ${message}. To correct it, ${advice}.`];
}

/**
 * Advice for a call that failed: the words that were read as JSON, because the schema has no such parameter, but may have
 * been meant as text.
 */
export function guessAdvice(
  words: readonly string[],
  parameters: readonly ParameterData[],
): string[] {
  return words.flatMap((word) => {
    const [, name = '', text = ''] = /^([^=]*[^=:])=(.*)$/s.exec(word) ?? [];
    const isKnown = parameters.some((parameter) => parameter.name === name);
    if (name === '' || isKnown || !isJson(text)) return [];
    const type = typeof JSON.parse(text);
    if (type !== 'number' && type !== 'boolean') return [];
    const asText = shellWord(`${name}:=${JSON.stringify(text)}`);
    return `"${name}" was sent as a ${type}, because the tool's schema does not name it. To send text: ${asText}`;
  });
}

function readWord(
  word: string,
  parameters: readonly ParameterData[],
): { readonly name: string; readonly json: string } {
  const at = word.indexOf('=');
  if (at < 1) {
    throw usageFailure(`"${word}" is not an argument. Write name=value, or name:=JSON.`);
  }
  const text = word.slice(at + 1);
  if (word[at - 1] === ':') {
    const name = word.slice(0, at - 1);
    if (!isJson(text))
      throw usageFailure(`The text after ${name}:= must be JSON. For text, write ${name}=…`);
    return { name, json: text };
  }
  const name = word.slice(0, at);
  checkName(name, parameters);
  const schema = parameters.find((parameter) => parameter.name === name)?.schema ?? {};
  const typed = typedValue(schema, text);
  if ('wrong' in typed) throw usageFailure(`Parameter "${name}" ${typed.wrong}.`);
  return { name, json: typed.json };
}

/** A tool may accept more than its schema lists, so only a likely typing error is refused. */
function checkName(name: string, parameters: readonly ParameterData[]): void {
  const known = parameters.map((parameter) => parameter.name);
  if (known.includes(name)) return;
  const nearest = nearestWord(name, known);
  if (nearest === undefined) return;
  const advice = `If "${name}" is what you mean: --args '{"${name}": …}'`;
  throw usageFailure(`There is no parameter "${name}". Did you mean: ${nearest}? ${advice}`);
}

/** Required parameters that the arguments do not have. */
export function missingIn(json: string, parameters: readonly ParameterData[]): ParameterData[] {
  const value: unknown = JSON.parse(json);
  return parameters.filter(
    ({ name, isRequired }) => isRequired && isRecord(value) && !Object.hasOwn(value, name),
  );
}

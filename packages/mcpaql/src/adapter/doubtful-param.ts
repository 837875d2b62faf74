/** Finds parameters with which a caller can turn a read into a change: `action=delete`. */

import { voicesOf } from '@callsign/effects';
import { lowerWords } from '@callsign/naming';

import type { ParamDocument, ValueShape } from './adapter-document.js';
import { nameVoice } from './voice.js';

/** Keys of a query or a fragment that name the action: `/#Action=RunInstances`. */
export const ACTION_KEY: RegExp = /^_*(?:action|method|cmd|command|operation|op|x-amz-target)$/i;

const METHOD_OVERRIDE =
  /^(?:_+(?:http[-_]?)?method|_*x[-_](?:http[-_]?)?method(?:[-_]?override)?|_*(?:http[-_]?)?method[-_]?override)$/i;

/** Whether a parameter replaces the method of its request: `_method`, `X-HTTP-Method-Override`. */
export function overridesMethod(wireName: string): boolean {
  return METHOD_OVERRIDE.test(wireName);
}

/** The first parameter that may change something. `path`: the path of an HTTP operation. */
export function doubtfulParam(
  params: Readonly<Record<string, ParamDocument>>,
  path: string,
): string | undefined {
  const found = Object.entries(params).find(([name, param]) => {
    return isDoubtful(param.as ?? name, param, path.toLowerCase());
  });
  return found?.[0];
}

function isDoubtful(wireName: string, param: ParamDocument, path: string): boolean {
  if (overridesMethod(wireName)) return true;
  // The caller chooses the keys, and could choose `_method`.
  if (param.object_style === 'keys') return true;
  const choices = choicesOf(param);
  const values = typeof param.default === 'string' ? [...choices, param.default] : choices;
  // In `/operations/{operation}` it is the name of a thing.
  const key = wireName.toLowerCase();
  if (ACTION_KEY.test(key) && !path.includes(`/${key}s/{${key}}`)) {
    return choices.length === 0 || values.some((value) => nameVoice(value)?.isRead !== true);
  }
  return values.some(namesChange) || isSwitch(wireName, param);
}

/** A flag such as `mark_as_read`, or a text that is run, such as `sql`. */
function isSwitch(wireName: string, { type, description }: ParamDocument): boolean {
  const properties = { [wireName]: { type, description } };
  const reading = voicesOf({ name: '', inputSchema: { properties } }).schema;
  return type === 'boolean' ? reading !== undefined : reading?.says === 'destructive';
}

/** A value with spaces is a text for people, not a choice. */
function namesChange(value: string): boolean {
  const voice = nameVoice(value);
  const isFirst = lowerWords(value)[0] === voice?.word;
  return voice?.isChange === true && voice.isSure && isFirst && !/\s/.test(value);
}

/** The values that it can have, if it lists them. */
function choicesOf({ enum: choices = [], items, one_of = [] }: ValueShape): string[] {
  const own = choices.filter((value) => typeof value === 'string');
  return [...own, ...(items ? choicesOf(items) : []), ...one_of.flatMap(choicesOf)];
}

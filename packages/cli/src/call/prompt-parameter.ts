/** Asks a person for the value of one parameter: a choice, a yes or no, or text. */

import { isRecord } from '@callsign/config';
import type { ParameterData } from '@callsign/gateway/admin';
import { onOneLine, askText, askWhether, askWhich } from '@callsign/terminal';

import { typedValue } from './argument-json.js';

/** The value as JSON text. */
export function promptParameter(parameter: ParameterData): Promise<string> {
  return ask(parameter, false);
}

/** The value as JSON text. `undefined`: the person leaves it out, with Enter. */
export async function promptOptional(parameter: ParameterData): Promise<string | undefined> {
  return (await ask(parameter, true)) || undefined;
}

/** The value as JSON text. Empty: it is left out. Enter alone gives the default of the schema, if it has one. */
async function ask(
  { name, type, description, schema }: ParameterData,
  isOptional: boolean,
): Promise<string> {
  const { type: kind, title, default: preset } = schema;
  const about = description === '' ? type : `${type}: ${description}`;
  const message = onOneLine(typeof title === 'string' ? title : `${name} (${about})`);
  const choices = choicesOf(schema);
  if (choices) {
    const all = isOptional ? [{ value: '', label: 'Leave it out' }, ...choices] : choices;
    const first = all.find(({ value }) => value === JSON.stringify(preset));
    return askWhich(message, all, first?.value);
  }
  if (kind === 'boolean') return String(await askWhether(message, preset !== false));
  const initial = textOf(preset);
  const question = isOptional && initial === '' ? `${message}. Enter leaves it out` : message;
  const wrong = (typed: string): string | undefined => {
    if (isOptional && typed === '') return undefined;
    const value = typedValue(schema, typed);
    return 'wrong' in value ? `It ${value.wrong}.` : undefined;
  };
  const text = await askText(question, wrong, initial);
  if (isOptional && !text) return '';
  const value = typedValue(schema, text);
  return 'json' in value ? value.json : JSON.stringify(text);
}

/** The values that a schema allows, as JSON, with their titles. `undefined`: any. */
function choicesOf({
  enum: values,
  enumNames: names,
  oneOf,
}: ParameterData['schema']): { readonly value: string; readonly label: string }[] | undefined {
  if (Array.isArray(values)) {
    const titles = Array.isArray(names) ? names : [];
    return values.map((value, i) => choice(value, titles[i]));
  }
  const each = Array.isArray(oneOf) ? oneOf : [];
  const isList = each.length > 0 && each.every((one) => isRecord(one) && 'const' in one);
  return isList
    ? each.map((one: Record<string, unknown>) => choice(one['const'], one['title']))
    : undefined;
}

function choice(value: unknown, title: unknown) {
  return { value: JSON.stringify(value), label: onOneLine(String(title ?? value)) };
}

/** A default as a person types it. */
function textOf(preset: unknown): string {
  if (preset === undefined || preset === null) return '';
  return onOneLine(typeof preset === 'object' ? JSON.stringify(preset) : String(preset));
}

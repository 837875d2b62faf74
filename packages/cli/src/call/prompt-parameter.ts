/** Asks a person for the value of one parameter: a choice, a yes or no, or text. */

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

/** The value as JSON text. Empty: it is left out. */
async function ask(
  { name, type, description, schema }: ParameterData,
  isOptional: boolean,
): Promise<string> {
  const { enum: choices, type: kind, title } = schema;
  const about = description === '' ? type : `${type}: ${description}`;
  const message = onOneLine(typeof title === 'string' ? title : `${name} (${about})`);
  if (Array.isArray(choices)) {
    const options = choices.map((each) => ({
      value: JSON.stringify(each),
      label: onOneLine(String(each)),
    }));
    return askWhich(
      message,
      isOptional ? [{ value: '', label: 'Leave it out' }, ...options] : options,
    );
  }
  if (kind === 'boolean') return String(await askWhether(message));
  const text = await askText(isOptional ? `${message}. Enter leaves it out` : message, (typed) => {
    if (isOptional && typed === '') return undefined;
    const value = typedValue(schema, typed);
    return 'wrong' in value ? `It ${value.wrong}.` : undefined;
  });
  if (isOptional && !text) return '';
  const value = typedValue(schema, text);
  return 'json' in value ? value.json : JSON.stringify(text);
}

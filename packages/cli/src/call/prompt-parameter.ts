/** Asks a person for the value of one parameter: a choice, a yes or no, or text. */

import type { ParameterData } from '@callsign/gateway/admin';
import { onOneLine, askText, askWhether, askWhich } from '@callsign/terminal';

import { typedValue } from './argument-json.js';

/** The value as JSON text. */
export async function promptParameter(parameter: ParameterData): Promise<string> {
  const { name, type, description, schema } = parameter;
  const { enum: choices, type: kind, title } = schema;
  const about = description === '' ? type : `${type}: ${description}`;
  const message = onOneLine(typeof title === 'string' ? title : `${name} (${about})`);
  if (Array.isArray(choices)) {
    return askWhich(
      message,
      choices.map((each) => ({ value: JSON.stringify(each), label: onOneLine(String(each)) })),
    );
  }
  if (kind === 'boolean') return String(await askWhether(message));
  const text = await askText(message, (typed) => {
    const value = typedValue(schema, typed);
    return 'wrong' in value ? `It ${value.wrong}.` : undefined;
  });
  const value = typedValue(schema, text);
  return 'json' in value ? value.json : JSON.stringify(text);
}

/** Completions of a template's variable, without values that lead only to hidden resources. */

import { isObject } from '../json/is-object.js';
import { memberText, withMembers } from '../json/json-text.js';
import type { Reply } from '../call/reply.js';

/**
 * `template` is the server's own spelling, `params` are those of the call. `seesUri` gets the
 * template with all known values in it. Unknown variables stay as they are written.
 */
export function seenCompletions(
  reply: Reply,
  template: string,
  params: string,
  seesUri: (uri: string) => boolean,
): Reply {
  const text = reply.ok ? memberText(reply.json, 'completion') : undefined;
  const completion = objectIn(text);
  const { values } = completion;
  if (!Array.isArray(values)) return reply;
  const { name: variable } = objectIn(memberText(params, 'argument'));
  const context = objectIn(memberText(params, 'context'));
  const known = isObject(context['arguments']) ? context['arguments'] : {};
  const seen = values.filter((value) =>
    seesUri(expanded(template, { ...known, [String(variable)]: value })),
  );
  if (seen.length === values.length) return reply;
  // Left out: the server's total would reveal how many values are hidden.
  const { total: _, ...rest } = completion;
  const filtered = JSON.stringify({ ...rest, values: seen });
  return { ok: true, json: withMembers(reply.json, { completion: filtered }) };
}

type Values = Readonly<Record<string, unknown>>;

const EXPRESSION = /\{[+#./;?&]?([^{}]*)\}/g;

/** Puts values into a template without encoding them: rules compare every spelling of a URI. */
function expanded(template: string, values: Values): string {
  return template.replaceAll(EXPRESSION, (expression, names: string) => {
    const variable = names.replace(/(?:\*|:\d+)$/, '');
    const value = Object.hasOwn(values, variable) ? values[variable] : undefined;
    return typeof value === 'string' ? value : expression;
  });
}

function objectIn(json: string | undefined): Values {
  const value: unknown = json === undefined ? undefined : JSON.parse(json);
  return isObject(value) ? value : {};
}

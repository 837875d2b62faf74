/** The parameters of an operation, as the judge reads them. */

import type { Parameter } from '@callsign/effects';

import type { ParamDocument, ValueShape } from './adapter-document.js';

export function requestParams(params: Readonly<Record<string, ParamDocument>>): Parameter[] {
  return Object.entries(params).map(([name, param]) => {
    const choices = choicesOf(param);
    const standard = typeof param.default === 'string' ? [param.default] : [];
    return {
      name: param.as ?? name,
      place: param.in,
      type: param.type,
      description: param.description,
      values: [...choices, ...standard],
      isListed: choices.length > 0,
      // The caller could choose `_method`.
      hasFreeKeys: param.object_style === 'keys',
    };
  });
}

/** The values that it can have, if it lists them. */
function choicesOf(shape: ValueShape): string[] {
  const { enum: choices = [], items, prefix_items = [], one_of = [] } = shape;
  const own = choices.filter((value) => typeof value === 'string');
  return [...own, ...[...(items ? [items] : []), ...prefix_items, ...one_of].flatMap(choicesOf)];
}

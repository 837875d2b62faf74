/** Reads the parameters of a tool from its input schema. */

import { memberOf } from '@callsign/core';

import type { ParamDocument } from '../../adapter/adapter-document.js';
import { SnakeNames } from '../imported/snake-names.js';
import { Findings } from '../spec/import-report.js';
import { ShapeReader } from '../spec/shape-reader.js';
import { SpecReader } from '../spec/spec-reader.js';

/** `pointer` is the position of the schema in the tool list. */
export function readToolParams(
  schema: unknown,
  pointer: string,
  findings: Findings,
): Readonly<Record<string, ParamDocument>> {
  // References in a schema are relative to the schema, so it is read as a separate document.
  const own = new Findings();
  const reader = new SpecReader(schema, own, { url: '', documents: new Map() });
  const { properties = {}, additional_properties } = new ShapeReader(reader).read(reader.root);
  const names = new SnakeNames();
  const params = Object.entries(properties).flatMap(
    ([key, property]): [string, ParamDocument][] => {
      // oxlint-disable-next-line no-control-regex -- what an adapter's file may not hold
      if (!/^[^\s\u0000-\u001f]+$/.test(key)) {
        own.note(
          'left-out',
          '#/properties',
          `The parameter "${key.slice(0, 80)}" was left out: its name has spaces.`,
        );
        return [];
      }
      const name = names.take(key);
      return [[name, name === key ? property : { ...property, as: key }]];
    },
  );
  if (additional_properties === true && memberOf(schema, 'additionalProperties') !== undefined) {
    own.note(
      'left-out',
      '#',
      'It accepts parameters of any name; only the named ones were imported.',
    );
  }
  for (const found of own.all()) {
    findings.note(found.kind, `${pointer}${found.pointer.slice(1)}`, found.message);
  }
  return Object.fromEntries(params);
}

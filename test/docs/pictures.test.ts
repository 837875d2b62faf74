/** The pictures of docs/pictures show what the code does. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { labelTool, reasonFor } from '@callsign/effects';
import { describe, expect, it } from 'vitest';

import { ROOT } from '../architecture/tree.js';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
/** The texts of a picture with a class, in their order. */
const textsOf = (picture: string, name: string) =>
  [
    ...read(`docs/pictures/${picture}.svg`).matchAll(/<text class="([^"]*)"[^>]*>(.*?)<\/text>/g),
  ].flatMap(([, classes, text]) =>
    classes!.split(' ').includes(name) ? text!.replaceAll(/<[^>]*>/g, '') : [],
  );

describe('the picture of the path of a call', () => {
  // test/docs/architecture.test.ts compares this page with a gateway.
  const page = read('ARCHITECTURE.md');

  it('has every module, in its order', () => {
    const [order] = /^trace → .*$/m.exec(page)!;
    expect(textsOf('path-of-a-call', 'module')).toEqual(order.split(' → '));
  });

  it('marks the modules of the default configuration', () => {
    const [, list = ''] = /The default configuration has \w+ of them: (.+)\./.exec(page)!;
    const marked = textsOf('path-of-a-call', 'default');
    expect(marked.map((name) => `\`${name}\``).join(', ')).toBe(list);
  });
});

describe('the picture of a label and its evidence', () => {
  const TOOLS = [
    { name: 'create_issue', annotations: { readOnlyHint: false, destructiveHint: false } },
    { name: 'list_notes' },
    { name: 'delete_note', annotations: { readOnlyHint: true } },
  ];

  it('shows the labels of its tools, and why they have them', () => {
    const labels = TOOLS.map((tool) =>
      labelTool({ ...tool, inputSchema: { type: 'object', properties: {} } }),
    );
    const shown = (name: string) => textsOf('label-and-evidence', name);
    expect(shown('code')).toEqual(TOOLS.map(({ name }) => name));
    expect(shown('risk')).toEqual(labels.map(({ risk }) => risk));
    expect(shown('reason')).toEqual(labels.map((label) => reasonFor(label)));
  });
});

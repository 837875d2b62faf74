import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { LintedTool } from './rule.js';
import { textsOf } from './tool-texts.js';

const lines = (tool: LintedTool) => textsOf(tool).texts.map(({ path, text }) => `${path}: ${text}`);

describe('the texts of a tool', () => {
  it('are its titles, its description and every string of its schemas, in their order', () => {
    const tool = {
      name: 'tool',
      title: 'a',
      description: 'b',
      annotations: { title: 'c', readOnlyHint: true },
      inputSchema: {
        properties: { p: { description: 'd', enum: ['e', 1], default: 'f', examples: [['g']] } },
      },
      outputSchema: { $comment: 'h' },
    };
    expect(lines(tool).filter((line) => !line.includes(' key: '))).toEqual([
      'title: a',
      'description: b',
      'annotations.title: c',
      'inputSchema.properties.p.description: d',
      'inputSchema.properties.p.enum[0]: e',
      'inputSchema.properties.p.default: f',
      'inputSchema.properties.p.examples[0][0]: g',
      'outputSchema.$comment: h',
    ]);
  });

  it('are the names of properties as well', () => {
    expect(lines({ name: 'tool', inputSchema: { properties: { path: {} } } })).toEqual([
      'inputSchema key: properties',
      'inputSchema.properties key: path',
    ]);
  });

  it('have places in visible characters and of bounded length', () => {
    const keys = ['a b', 'c\u202E', '"', 'd'.repeat(1000)];
    const inputSchema = Object.fromEntries(keys.map((key) => [key, 'x']));
    const { texts } = textsOf({ name: 'tool', inputSchema });
    const paths = texts.map(({ path }) => path).filter((path) => !path.endsWith(' key'));
    expect(paths).toEqual([
      'inputSchema["a b"]',
      'inputSchema["c\\u{202e}"]',
      'inputSchema["\\""]',
      `inputSchema["${'d'.repeat(64)}"]`,
    ]);
  });

  it('are read to a limited depth, and the first place beyond it is named', () => {
    const nested = (depth: number): unknown => (depth === 0 ? 'end' : [nested(depth - 1)]);
    expect(lines({ name: 'tool', inputSchema: nested(64) })).toHaveLength(1);
    expect(textsOf({ name: 'tool', inputSchema: nested(64) })).not.toHaveProperty('unread');
    expect(textsOf({ name: 'tool', inputSchema: nested(65) })).toEqual({
      texts: [],
      unread: `inputSchema${'[0]'.repeat(64)}`,
    });
  });

  it('are read up to a limited number, and the first place beyond it is named', () => {
    const inputSchema = { first: Array.from({ length: 10_001 }, () => 'x'), second: ['y'] };
    expect(textsOf({ name: 'tool', inputSchema }).unread).toBe('inputSchema.second');
  });

  it('are bounded for an endless value', () => {
    const wheel: unknown[] = [];
    wheel.push(...Array.from({ length: 1000 }, () => wheel));
    expect(textsOf({ name: 'tool', inputSchema: wheel })).toHaveProperty('unread');
  });

  it('are found in any value', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (inputSchema, annotations) => {
        for (const { path } of textsOf({ name: 'tool', inputSchema, annotations }).texts) {
          expect(path).toMatch(/^[ -~]+$/);
        }
      }),
    );
  });
});

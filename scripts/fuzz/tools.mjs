// Hostile tool definitions from a server. Every listed tool must be valid JSON, have a unique name
// and be found by it.
import { hub, NOTHING, view } from '@callsign/core';
import { CANONICAL, PROFILES } from '@callsign/naming';
import fc from 'fast-check';

import { soon } from './problems.mjs';
import { oddText, reshaped } from './texts.mjs';

const TOOL = {
  name: 'read_file',
  title: 'Read',
  description: 'Reads a file and returns its text.',
  inputSchema: {
    type: 'object',
    properties: { path: { type: 'string', description: 'Where' } },
    required: ['path'],
  },
  outputSchema: { type: 'object' },
  annotations: {
    title: 'Read',
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  _meta: { a: 1 },
};
const RISKS = ['read', 'write', 'destructive'];

const tool = fc
  .tuple(
    reshaped(TOOL),
    oddText.filter((name) => name.isWellFormed()),
  )
  .map(([value, name]) => ({ ...value, name }));
const profiles = [CANONICAL, ...PROFILES.values()];

function sourceOf(tools) {
  const items = [
    ...new Map(
      tools.map((each) => [each.name, { name: each.name, json: JSON.stringify(each) }]),
    ).values(),
  ];
  return {
    offer: { ...NOTHING, tool: items },
    route: (kind, name) => {
      const item = kind === 'tool' ? items.find((each) => each.name === name) : undefined;
      return item && { item, send: async () => ({ ok: true, json: '{}' }) };
    },
    subscribe: () => () => undefined,
    tell: () => undefined,
  };
}

function check(tools) {
  const whole = hub({ s: sourceOf(tools) });
  for (const entries of whole.byServer('tool')) {
    for (const entry of entries)
      if (!RISKS.includes(entry.risk)) throw new Error(`risk ${entry.risk}`);
  }
  for (const profile of profiles) {
    const seen = view(whole, { profile });
    const names = seen.offer.tool.map(({ name, json }) => {
      if (JSON.parse(json).name !== name) throw new Error('a definition under another name');
      if (seen.route('tool', name) === undefined)
        throw new Error(`"${name}" is listed but not found`);
      return name;
    });
    if (new Set(names).size !== names.length) throw new Error('two tools under one name');
  }
}

export const TOOL_TARGETS = [
  {
    name: 'tools',
    input: fc.array(tool, { maxLength: 4 }),
    check: (tools) => soon(() => check(tools)),
  },
];

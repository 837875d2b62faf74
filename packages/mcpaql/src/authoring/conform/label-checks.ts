/** Checks names and labels of a server's tools. */

import { ENDPOINT_TITLES, endpointHints } from '@callsign/effects';

import type { Check } from './check.js';
import type { CheckedServer, EndpointTool } from './checked-server.js';

type Judge = (tool: EndpointTool) => string | undefined;

interface Rule {
  readonly id: string;
  readonly says: string;
  readonly level: Check['level'];
  readonly judge: Judge;
}

const RULES: readonly Rule[] = [
  {
    id: 'name-scoped',
    says: 'Tool names contain the adapter: {adapter}_mcpaql_{endpoint}.',
    level: 'should',
    judge: ({ form }) => (form === 'scoped' ? undefined : `the name is ${form}`),
  },
  {
    id: 'name-legal',
    says: 'Tool names are 1 to 64 letters, digits, _ and -.',
    level: 'must',
    judge: ({ name }) =>
      /^[A-Za-z0-9_-]{1,64}$/.test(name) ? undefined : 'some clients refuse it',
  },
  {
    id: 'title',
    says: 'The title is "{Display Name} — {Endpoint}", in title and in annotations.title.',
    level: 'must',
    judge: ({ title, annotations, endpoint }) => {
      const shown = annotations?.['title'];
      if (shown === undefined) return 'annotations.title is missing';
      if (title !== shown)
        return `title is ${JSON.stringify(title)}, annotations.title is ${JSON.stringify(shown)}`;
      const end = ` — ${ENDPOINT_TITLES[endpoint]}`;
      return String(shown).endsWith(end) ? undefined : `it does not end in "${end}"`;
    },
  },
  {
    id: 'hint-read-only',
    says: 'readOnlyHint is true for READ and false for the others.',
    level: 'must',
    judge: hintJudge('readOnlyHint'),
  },
  {
    id: 'hint-destructive',
    says: 'destructiveHint is true for DELETE and EXECUTE and false for CREATE and READ.',
    level: 'must',
    judge: (tool) =>
      tool.endpoint === 'update'
        ? stated(tool, 'destructiveHint')
        : hintJudge('destructiveHint')(tool),
  },
  {
    id: 'hint-idempotent',
    says: 'idempotentHint is true for READ and false for CREATE and EXECUTE.',
    level: 'should',
    judge: (tool) =>
      tool.endpoint === 'update' || tool.endpoint === 'delete'
        ? stated(tool, 'idempotentHint')
        : hintJudge('idempotentHint')(tool),
  },
  {
    id: 'hint-open-world',
    says: 'openWorldHint is stated.',
    level: 'should',
    judge: (tool) => stated(tool, 'openWorldHint'),
  },
  {
    id: 'description',
    says: 'Every description says how to introspect.',
    level: 'must',
    judge: ({ description = '' }) =>
      description.includes('introspect') ? undefined : 'it does not mention introspect',
  },
];

export function labelChecks({ tools, read }: CheckedServer): Check[] {
  const found: Check = {
    id: 'read-tool',
    says: 'There is a READ tool.',
    level: 'must',
    ...(read
      ? { outcome: 'passed' }
      : { outcome: 'failed', detail: 'no tool is named …mcpaql_read' }),
  };
  return [found, ...RULES.map((rule) => check(rule, tools))];
}

function check({ id, says, level, judge }: Rule, tools: readonly EndpointTool[]): Check {
  if (tools.length === 0) return { id, says, level, outcome: 'skipped' };
  const faults = tools.flatMap((tool) => {
    const fault = judge(tool);
    return fault === undefined ? [] : `${tool.name}: ${fault}`;
  });
  if (faults.length === 0) return { id, says, level, outcome: 'passed' };
  return { id, says, level, outcome: 'failed', detail: faults.join('; ') };
}

function hintJudge(hint: 'readOnlyHint' | 'destructiveHint' | 'idempotentHint'): Judge {
  return ({ endpoint, annotations }) => {
    const expected = endpointHints(endpoint, { openWorld: true })[hint];
    const actual = annotations?.[hint];
    return actual === expected
      ? undefined
      : `${hint} is ${String(actual)}, not ${String(expected)}`;
  };
}

function stated({ annotations }: EndpointTool, hint: string): string | undefined {
  return typeof annotations?.[hint] === 'boolean' ? undefined : `${hint} is not stated`;
}

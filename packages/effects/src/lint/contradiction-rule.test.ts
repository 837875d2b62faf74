import { describe, expect, it } from 'vitest';

import { lintAnnotations } from './lint-annotations.js';
import type { LintedTool } from './rule.js';

function found(tool: LintedTool): string[] {
  return lintAnnotations([tool])
    .filter(({ rule }) => rule === 'claim-against-words')
    .map(({ severity, message }) => `${severity}: ${message}`);
}

const reads = { readOnlyHint: true };
const runsSql = {
  name: 'run_sql',
  description: 'Run a statement.',
  inputSchema: { type: 'object', properties: { sql: { type: 'string' } } },
};

describe('claim-against-words', () => {
  it('warns of a claim that the parameters contradict', () => {
    expect(found({ ...runsSql, annotations: reads })).toEqual([
      'warning: States readOnlyHint: true, but the parameter sql is run.',
    ]);
  });

  it('is silent where the claim is right, missing or cautious', () => {
    expect(found(runsSql)).toEqual([]);
    expect(found({ ...runsSql, annotations: { readOnlyHint: false } })).toEqual([]);
    expect(
      found({ ...runsSql, description: 'Run a read-only query.', annotations: reads }),
    ).toEqual([]);
    expect(found({ name: 'list_users', annotations: reads })).toEqual([]);
  });

  it('reports nothing that another rule reports as an error', () => {
    expect(found({ name: 'delete_user', annotations: reads })).toEqual([]);
    expect(found({ name: 'x', annotations: { ...reads, destructiveHint: true } })).toEqual([]);
  });
});

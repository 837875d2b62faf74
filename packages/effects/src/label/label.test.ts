import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { shows } from '../../../../test/requirements/shows.js';
import { type LabelHints, VOICES } from '../hints/evidence.js';
import { HINTS, SPEC_DEFAULTS, type StatedHints } from '../hints/hints.js';
import { explain } from './explain.js';
import { type Label, type LabelledTool, labelTool } from './label.js';
import { isProvenRead, mayRetry, RISKS } from '../hints/risk.js';
import { everyStatement } from '../testing/statements.js';
import { TRUSTS } from '../hints/trust.js';

const STATEMENTS = everyStatement();

/** Names that read, write, destroy, and say nothing. */
const NAMES = ['list_users', 'create_issue', 'delete_all', 'execute_sql', 'thing'];

function valuesOf(hints: LabelHints): Record<string, boolean> {
  return Object.fromEntries(HINTS.map((hint) => [hint, hints[hint].value]));
}

/** Whether the server states the risk. */
function statesRisk({ readOnlyHint, destructiveHint }: StatedHints): boolean {
  return readOnlyHint !== undefined || destructiveHint !== undefined;
}

function voicesOf(tool: LabelledTool): string[] {
  const { hints } = labelTool(tool);
  return HINTS.map((hint) => hints[hint].evidence.by);
}

function isNoSafer(label: Label, than: Label): boolean {
  return RISKS.indexOf(label.risk) >= RISKS.indexOf(than.risk);
}

describe('the label of a tool', () => {
  it('falls back to the specification where no source says anything', () => {
    expect(valuesOf(labelTool({ name: 'thing' }).hints)).toEqual(SPEC_DEFAULTS);
    expect(voicesOf({ name: 'thing' })).toEqual(['default', 'default', 'default', 'default']);
  });

  it('asks you, then the server, then your assumption, then the specification', () => {
    const tool: LabelledTool = {
      name: 'thing',
      override: { readOnlyHint: true },
      annotations: { readOnlyHint: false, destructiveHint: false },
      assumed: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    };
    expect(labelTool(tool).hints).toEqual({
      readOnlyHint: { value: true, evidence: { by: 'you', how: 'override' } },
      destructiveHint: { value: false, evidence: { by: 'server' } },
      idempotentHint: { value: true, evidence: { by: 'assumed' } },
      openWorldHint: { value: true, evidence: { by: 'default' } },
    });
  });

  it('puts an accepted review after an override and before the server', () => {
    const accepted = { readOnlyHint: true, destructiveHint: false };
    const annotations = { readOnlyHint: false, destructiveHint: true };
    const override = { destructiveHint: true };
    const { hints } = labelTool({ name: 'thing', accepted, annotations, override });
    expect(hints.readOnlyHint).toEqual({ value: true, evidence: { by: 'you', how: 'accepted' } });
    expect(hints.destructiveHint).toEqual({
      value: true,
      evidence: { by: 'you', how: 'override' },
    });
  });

  it('never uses a source that is weaker than another that has a value', () => {
    for (const name of NAMES) {
      for (const override of [undefined, { readOnlyHint: true }]) {
        for (const assumed of [undefined, { readOnlyHint: false }]) {
          for (const annotations of STATEMENTS) {
            const tool = { name, override, assumed, annotations };
            const [by] = voicesOf(tool) as [(typeof VOICES)[number]];
            const speaks = {
              you: override !== undefined,
              server: annotations.readOnlyHint !== undefined,
              observed: false,
              assumed: assumed !== undefined,
              words: false,
              default: true,
            };
            const first = VOICES.findLast((voice) => speaks[voice])!;
            // Words count against a claim, or where all other sources are silent.
            if (by !== 'words') expect(by).toBe(first);
            else expect(['server', 'default']).toContain(first);
          }
        }
      }
    }
  });

  it(
    'ignores a claim that is not a boolean',
    shows('ANN-06', () => {
      const annotations = {
        readOnlyHint: 'true',
        destructiveHint: 0,
        idempotentHint: null,
        openWorldHint: [],
      };
      expect(labelTool({ name: 'thing', annotations })).toEqual(labelTool({ name: 'thing' }));
    }),
  );

  it(
    'is destructive for a tool without any hint and without any clear word',
    shows('ANN-09', () => {
      for (const trust of TRUSTS) {
        expect(labelTool({ name: 'thing', annotations: {}, trust }).risk).toBe('destructive');
      }
    }),
  );

  it('is found for any value', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.anything(),
        fc.anything(),
        fc.anything(),
        fc.anything(),
        fc.constantFrom(...TRUSTS),
        (name, title, description, inputSchema, annotations, trust) => {
          const label = labelTool({ name, title, description, inputSchema, annotations, trust });
          expect(RISKS).toContain(label.risk);
          expect(Object.keys(label.hints)).toEqual([...HINTS]);
        },
      ),
    );
  });
});

describe('with trust "checked", which is the default', () => {
  it('a claim that nothing contradicts counts (D1, N2)', () => {
    const echo = { name: 'echo', annotations: { readOnlyHint: true } };
    expect(labelTool(echo).risk).toBe('read');
    expect(labelTool(echo)).toEqual(labelTool({ ...echo, trust: 'checked' }));
    const graph = { name: 'read_graph', annotations: { readOnlyHint: true } };
    expect(labelTool(graph).hints.readOnlyHint.evidence).toEqual({ by: 'server' });
  });

  it('a claim to only read, against the name, takes the riskier reading and is marked', () => {
    const lie = { name: 'delete_all_files', annotations: { readOnlyHint: true } };
    const label = labelTool(lie);
    expect(label.risk).toBe('destructive');
    expect(label.contradiction).toEqual({
      hint: 'readOnlyHint',
      claim: true,
      because: 'the name says delete',
    });
    expect(label.hints.readOnlyHint).toEqual({
      value: false,
      evidence: {
        by: 'words',
        because: 'the name says delete',
        disbelieved: { claim: true, because: 'the name says delete' },
      },
    });
  });

  it('a claim to destroy nothing is checked against removals, and not against updates', () => {
    const annotations = { readOnlyHint: false, destructiveHint: false };
    expect(labelTool({ name: 'drop_table', annotations }).contradiction?.hint).toBe(
      'destructiveHint',
    );
    expect(labelTool({ name: 'drop_table', annotations }).risk).toBe('destructive');
    expect(labelTool({ name: 'update_issue', annotations })).toMatchObject({ risk: 'write' });
    expect(labelTool({ name: 'update_issue', annotations }).contradiction).toBeUndefined();
    expect(labelTool({ name: 'remove_label', annotations }).contradiction).toBeUndefined();
  });

  it('a claim to only read is contradicted if a parameter offers a change', () => {
    const of = (options: readonly string[], annotations: object) => {
      const inputSchema = { properties: { operation: { type: 'string', enum: options } } };
      const description = 'Manage contexts - list, get, or set the current context';
      return labelTool({ name: 'kubectl_context', description, inputSchema, annotations });
    };
    const reads = { readOnlyHint: true };
    expect(of(['list', 'get', 'set'], reads)).toMatchObject({
      risk: 'destructive',
      contradiction: { hint: 'readOnlyHint', because: 'the parameter operation can be set' },
    });
    expect(of(['list', 'get', 'export', 'open'], reads).risk).toBe('read');
    const adds = { readOnlyHint: false, destructiveHint: false };
    expect(of(['list', 'create'], adds).risk).toBe('write');
    expect(of(['create', 'delete'], adds).risk).toBe('destructive');
  });

  it('a claim to only read is contradicted if the tool runs its input', () => {
    const inputSchema = { properties: { sql: { type: 'string' } } };
    const annotations = { readOnlyHint: true };
    const description = 'Execute a statement.';
    const label = labelTool({ name: 'execute_sql', description, inputSchema, annotations });
    expect(label.contradiction?.because).toBe('the parameter sql is run');
    const careful = 'Execute a read-only SQL statement.';
    expect(
      labelTool({ name: 'execute_sql', description: careful, inputSchema, annotations }).risk,
    ).toBe('read');
  });

  it.each([
    ['run_report', 'Run a report.'],
    ['create_report', 'Creates a report from the data.'],
    ['update_history', 'History of updates.'],
    ['list_delete_markers', 'Lists the markers.'],
    ['get_deleted_items', 'Gets items.'],
    ['remove_background', 'Returns the image without its background.'],
    ['click_stats', 'Statistics.'],
    ['calculate', 'Adds numbers.'],
    ['add', 'Adds two numbers.'],
  ])(
    'the claim of %s to only read is believed: one word is no contradiction',
    (name, description) => {
      const label = labelTool({ name, description, annotations: { readOnlyHint: true } });
      expect(label.risk).toBe('read');
      expect(label.contradiction).toBeUndefined();
    },
  );

  it('two claims that cannot both be true are a contradiction', () => {
    const annotations = { readOnlyHint: true, destructiveHint: true };
    const label = labelTool({ name: 'thing', annotations });
    expect(label.risk).toBe('destructive');
    expect(label.contradiction?.because).toBe('destructiveHint is true as well');
  });

  it('the operator’s word settles a contradiction', () => {
    const annotations = { readOnlyHint: true };
    const label = labelTool({
      name: 'delete_all',
      annotations,
      override: { readOnlyHint: true, destructiveHint: false },
    });
    expect(label.risk).toBe('read');
    expect(label.contradiction).toBeUndefined();
  });

  it('is never safer than what the claim alone says', () => {
    for (const name of NAMES) {
      for (const annotations of STATEMENTS) {
        if (HINTS.every((hint) => annotations[hint] === undefined)) continue;
        const checked = labelTool({ name, annotations });
        expect(isNoSafer(checked, labelTool({ name, annotations, trust: 'full' }))).toBe(true);
      }
    }
  });
});

describe('with trust "full"', () => {
  it('the label is the claim, under any name', () => {
    for (const name of NAMES) {
      for (const annotations of STATEMENTS) {
        const { hints } = labelTool({ name, annotations, trust: 'full' });
        for (const hint of HINTS) {
          const claimed = annotations[hint];
          if (claimed === undefined) continue;
          expect(hints[hint]).toEqual({ value: claimed, evidence: { by: 'server' } });
        }
      }
    }
  });
});

describe('with trust "none"', () => {
  it(
    'no claim ever lowers a risk, with or without the operator’s word',
    shows('ANN-10', () => {
      for (const override of STATEMENTS) {
        for (const assumed of [undefined, { readOnlyHint: true }, { destructiveHint: true }]) {
          const tool = { name: 'list_users', trust: 'none', override, assumed } as const;
          const without = labelTool(tool);
          const lowered = STATEMENTS.filter((annotations) => {
            const label = labelTool({ ...tool, annotations });
            const isRetried = mayRetry(label.hints) && !mayRetry(without.hints);
            const isCalmed = HINTS.some((hint) => {
              const { value } = label.hints[hint];
              return value !== without.hints[hint].value && value !== SPEC_DEFAULTS[hint];
            });
            return !isNoSafer(label, without) || isRetried || isCalmed;
          });
          expect(lowered).toEqual([]);
        }
      }
    }),
  );

  it('a claim that does not count is kept, with the reason', () => {
    const label = labelTool({ name: 'x', annotations: { readOnlyHint: true }, trust: 'none' });
    expect(label.hints.readOnlyHint).toEqual({
      value: false,
      evidence: {
        by: 'default',
        disbelieved: { claim: true, because: 'it is not trusted' },
      },
    });
    expect(label.contradiction).toBeUndefined();
  });

  it('words do not count', () => {
    for (const name of NAMES) {
      expect(labelTool({ name, trust: 'none' })).toEqual(labelTool({ name: 'x', trust: 'none' }));
    }
  });

  it('a claim that raises the risk counts', () => {
    const annotations = { destructiveHint: true };
    expect(labelTool({ name: 'x', annotations, trust: 'none' }).hints.destructiveHint).toEqual({
      value: true,
      evidence: { by: 'server' },
    });
  });
});

describe('the tool’s own words', () => {
  it('count where the server states no hint (D1, N2)', () => {
    const label = labelTool({ name: 'read_text_file', description: 'Read a file.' });
    expect(label.risk).toBe('read');
    expect(label.hints.readOnlyHint.evidence).toEqual({
      by: 'words',
      because: 'the name says read, nothing contradicts',
      effect: 'reads',
    });
    expect(labelTool({ name: 'list_users', annotations: { title: 'Users' } }).risk).toBe('read');
  });

  it.each([
    'send_email',
    'send_slack_message',
    'publish_post',
    'pay_invoice',
    'merge_pull_request',
  ])('of %s make it destructive and open-world, and keep the reason (S1)', (name) => {
    const label = labelTool({ name });
    expect(label.risk).toBe('destructive');
    expect(label.hints.openWorldHint).toMatchObject({ value: true, evidence: { by: 'words' } });
    expect(label.hints.destructiveHint.evidence).toMatchObject({
      effect: 'sends',
      because: expect.stringMatching(/^the name says \w+: cannot be taken back$/),
    });
    expect(explain(label.hints)).toMatch(/^Does something that cannot be taken back, and may /);
  });

  it('contradict a claim to destroy nothing if the name says that it sends (S1)', () => {
    const annotations = { readOnlyHint: false, destructiveHint: false };
    const label = labelTool({ name: 'message_send', annotations });
    expect(label.risk).toBe('destructive');
    expect(label.contradiction?.because).toBe('the name says send: cannot be taken back');
    expect(labelTool({ name: 'remove_label', annotations }).risk).toBe('write');
  });

  it('count where the server states only openWorldHint or idempotentHint', () => {
    for (const annotations of STATEMENTS) {
      if (statesRisk(annotations)) continue;
      const label = labelTool({ name: 'brave_web_search', annotations });
      expect(label.risk).toBe('read');
      expect(label.hints.readOnlyHint.evidence.by).toBe('words');
      const says = annotations.openWorldHint === undefined ? 'default' : 'server';
      expect(label.hints.openWorldHint.evidence.by).toBe(says);
      const distrusted = labelTool({ name: 'brave_web_search', annotations, trust: 'none' });
      expect(distrusted.risk).toBe('destructive');
    }
  });

  it('never lower the risk of a tool whose risk the server states', () => {
    for (const annotations of STATEMENTS) {
      if (!statesRisk(annotations)) continue;
      for (const trust of TRUSTS) {
        const reading = labelTool({ name: 'list_users', annotations, trust });
        expect(reading).toEqual(labelTool({ name: 'thing', annotations, trust }));
      }
    }
  });

  it('never prove that a call may be sent again or needs no intent', () => {
    const { risk, hints } = labelTool({ name: 'list_users' });
    expect([risk, isProvenRead(hints), mayRetry(hints)]).toEqual(['read', false, false]);
    const claimed = labelTool({ name: 'list_users', annotations: { readOnlyHint: true } });
    expect([isProvenRead(claimed.hints), mayRetry(claimed.hints)]).toEqual([true, true]);
    const yours = labelTool({ name: 'list_users', override: { readOnlyHint: true } });
    expect([isProvenRead(yours.hints), mayRetry(yours.hints)]).toEqual([true, true]);
    const assumed = labelTool({ name: 'x', assumed: { readOnlyHint: true } });
    expect(isProvenRead(assumed.hints)).toBe(true);
  });

  it('say nothing about idempotentHint and openWorldHint', () => {
    for (const name of NAMES) {
      const { idempotentHint, openWorldHint } = labelTool({ name }).hints;
      expect([idempotentHint, openWorldHint].map(({ evidence }) => evidence.by)).toEqual([
        'default',
        'default',
      ]);
    }
  });
});

describe('the operator’s word', () => {
  it('is changed by no claim, no assumption and no word', () => {
    for (const name of NAMES) {
      for (const override of STATEMENTS) {
        const kept = HINTS.filter((hint) => override[hint] !== undefined);
        const changed = STATEMENTS.filter((annotations) => {
          const { hints } = labelTool({ name, override, annotations });
          return kept.some((hint) => hints[hint].value !== override[hint]);
        });
        expect(changed).toEqual([]);
      }
    }
  });

  it('decides the risk alone where it says read-only or states both hints', () => {
    for (const override of STATEMENTS) {
      const isDecisive =
        override.readOnlyHint === true ||
        (override.readOnlyHint === false && override.destructiveHint !== undefined);
      if (!isDecisive) continue;
      const alone = labelTool({ name: 'thing', override }).risk;
      for (const name of NAMES) {
        const risks = STATEMENTS.map((annotations) => {
          return labelTool({ name, override, annotations }).risk;
        });
        expect(new Set(risks)).toEqual(new Set([alone]));
      }
    }
  });
});

describe('what was observed', () => {
  const because = 'it tried to write /x when it was observed';
  const observed = { changes: because };

  it('contradicts a claim to read, for every trust', () => {
    for (const trust of ['checked', 'full', 'none'] as const) {
      const label = labelTool({
        name: 'get_note',
        annotations: { readOnlyHint: true },
        trust,
        observed,
      });
      expect(label.risk, trust).toBe('destructive');
    }
    const label = labelTool({ name: 'get_note', annotations: { readOnlyHint: true }, observed });
    expect(label.contradiction).toEqual({ hint: 'readOnlyHint', claim: true, because });
    expect(label.hints.readOnlyHint.evidence).toMatchObject({ by: 'observed', because });
  });

  it('raises what only words say', () => {
    expect(labelTool({ name: 'get_note' }).risk).toBe('read');
    expect(labelTool({ name: 'get_note', observed }).risk).toBe('write');
    const destroys = 'it tried to delete or replace /x when it was observed';
    expect(
      labelTool({
        name: 'add_note',
        annotations: { readOnlyHint: false, destructiveHint: false },
        observed: { destroys },
      }).risk,
    ).toBe('destructive');
  });

  it('reaches the open world, and never lowers anything', () => {
    const claim = { readOnlyHint: true, openWorldHint: false };
    const reaches = 'it tried to reach a.example:443 when it was observed';
    const { risk, hints } = labelTool({
      name: 'get_note',
      annotations: claim,
      observed: { reaches },
    });
    expect([risk, hints.openWorldHint.value]).toEqual(['read', true]);
    expect(labelTool({ name: 'delete_note', observed: {} })).toEqual(
      labelTool({ name: 'delete_note' }),
    );
  });

  it('does not outrank the operator', () => {
    const override = { readOnlyHint: true };
    expect(labelTool({ name: 'get_note', override, observed }).hints.readOnlyHint.value).toBe(true);
  });
});

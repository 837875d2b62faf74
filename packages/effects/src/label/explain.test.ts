import { describe, expect, it } from 'vitest';

import type { LabelHints } from '../hints/evidence.js';
import { explain } from './explain.js';
import { HINTS, type HintSet, type StatedHints } from '../hints/hints.js';
import { PRESETS } from '../hints/presets.js';
import { type LabelledTool, labelTool } from './label.js';
import { everyHintSet } from '../testing/statements.js';

const hintsOf = (tool: Omit<LabelledTool, 'name'>) => labelTool({ name: 'thing', ...tool }).hints;

/**
 * Every hint is stated by the operator, except destructiveHint, which comes from the specification.
 */
function withDestructiveUnsaid({ destructiveHint, ...rest }: HintSet): LabelHints {
  return hintsOf({ override: destructiveHint ? rest : { ...rest, destructiveHint } });
}

function line(hints: HintSet, effective: LabelHints): string {
  const letters = HINTS.map((hint) => (hints[hint] ? 'T' : 'F')).join(' ');
  return `${letters}  ${explain(effective)}`;
}

describe('explaining hints to people', () => {
  it('has a sentence for each set: read-only, destructive, idempotent, open-world', () => {
    const lines = everyHintSet().map((hints) => line(hints, withDestructiveUnsaid(hints)));
    expect(lines).toEqual([
      'T T T T  Only reads, and may reach other systems; safe to repeat, but check what it sends and what it returns.',
      'T T T F  Only reads; safe to call and to repeat.',
      'T T F T  Only reads, and may reach other systems; safe to repeat, but check what it sends and what it returns.',
      'T T F F  Only reads; safe to call and to repeat.',
      'T F T T  Only reads, and may reach other systems; safe to repeat, but check what it sends and what it returns.',
      'T F T F  Only reads; safe to call and to repeat.',
      'T F F T  Only reads, and may reach other systems; safe to repeat, but check what it sends and what it returns.',
      'T F F F  Only reads; safe to call and to repeat.',
      'F T T T  May delete or overwrite data, and may reach other systems; ask before each call; safe to repeat.',
      'F T T F  May delete or overwrite data; ask before each call; safe to repeat.',
      'F T F T  May delete or overwrite data, and may reach other systems; ask before each call; do not retry.',
      'F T F F  May delete or overwrite data; ask before each call; do not retry.',
      'F F T T  Adds or changes data, and may reach other systems; safe to repeat.',
      'F F T F  Adds or changes data; safe to repeat.',
      'F F F T  Adds or changes data, and may reach other systems; do not retry.',
      'F F F F  Adds or changes data; do not retry.',
    ]);
  });

  it('attributes a claim to the server', () => {
    const said = (annotations: StatedHints) => explain(hintsOf({ annotations }));
    expect(said(PRESETS.READ_ONLY_DEFAULT)).toBe(
      'Its server says that it only reads; if so, it is safe to call and to repeat.',
    );
    expect(said(PRESETS.READ_ONLY_OPEN_WORLD)).toBe(
      'Its server says that it only reads, and may reach other systems; if so, it is safe to repeat, but check what it sends and what it returns.',
    );
    expect(said(PRESETS.WRITE_ADDITIVE)).toBe(
      'Its server says that it only adds or changes data; do not retry.',
    );
    expect(said(PRESETS.WRITE_DESTRUCTIVE)).toBe(
      'May delete or overwrite data; ask before each call; do not retry.',
    );
    expect(explain(hintsOf({ assumed: PRESETS.READ_ONLY_DEFAULT }))).toBe(
      'Only reads; safe to call and to repeat.',
    );
  });

  it('does not promise what the tool’s words suggest', () => {
    const found = (name: string) => explain(labelTool({ name }).hints);
    expect(found('list_users')).toBe(
      'Its own words suggest that it only reads, and may reach other systems; do not retry.',
    );
    expect(found('create_user')).toBe(
      'Its own words suggest that it only adds data, and may reach other systems; do not retry.',
    );
  });

  it('has a sentence for a tool that was called both read-only and destructive', () => {
    const contradictions = everyHintSet().filter(
      ({ readOnlyHint, destructiveHint }) => readOnlyHint && destructiveHint,
    );
    const lines = contradictions.map((hints) => line(hints, hintsOf({ override: hints })));
    expect(lines).toEqual([
      'T T T T  Is marked as both read-only and destructive, so it may delete or overwrite data, and may reach other systems; ask before each call; safe to repeat.',
      'T T T F  Is marked as both read-only and destructive, so it may delete or overwrite data; ask before each call; safe to repeat.',
      'T T F T  Is marked as both read-only and destructive, so it may delete or overwrite data, and may reach other systems; ask before each call; do not retry.',
      'T T F F  Is marked as both read-only and destructive, so it may delete or overwrite data; ask before each call; do not retry.',
    ]);
  });
});

/** The rule that a tool's name and its hints agree. Only clear verbs count. */

import type { Flaw, Severity } from '@callsign/naming';

import { type Hint, statedHint } from '../hints/hints.js';
import type { Evidence } from '../judge/evidence.js';
import { isAskedFor, readName } from '../judge/name.js';
import { segmentsOf, wordsOf } from '../judge/words.js';
import type { AnnotationRule, LintedTool } from './rule.js';

/** A kind of verb and the stated hint that it contradicts. */
interface Conflict {
  readonly verb: (verb: Evidence) => boolean;
  readonly hint: Hint;
  readonly value: boolean;
  readonly severity: Severity;
  readonly fix: string;
}

const CONFLICTS: readonly Conflict[] = [
  {
    verb: changes,
    hint: 'readOnlyHint',
    value: true,
    severity: 'error',
    fix: 'State readOnlyHint: false, or rename the tool if it really only reads.',
  },
  {
    verb: ({ effect }) => effect === 'destroys',
    hint: 'destructiveHint',
    value: false,
    severity: 'warning',
    fix: 'State destructiveHint: true, or name the tool after what it does instead.',
  },
  {
    verb: ({ word }) => word === 'send',
    hint: 'openWorldHint',
    value: false,
    severity: 'warning',
    fix: 'State openWorldHint: true if what it sends leaves the server.',
  },
  {
    verb: ({ effect }) => effect === 'adds',
    hint: 'destructiveHint',
    value: true,
    severity: 'info',
    fix: 'State destructiveHint: false if it only adds; if it can overwrite, say so in its name.',
  },
  {
    verb: ({ effect }) => effect === 'reads',
    hint: 'readOnlyHint',
    value: false,
    severity: 'warning',
    fix: 'State readOnlyHint: true, or name the tool after what it changes.',
  },
  {
    verb: ({ effect }) => effect === 'reads',
    hint: 'destructiveHint',
    value: true,
    severity: 'warning',
    fix: 'State destructiveHint: false, or name the tool after what it destroys.',
  },
];

/** Verbs of execution that may only read: running something can be a read, deploying cannot. */
const MAY_READ: ReadonlySet<string> = new Set(['run', 'start', 'trigger']);

export const verbAgainstHint: AnnotationRule = {
  id: 'verb-against-hint',
  severity: 'error',
  summary: 'The verb in the name says one thing and a hint says another.',
  why: 'A delete_ that claims to be read-only runs without a question in every client that trusts hints.',
  who: {
    clients: ['claude-code', 'codex', 'cursor', 'vscode'],
    audiences: ['Anthropic directory', 'OpenAI app review'],
  },
  check: (tools) => tools.flatMap(conflictFlaws),
};

function conflictFlaws({ name, annotations }: LintedTool): Flaw[] {
  const [verb, rival] = readName(name);
  if (verb === undefined || rival !== undefined || !isSure(verb, name)) return [];
  return CONFLICTS.filter(
    (conflict) => conflict.verb(verb) && statedHint(annotations, conflict.hint) === conflict.value,
  ).map(({ hint, value, severity, fix }) => ({
    tool: name,
    severity,
    message: `Is named "${verb.word}" and states ${hint}: ${value}.`,
    fix,
  }));
}

/** Whether the name says nothing else, and its verb is at its beginning. */
function isSure(verb: Evidence, name: string): boolean {
  const words = wordsOf(segmentsOf(name).at(-1) ?? '');
  const at = words.indexOf(verb.word);
  const isFirst = at === 0 || (at === 1 && words.length > 2);
  const isOnly = !words.some((word) => word === 'or' || word === 'and' || word === 'then');
  return verb.certainty === 'clear' && isFirst && isOnly && !isAskedFor(verb, name);
}

function changes({ word, effect }: Evidence): boolean {
  return effect !== 'reads' && !MAY_READ.has(word);
}

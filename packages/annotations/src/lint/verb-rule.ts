/** The rule that a tool's name and its hints tell the same story; only a clear verb counts. */

import { type Hint, statedHint } from '../hints.js';
import { type Verb, verbOf } from '../verbs.js';
import type { Flaw, LintedTool, Rule, Severity } from './rule.js';

/** A kind of verb and the stated hint that it speaks against. */
interface Conflict {
  readonly verb: (verb: Verb) => boolean;
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
    verb: ({ endpoint }) => endpoint === 'delete',
    hint: 'destructiveHint',
    value: false,
    severity: 'warning',
    fix: 'State destructiveHint: true, or name the tool after what it does instead.',
  },
  {
    verb: sends,
    hint: 'openWorldHint',
    value: false,
    severity: 'warning',
    fix: 'State openWorldHint: true if what it sends leaves the server.',
  },
  {
    verb: ({ endpoint }) => endpoint === 'create',
    hint: 'destructiveHint',
    value: true,
    severity: 'info',
    fix: 'State destructiveHint: false if it only adds; if it can overwrite, say so in its name.',
  },
  {
    verb: ({ endpoint }) => endpoint === 'read',
    hint: 'readOnlyHint',
    value: false,
    severity: 'warning',
    fix: 'State readOnlyHint: true, or name the tool after what it changes.',
  },
  {
    verb: ({ endpoint }) => endpoint === 'read',
    hint: 'destructiveHint',
    value: true,
    severity: 'warning',
    fix: 'State destructiveHint: false, or name the tool after what it destroys.',
  },
];

/** What is often made for the answer alone, with nothing stored: `create_report`, `add_numbers`. */
const ONLY_IN_THE_ANSWER: ReadonlySet<string> = new Set([
  'chart',
  'diagram',
  'diff',
  'estimate',
  'graph',
  'hash',
  'numbers',
  'plan',
  'preview',
  'prompt',
  'query',
  'report',
  'summary',
]);

export const verbAgainstHint: Rule = {
  id: 'verb-against-hint',
  severity: 'error',
  summary: 'The verb in the name says one thing and a hint says another.',
  why: 'A delete_ that claims to be read-only is run unasked by every client that believes hints.',
  who: ['Claude Code', 'Codex', 'Cursor', 'VS Code', 'Anthropic directory', 'OpenAI app review'],
  check: (tools) => tools.flatMap(conflictFlaws),
};

function conflictFlaws({ name, annotations }: LintedTool): Flaw[] {
  const verb = verbOf(name);
  if (verb?.confidence !== 'high') return [];
  return CONFLICTS.filter(
    (conflict) => conflict.verb(verb) && statedHint(annotations, conflict.hint) === conflict.value,
  ).map(({ hint, value, severity, fix }) => ({
    tool: name,
    severity,
    message: `Is named "${verb.word}" and states ${hint}: ${value}.`,
    fix,
  }));
}

function changes(verb: Verb): boolean {
  return verb.endpoint === 'create'
    ? stores(verb)
    : verb.endpoint === 'update' || verb.endpoint === 'delete' || sends(verb);
}

/** A tool called just `add` adds up numbers as often as it adds a record. */
function stores({ object }: Verb): boolean {
  const made = object.at(-1);
  return made !== undefined && !ONLY_IN_THE_ANSWER.has(made);
}

function sends({ word }: Verb): boolean {
  return word === 'send' || word === 'email';
}

/** The rule that a tool's name and its hints agree. Only clear verbs count. */

import type { Flaw, Severity } from '@callsign/naming';

import { type Hint, statedHint } from '../hints/hints.js';
import { type Verb, verbOf } from '../words/verbs.js';
import type { AnnotationRule, LintedTool } from './rule.js';

/** A kind of verb and the stated hint that it contradicts. */
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
    verb: ({ word }) => word === 'send',
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

function changes({ word, endpoint, object }: Verb): boolean {
  // A tool called just `add` adds up numbers as often as it adds a record.
  if (endpoint === 'create') return object.length > 0;
  return endpoint !== 'read' && !MAY_READ.has(word);
}

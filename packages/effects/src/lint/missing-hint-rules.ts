/** One rule for each of the four hints: if a hint is not stated, clients assume the worst. */

import type { Readers, Severity } from '@callsign/naming';

import { type Hint, SPEC_DEFAULTS, statedHint } from '../hints/hints.js';
import { ownProperty } from '../hints/property.js';
import type { AnnotationRule, LintedTool } from './rule.js';

/** What differs between the four rules. */
interface MissingHint {
  readonly id: string;
  readonly hint: Hint;
  readonly severity: Severity;
  /** The severity for a read-only tool. Default: not reported. */
  readonly whenReadOnly?: Severity;
  readonly why: string;
  readonly who: Readers;
  readonly fix: string;
}

function missingHint({ hint, whenReadOnly, fix, ...rule }: MissingHint): AnnotationRule {
  return {
    ...rule,
    summary: `The tool does not state ${hint}.`,
    check: (tools) =>
      tools.flatMap((tool) => {
        const severity = isReadOnly(tool) ? whenReadOnly : rule.severity;
        if (severity === undefined || isStated(tool, hint)) return [];
        // A tool that is said to destroy cannot be taken for one that only reads.
        if (hint === 'readOnlyHint' && isDestructive(tool)) return [];
        const message = `Does not state ${hint}, which then counts as ${SPEC_DEFAULTS[hint]}.`;
        return [{ tool: tool.name, severity, message, fix }];
      }),
  };
}

function isReadOnly({ annotations }: LintedTool): boolean {
  return statedHint(annotations, 'readOnlyHint') === true;
}

function isDestructive({ annotations }: LintedTool): boolean {
  return statedHint(annotations, 'destructiveHint') === true;
}

/** A value that is not a boolean counts as stated, since hint-not-boolean reports it. */
function isStated({ annotations }: LintedTool, hint: Hint): boolean {
  return ownProperty(annotations, hint) !== undefined;
}

export const readOnlyMissing: AnnotationRule = missingHint({
  id: 'hint-read-only-missing',
  hint: 'readOnlyHint',
  severity: 'warning',
  why: 'Clients use it to decide what may run without asking, in parallel, or in a read-only mode.',
  who: {
    clients: ['claude-code', 'codex', 'cursor', 'vscode'],
    audiences: ['Anthropic directory'],
  },
  fix: 'State readOnlyHint: true for a tool that changes nothing, false for any other.',
});

export const destructiveMissing: AnnotationRule = missingHint({
  id: 'hint-destructive-missing',
  hint: 'destructiveHint',
  severity: 'warning',
  whenReadOnly: 'info',
  why: 'A tool that only adds counts as one that deletes; directories also ask for the hint.',
  who: { audiences: ['Anthropic directory', 'OpenAI app review'] },
  fix: 'State destructiveHint: true for a tool that may delete or overwrite, false for any other.',
});

export const idempotentMissing: AnnotationRule = missingHint({
  id: 'hint-idempotent-missing',
  hint: 'idempotentHint',
  severity: 'info',
  why: 'A failed call is not repeated, although repeating it might do no harm.',
  who: { audiences: ['Callsign', 'adk-rust'] },
  fix: 'State idempotentHint: true if a second equal call changes nothing more, else false.',
});

export const openWorldMissing: AnnotationRule = missingHint({
  id: 'hint-open-world-missing',
  hint: 'openWorldHint',
  severity: 'warning',
  whenReadOnly: 'warning',
  why: 'A tool for private data counts as one that reaches outside, and app review refuses it.',
  who: { audiences: ['OpenAI app review'] },
  fix: 'State openWorldHint: true if the tool reaches anything outside its server, else false.',
});

/**
 * Counts the tools that `--read-only` withholds. It only counts: the policy module withholds them.
 */

import type { Log, Target } from '@callsign/core';

export class ReadOnlyTally {
  readonly #tools = new Map<string, Target>();

  /** Called for each target when it is labelled. */
  look(target: Target): void {
    if (target.kind === 'tool') this.#tools.set(target.canonical, target);
  }

  /** Logs why tools are missing, if any are. */
  say(log: Log): void {
    const sentence = this.sentence();
    if (sentence !== undefined) log('warning', sentence);
  }

  /** How many tools are withheld and why, in one line; `undefined` if none is. */
  sentence(): string | undefined {
    const all = [...this.#tools.values()];
    const withheld = all.filter(({ risk }) => risk !== 'read');
    if (withheld.length === 0) return undefined;
    const ofRisk = (word: string): number => withheld.filter(({ risk }) => risk === word).length;
    const parts = [`${ofRisk('write')} write`, `${ofRisk('destructive')} destructive`];
    const unlabelled = withheld.filter(isUnlabelled).length;
    const doubt = unlabelled === 0 ? '' : ` (${unlabelled} of them unlabelled)`;
    const what = `--read-only withholds ${withheld.length} of ${all.length} tools, because they are not labelled read`;
    return `${what}: ${parts.join(', ')}${doubt}. Why: callsign tools --why`;
  }
}

/** Whether the risk is only the default: no claim, no word of the tool and no setting gave it. */
function isUnlabelled({ hints: { readOnlyHint, destructiveHint } }: Target): boolean {
  return readOnlyHint.evidence.by === 'default' && destructiveHint.evidence.by === 'default';
}

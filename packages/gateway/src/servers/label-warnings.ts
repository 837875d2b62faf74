/** Logs warnings about labels to review: contradicted claims, and accepted labels that have lapsed. */

import { visibleLetters, type Log, type Target } from '@callsign/core';
import { reasonFor } from '@callsign/effects';

/** The wait before the first warnings: servers start and clients get their lists first. */
const DELAY_MS = 1_000;
/** The work of one turn, so that no call waits for the labels of thousands of tools. */
const SLICE_MS = 10;

export interface LabelWarnings {
  /** Takes a target whenever its definition or its settings have changed. */
  look(target: Target): void;
  close(): void;
}

/** Each warning is logged once, until the label changes. */
export function createLabelWarnings(log: Log): LabelWarnings {
  const said = new Map<string, string>();
  const waiting = new Map<string, Target>();
  let timer: NodeJS.Timeout | undefined;

  const warn = (target: Target): void => {
    const warning = warningFor(target);
    if (said.get(target.canonical) === warning) return;
    if (warning === undefined) said.delete(target.canonical);
    else {
      said.set(target.canonical, warning);
      log('warning', warning);
    }
  };
  const work = (): void => {
    timer = undefined;
    const end = performance.now() + SLICE_MS;
    for (const [name, target] of waiting) {
      waiting.delete(name);
      warn(target);
      if (performance.now() > end) break;
    }
    if (waiting.size > 0) schedule(SLICE_MS);
  };
  const schedule = (ms: number): void => {
    timer ??= setTimeout(work, ms).unref();
  };
  return {
    look(target) {
      if (target.kind !== 'tool') return;
      waiting.set(target.canonical, target);
      schedule(DELAY_MS);
    },
    close: () => clearTimeout(timer),
  };
}

function warningFor(target: Target): string | undefined {
  const { canonical, contradiction, hasLapsed, ref, risk } = target;
  const name = visibleLetters(canonical);
  const advice = `To review it: callsign labels review ${visibleLetters(ref.server)}`;
  if (hasLapsed) {
    return `The accepted label of ${name} has expired, because its definition has changed. ${advice}`;
  }
  return contradiction && `${name} counts as ${risk}: ${reasonFor(target)}. ${advice}`;
}

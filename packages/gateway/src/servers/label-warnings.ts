/** Warns in the log of labels that need a look: contradicted claims, and accepted labels that have lapsed. */

import { reasonFor } from '@callsign/annotations';
import { visibleLetters, type Log, type Target } from '@callsign/core';

/** Takes each target whenever it is labelled. Each warning is logged once, until the label changes. */
export function createLabelWarnings(log: Log): (target: Target) => void {
  const said = new Map<string, string>();
  return function look(target) {
    const warning = warningFor(target);
    if (said.get(target.canonical) === warning) return;
    if (warning === undefined) said.delete(target.canonical);
    else {
      said.set(target.canonical, warning);
      log('warning', warning);
    }
  };
}

function warningFor(target: Target): string | undefined {
  const { canonical, contradiction, hasLapsed, ref, risk } = target;
  const name = visibleLetters(canonical);
  const advice = `To review it: callsign labels review ${visibleLetters(ref.server)}`;
  if (hasLapsed) {
    return `The accepted label of ${name} has lapsed, because its definition has changed. ${advice}`;
  }
  return contradiction && `${name} counts as ${risk}: ${reasonFor(target)}. ${advice}`;
}

/** What the log knows of a tool and of a caller: made once, and referred to by each call. */

import type { EffectiveHints, HintSource, Risk } from '@callsign/annotations';
import type { Caller, Target } from '@callsign/core';

import type { ToolFacts } from './audit-entry.js';
import type { CallerFacts, Severity } from './audit-record.js';
import { bounded } from './bounded.js';

const SEVERITY: Readonly<Record<Risk, Severity>> = {
  read: 'info',
  write: 'notice',
  destructive: 'warning',
};

export function toolFacts(target: Target, keepsArguments: boolean): ToolFacts {
  const { canonical, risk, hints, item } = target;
  return {
    tool: bounded(canonical),
    risk,
    riskFrom: whoSaid(risk, hints),
    severity: SEVERITY[risk],
    ...(keepsArguments ? { definition: item.json } : {}),
  };
}

export function callerFacts({ principal, client, id, era }: Caller): CallerFacts {
  return {
    ...(principal ? { principal: bounded(principal.name) } : {}),
    client: bounded(client.name),
    version: bounded(client.version),
    session: id,
    era,
  };
}

/** A read is one because of the one hint, everything else is what it is because of the other. */
function whoSaid(risk: Risk, { readOnlyHint, destructiveHint }: EffectiveHints): HintSource {
  return risk === 'read' ? readOnlyHint.source : destructiveHint.source;
}

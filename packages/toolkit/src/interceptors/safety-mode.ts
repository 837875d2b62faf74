/** How far a server may go, as its operator set it. Tools beyond it are absent, and refused if called all the same. */

import type { Risk } from '@callsign/annotations';

import type { ToolInterceptor } from './tool-interceptor.js';
import { refused } from '../server/outcome.js';

/** From the most careful on. */
export const SAFETY_MODES = ['read-only', 'write-idempotent', 'write-destructive'] as const;

export type SafetyMode = (typeof SAFETY_MODES)[number];

/** A mode, or a way to ask for the one that holds now. */
export type SafetySetting = SafetyMode | (() => SafetyMode);

const PERMITTED: ReadonlyMap<string, readonly Risk[]> = new Map<SafetyMode, readonly Risk[]>([
  ['read-only', ['read']],
  // As the mode was first defined: whatever destroys nothing. Additions are in, repeatable or not.
  ['write-idempotent', ['read', 'write']],
  ['write-destructive', ['read', 'write', 'destructive']],
]);

/** Whether a tool of that risk may run. A mode that nobody knows permits nothing. */
export function permits(setting: SafetySetting, risk: Risk): boolean {
  return PERMITTED.get(currentMode(setting))?.includes(risk) ?? false;
}

export function safetyMode(setting: SafetySetting): ToolInterceptor {
  return function checkSafety({ tool }, next) {
    if (permits(setting, tool.risk)) return next();
    return refused(
      `${tool.name} was not called: its effect is "${tool.risk}", which the safety mode ` +
        `"${currentMode(setting)}" of this server does not permit. ` +
        `Its operator can choose one of ${SAFETY_MODES.join(', ')}.`,
    );
  };
}

function currentMode(setting: SafetySetting): SafetyMode {
  return typeof setting === 'function' ? setting() : setting;
}

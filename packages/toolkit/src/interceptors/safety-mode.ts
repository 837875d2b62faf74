/**
 * Limits a server to tools of a risk that its operator allows. Other tools are not registered. The
 * interceptor refuses them too, because a mode that is a function may change later.
 */

import type { Risk } from '@callsign/effects';

import { refused } from '../server/outcome.js';
import type { ToolInterceptor } from './tool-interceptor.js';

/** The most cautious first. */
export const SAFETY_MODES = ['read-only', 'write-idempotent', 'write-destructive'] as const;

/** What an operator permits. Each mode includes the ones before it. */
export type SafetyMode = (typeof SAFETY_MODES)[number];

/** A mode, or a function that returns the current one. */
export type SafetySetting = SafetyMode | (() => SafetyMode);

const PERMITTED: ReadonlyMap<string, readonly Risk[]> = new Map<SafetyMode, readonly Risk[]>([
  ['read-only', ['read']],
  // Despite its name it permits every write that destroys nothing. Users rely on this definition.
  ['write-idempotent', ['read', 'write']],
  ['write-destructive', ['read', 'write', 'destructive']],
]);

/** Whether a tool of that risk may run. An unknown mode permits nothing. */
export function permits(setting: SafetySetting, risk: Risk): boolean {
  return PERMITTED.get(currentMode(setting))?.includes(risk) ?? false;
}

/** An interceptor that refuses tools whose risk the mode does not permit. */
export function safetyMode(setting: SafetySetting): ToolInterceptor {
  return function checkSafety({ tool }, next) {
    if (permits(setting, tool.statedRisk)) return next();
    return refused(
      `${tool.name} was not called: its effect is "${tool.statedRisk}", which the safety mode ` +
        `"${currentMode(setting)}" of this server does not permit. ` +
        `Its operator can choose one of ${SAFETY_MODES.join(', ')}.`,
    );
  };
}

function currentMode(setting: SafetySetting): SafetyMode {
  return typeof setting === 'function' ? setting() : setting;
}

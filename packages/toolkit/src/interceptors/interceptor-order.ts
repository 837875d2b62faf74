/** The one place that says in which order guards stand. */

import type { Guard } from './tool-interceptor.js';
import { type AllowList, allowList } from './allow-list.js';
import { audit, type AuditSink } from './audit.js';
import { checkInput, type InputCheck } from './check-input.js';
import { dryRun } from './dry-run.js';
import { safetyMode, type SafetySetting } from './safety-mode.js';

/** The guards of a server; each is absent unless set. */
export interface GuardSettings {
  readonly audit?: AuditSink | undefined;
  readonly allowList?: AllowList | undefined;
  readonly checkInput?: InputCheck | undefined;
  readonly dryRun?: boolean | undefined;
  readonly safetyMode?: SafetySetting | undefined;
}

/**
 * From the outside in. Audit sees everything, refusals too. A tool's own guards ask who is calling before
 * anything is said about the arguments. A dry run speaks of calls that would have been made with valid
 * arguments, and safety has the last word before the handler.
 */
export function createGuardOrder(
  settings: GuardSettings,
): (own?: readonly Guard[]) => readonly Guard[] {
  const recorder = settings.audit && audit(settings.audit);
  const inner = [
    settings.allowList && allowList(settings.allowList),
    settings.checkInput && checkInput(settings.checkInput),
    settings.dryRun === true && dryRun(),
    settings.safetyMode !== undefined && safetyMode(settings.safetyMode),
  ];
  return (own = []) => [recorder, ...own, ...inner].filter((guard) => typeof guard === 'function');
}

/** Defines the order of the interceptors. No other place does. */

import type { ToolInterceptor } from './tool-interceptor.js';
import { type AllowList, allowList } from './allow-list.js';
import { audit, type AuditSink } from './audit.js';
import { checkInput, type InputCheck } from './check-input.js';
import { dryRun } from './dry-run.js';
import { safetyMode, type SafetySetting } from './safety-mode.js';

/** The interceptors of a server. All are optional. */
export interface InterceptorSettings {
  readonly audit?: AuditSink | undefined;
  readonly allowList?: AllowList | undefined;
  readonly checkInput?: InputCheck | undefined;
  readonly dryRun?: boolean | undefined;
  readonly safetyMode?: SafetySetting | undefined;
}

/**
 * From the outside in. Audit sees everything, refusals too. A tool's own interceptors check the caller before
 * anything is said about the arguments. A dry run reports only calls with valid arguments. The safety mode
 * comes last before the handler.
 */
export function createInterceptorOrder(
  settings: InterceptorSettings,
): (own?: readonly ToolInterceptor[]) => readonly ToolInterceptor[] {
  const recorder = settings.audit && audit(settings.audit);
  const inner = [
    settings.allowList && allowList(settings.allowList),
    settings.checkInput && checkInput(settings.checkInput),
    settings.dryRun === true && dryRun(),
    settings.safetyMode !== undefined && safetyMode(settings.safetyMode),
  ];
  return (own = []) =>
    [recorder, ...own, ...inner].filter((interceptor) => typeof interceptor === 'function');
}

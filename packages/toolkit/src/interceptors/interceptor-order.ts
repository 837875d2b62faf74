/** Defines the order of the interceptors. No other place does. */

import type { ToolInterceptor } from './tool-interceptor.js';
import { type AllowList, allowList } from './allow-list.js';
import { audit, type AuditSink } from './audit.js';
import { checkInput, type InputCheck } from './check-input.js';
import { redact } from './redact.js';
import { safetyMode, type SafetySetting } from './safety-mode.js';

/** Characters of the arguments that a dry run shows. */
const MAX_ARGUMENTS = 4000;

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

/** Shows the arguments of a writing tool instead of running it. Reading tools run as usual. */
function dryRun(): ToolInterceptor {
  return function tellOnly({ tool, args }, next) {
    if (tool.statedRisk === 'read') return next();
    const given = redact(JSON.stringify(args, withBigIntegers, 2)).slice(0, MAX_ARGUMENTS);
    const text = `[DRY RUN] ${tool.name} was not run and nothing has changed. Arguments: ${given}`;
    return { status: 'dry-run', result: { content: [{ type: 'text', text }] } };
  };
}

/** A schema may have turned an argument into a big integer, which JSON does not have. */
function withBigIntegers(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}

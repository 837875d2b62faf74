/** Records every call: the tool, the caller and the outcome, without arguments and answers. */

import type { Risk } from '@callsign/effects';

import type { Status } from '../server/outcome.js';
import { failureText } from './failure.js';
import type { ToolInterceptor } from './tool-interceptor.js';

/** One finished call, for the log of the operator. */
export interface AuditRecord {
  /** When the call came in, as ISO 8601. */
  readonly time: string;
  readonly tool: string;
  readonly risk: Risk;
  readonly status: Status;
  readonly durationMs: number;
  /** The caller's client id, if the transport verified it. */
  readonly caller: string | undefined;
  readonly session: string | undefined;
}

/** Stores a record: in a file, on standard error, in a database. */
export type AuditSink = (record: AuditRecord) => unknown;

/** An interceptor that gives the sink one record after each call, refused calls included. */
export function audit(sink: AuditSink): ToolInterceptor {
  return async function recordCall({ tool, context }, next) {
    const time = new Date().toISOString();
    const start = performance.now();
    const outcome = await next();
    const { auth, sessionId } = context;
    const record: AuditRecord = {
      time,
      tool: tool.name,
      risk: tool.risk,
      status: outcome.status,
      durationMs: Math.round(performance.now() - start),
      caller: auth?.clientId,
      session: sessionId,
    };
    void deliver(sink, record);
    return outcome;
  };
}

/** Not awaited by the call: a sink that is slow or fails must not affect the answer. */
async function deliver(sink: AuditSink, record: AuditRecord): Promise<void> {
  try {
    await sink(record);
  } catch (error) {
    process.emitWarning(`A call of ${record.tool} was not recorded: ${failureText(error)}`);
  }
}

/** Lets a call wait for its server to start. The wait is not part of the server's time. */

import type { Call, Reply, Unsubscribe } from '@callsign/core';

import type { Transport } from './link-options.js';

export interface StartWaitOptions {
  readonly server: string;
  /** Calls back when the server has started, or is not expected any more. */
  readonly whenDecided: (decided: () => void) => Unsubscribe;
  readonly limitMs: number;
}

/** Clients that limit the time of a call start again with each progress report. */
const REPORT_MS = 5_000;
/** Progress must increase, and the server's own usually begins at 0 or 1. So ours stays below. */
const STEP = 1e-6;

/** `late`: the limit has passed. `cancelled`: by the caller. Ask the modules again afterwards. */
export async function waitForStart(
  call: Call,
  { server, whenDecided, limitMs }: StartWaitOptions,
): Promise<'decided' | 'late' | 'cancelled'> {
  const { context } = call;
  if (context.isStopped) return 'cancelled';
  const stopReports = reportStart(call, server);
  context.timer?.pause();
  let timer: NodeJS.Timeout | undefined;
  let onCancel: (() => void) | undefined;
  let stopWaiting: Unsubscribe | undefined;
  const decided = new Promise<'decided'>((resolve) => {
    stopWaiting = whenDecided(() => resolve('decided'));
  });
  const cancelled = new Promise<'cancelled'>((resolve) => {
    onCancel = () => resolve('cancelled');
    context.onCancel(onCancel);
  });
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), limitMs);
  });
  try {
    return await Promise.race([decided, late, cancelled]);
  } finally {
    clearTimeout(timer);
    stopWaiting?.();
    if (onCancel) context.offCancel(onCancel);
    context.timer?.resume();
    stopReports();
  }
}

/** Whether the call has certainly not reached its server, which can be reached again soon. */
export function wasMissed({ fault }: Reply, { isMoving }: Transport): boolean {
  if (fault?.code === 'upstream-moved') return true;
  if (fault?.code !== 'upstream-unavailable') return false;
  const { session, status } = fault.details;
  // An instance that has not run a call says so. Any other status may have come after it.
  return isMoving ? session === undefined && status === undefined : session === 'ended';
}

function reportStart(call: Call, server: string): () => void {
  if (!call.wantsProgress || !call.context.progress) return () => undefined;
  const message = JSON.stringify(`Waiting for server "${server}" to start.`);
  let step = 0;
  const report = (): void => {
    const params = `{"progressToken":0,"progress":${step++ * STEP},"message":${message}}`;
    const start = params.indexOf(':') + 1;
    call.context.progress?.(params, start, start + 1);
  };
  report();
  const timer = setInterval(report, REPORT_MS);
  return () => clearInterval(timer);
}

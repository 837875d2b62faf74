/** The trace of a call, as clients and servers write it into `_meta` (W3C Trace Context). */

import { memberText } from '@callsign/core';

/** `state` is the header `tracestate`, which is passed on unchanged. */
export interface TraceContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly flags: number;
  readonly state?: string;
}

const TRACEPARENT =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/;
/** The longest value that must be passed on. */
const LONGEST_STATE = 512;

/** The trace in the parameters of a call; `undefined` if there is none. */
export function readTraceContext(params: string): TraceContext | undefined {
  // A search before parsing: most clients send none.
  if (!params.includes('traceparent')) return undefined;
  const meta = memberText(params, '_meta');
  if (!meta?.startsWith('{')) return undefined;
  return traceContext(memberText(meta, 'traceparent'), memberText(meta, 'tracestate'));
}

/** The trace in two entries of `_meta`, each as JSON text. */
export function traceContext(
  traceparent: string | undefined,
  tracestate: string | undefined,
): TraceContext | undefined {
  const match = TRACEPARENT.exec(textOf(traceparent) ?? '');
  if (!match) return undefined;
  const state = textOf(tracestate);
  return {
    traceId: match[1]!,
    spanId: match[2]!,
    flags: Number.parseInt(match[3]!, 16),
    ...(state === undefined || state.length > LONGEST_STATE ? {} : { state }),
  };
}

/** The trace entries of `_meta`, each as JSON text. */
export function traceMeta({ traceId, spanId, flags, state }: TraceContext): Record<string, string> {
  const hex = flags.toString(16).padStart(2, '0');
  return {
    traceparent: JSON.stringify(`00-${traceId}-${spanId}-${hex}`),
    ...(state ? { tracestate: JSON.stringify(state) } : {}),
  };
}

function textOf(json: string | undefined): string | undefined {
  const value: unknown = JSON.parse(json ?? 'null');
  return typeof value === 'string' ? value : undefined;
}

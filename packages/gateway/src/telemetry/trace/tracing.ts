/** OpenTelemetry spans: one per call, and below it one each time that the call is sent. Their packages are loaded only if its variables ask for traces. */

import type { Attributes, Context, Span, Tracer } from '@opentelemetry/api';
import type * as OtelApi from '@opentelemetry/api';
import type * as OtelSdk from '@opentelemetry/sdk-trace-node';
import { isFailure, memberText, outcomeOfError, outcomeOfReply } from '@callsign/core';
import type { Call, Interceptor, Log, Next, Outcome, Reply, Target } from '@callsign/core';
import type { NodeTracerConfig, ReadableSpan } from '@opentelemetry/sdk-trace-node';

import { redactUrl } from '@callsign/core/secrets';
import { bounded } from '@callsign/audit';
import { failedReply } from '@callsign/wire/rpc';
import { resourceAttributes, wantsTraces, type Environment } from './otel-environment.js';
import { errorType } from '../error/error-type.js';
import { readTraceContext, traceContext, type TraceContext, traceMeta } from './trace-context.js';

export interface TracingOptions {
  readonly env: Environment;
  readonly log: Log;
  readonly version: string;
}

/** A collector that is away must not affect calls: spans are then lost. */
export interface Tracing {
  /** The outermost interceptor, so that refused calls have a span too. */
  readonly trace: Interceptor;
  /** The innermost interceptor, so that each attempt has a span. The server gets its id. */
  readonly attempt: Interceptor;
  /** Sends the remaining spans, if possible. */
  close(): Promise<void>;
}

type Api = typeof OtelApi;
type Sdk = typeof OtelSdk;

const PACKAGES =
  '@opentelemetry/api @opentelemetry/sdk-trace-node @opentelemetry/exporter-trace-otlp-http';

/** `undefined` if no traces are wanted, or if the packages are missing, which is logged. */
export async function createTracing(options: TracingOptions): Promise<Tracing | undefined> {
  if (!wantsTraces(options.env)) return undefined;
  try {
    const [api, sdk, exporter] = await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace-node'),
      import('@opentelemetry/exporter-trace-otlp-http'),
    ]);
    const processor = new sdk.BatchSpanProcessor(new exporter.OTLPTraceExporter());
    const resource = resourceOf(sdk, resourceAttributes(options.env));
    const provider = new sdk.NodeTracerProvider({ resource, spanProcessors: [processor] });
    const tracer = provider.getTracer('callsign', options.version);
    return {
      trace: traceWith(api, tracer),
      attempt: attemptWith(api, tracer),
      close: () => provider.shutdown().catch(() => undefined),
    };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    options.log(
      'warning',
      code === 'ERR_MODULE_NOT_FOUND'
        ? `Traces are configured, but their packages are not installed: npm install ${PACKAGES}`
        : `Traces cannot be sent: ${message}`,
    );
    return undefined;
  }
}

function traceWith(api: Api, tracer: Tracer): Interceptor {
  return function trace(call, next) {
    const target = call.target!;
    const name = spanName(call, target);
    const options = { kind: api.SpanKind.SERVER, attributes: attributesOf(call, target) };
    const span = tracer.startSpan(name, options, parentOf(api, readTraceContext(call.params)));
    return sendWithin(span, call, next, (outcome, reply, error) => {
      const { verdict, retries } = call.context;
      if (verdict) span.setAttribute('callsign.decision', verdict.decision);
      if (retries > 0) span.setAttribute('callsign.retries', retries);
      end(api, span, outcome, reply ?? failedReply(call, error));
    });
  };
}

function attemptWith(api: Api, tracer: Tracer): Interceptor {
  return function attempt(call, next) {
    const { ref } = call.target!;
    // A server knows its items by their own names.
    const own: Target = { ...call.target!, canonical: ref.tool };
    const attributes: Attributes = {
      'mcp.method.name': call.method,
      ...itemAttributes(own),
      'callsign.server': bounded(ref.server),
    };
    const options = { kind: api.SpanKind.CLIENT, attributes };
    const span = tracer.startSpan(spanName(call, own), options, parentOf(api, carriedBy(call)));
    return sendWithin(span, call, next, (outcome, reply) => end(api, span, outcome, reply));
  };
}

/** A call ends with a reply or with an error. */
type Ended = (outcome: Outcome, reply: Reply | undefined, error?: unknown) => void;

/** Sends the call with the span's id. */
function sendWithin(span: Span, call: Call, next: Next, ended: Ended): Promise<Reply> {
  const { traceId, spanId, traceFlags, traceState } = span.spanContext();
  const state = traceState?.serialize();
  const carried = traceMeta({ traceId, spanId, flags: traceFlags, ...(state ? { state } : {}) });
  const reply = next(call.with({ carried: { ...call.carried, ...carried } }));
  reply.then(
    (answer) => ended(outcomeOfReply(answer), answer),
    (error: unknown) => ended(outcomeOfError(error), undefined, error),
  );
  return reply;
}

/** The message of an error may hold a secret, so it is not in the span. `reply`: what the one who called got. */
function end(
  { SpanStatusCode }: Api,
  span: Span,
  outcome: Outcome,
  reply: Reply | undefined,
): void {
  const code = reply?.ok === false ? memberText(reply.json, 'code') : undefined;
  if (code !== undefined) span.setAttribute('rpc.response.status_code', bounded(code));
  if (isFailure(outcome)) {
    span.setAttribute('error.type', errorType(outcome));
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
}

/** Resources have no target: every URI would be a name of its own. */
function spanName({ method }: Call, { kind, canonical }: Target): string {
  const hasName = kind === 'tool' || kind === 'prompt';
  return hasName ? bounded(`${method} ${canonical}`) : method;
}

/** The conventions for MCP, and then our own. */
function attributesOf({ method, caller, context, subject }: Call, target: Target): Attributes {
  const { ref, risk } = target;
  const { version } = caller;
  const { requestId } = context;
  return {
    'mcp.method.name': method,
    ...itemAttributes(subject ?? target),
    ...(requestId === undefined ? {} : { 'jsonrpc.request.id': idText(requestId) }),
    ...(version === undefined ? {} : { 'mcp.protocol.version': version }),
    ...(caller.era === 'session' ? { 'mcp.session.id': caller.id } : {}),
    'callsign.server': bounded(ref.server),
    'callsign.risk': risk,
    'callsign.client': bounded(caller.client.name),
  };
}

function idText(json: string): string {
  return bounded(json.startsWith('"') ? (JSON.parse(json) as string) : json);
}

function itemAttributes({ kind, canonical, ref }: Target): Attributes {
  switch (kind) {
    case 'tool':
      return { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': bounded(canonical) };
    case 'prompt':
      return { 'gen_ai.prompt.name': bounded(canonical) };
    default:
      return { 'mcp.resource.uri': redactUrl(bounded(ref.tool)) };
  }
}

/** The trace that `sendWithin` added. */
function carriedBy({ carried }: Call): TraceContext | undefined {
  const { traceparent, tracestate } = carried ?? {};
  return traceparent === undefined ? undefined : traceContext(traceparent, tracestate);
}

function parentOf(api: Api, parent: TraceContext | undefined): Context {
  if (!parent) return api.ROOT_CONTEXT;
  const { traceId, spanId, flags, state } = parent;
  return api.trace.setSpanContext(api.ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: flags,
    isRemote: true,
    ...(state === undefined ? {} : { traceState: api.createTraceState(state) }),
  });
}

/** The SDK's attributes, overridden by ours. */
function resourceOf(
  sdk: Sdk,
  attributes: Readonly<Record<string, string>>,
): NonNullable<NodeTracerConfig['resource']> {
  const tracer = new sdk.NodeTracerProvider().getTracer('callsign');
  const { resource } = tracer.startSpan('') as unknown as ReadableSpan;
  // Only these two are read, so a package for whole resources is not needed.
  const ours = { getRawAttributes: () => Object.entries(attributes), schemaUrl: undefined };
  return resource.merge(ours as unknown as typeof resource);
}

/** Finds the OpenTelemetry collector: by a flag, else by the variables of OpenTelemetry. */

import { usageFailure } from '../command/failure.js';

export interface Collector {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

const LOGS_PATH = 'v1/logs';

export function collectorOf(
  to: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Collector {
  const exact = to === undefined ? env['OTEL_EXPORTER_OTLP_LOGS_ENDPOINT'] : undefined;
  const base = to ?? env['OTEL_EXPORTER_OTLP_ENDPOINT'];
  const url = exact ?? (base === undefined ? undefined : logsUrl(base));
  if (url === undefined) {
    throw usageFailure('Name the collector: --to http://localhost:4318');
  }
  if (!/^https?:$/.test(urlOf(url).protocol)) {
    throw usageFailure('The address of a collector must begin with http: or https:.');
  }
  const headers = env['OTEL_EXPORTER_OTLP_LOGS_HEADERS'] ?? env['OTEL_EXPORTER_OTLP_HEADERS'] ?? '';
  return { url, headers: headersOf(headers) };
}

/** An address without a path gets the path of OTLP. */
function logsUrl(base: string): string {
  const url = urlOf(base);
  if (url.pathname.endsWith(`/${LOGS_PATH}`)) return url.href;
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${LOGS_PATH}`;
  return url.href;
}

function urlOf(text: string): URL {
  try {
    return new URL(text);
  } catch {
    throw usageFailure('The address of the collector is not a URL.');
  }
}

/** `key=value,key=value`, with values as in URLs. */
function headersOf(text: string): Record<string, string> {
  const pairs = text.split(',').flatMap((pair): [string, string][] => {
    const at = pair.indexOf('=');
    if (at < 1) return [];
    return [[pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())]];
  });
  return Object.fromEntries(pairs);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

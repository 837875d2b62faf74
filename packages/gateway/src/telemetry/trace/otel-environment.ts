/** The OpenTelemetry variables that we read. The exporter reads its own: endpoint, headers, timeout. */

export type Environment = Readonly<Record<string, string | undefined>>;

export function wantsTraces(env: Environment): boolean {
  if (env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true') return false;
  if (env['OTEL_TRACES_EXPORTER'] === 'none') return false;
  return Boolean(env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] || env['OTEL_EXPORTER_OTLP_ENDPOINT']);
}

/** The sender of traces: `OTEL_RESOURCE_ATTRIBUTES`, overridden by `OTEL_SERVICE_NAME`. */
export function resourceAttributes(env: Environment): Record<string, string> {
  const pairs = (env['OTEL_RESOURCE_ATTRIBUTES'] ?? '').split(',').flatMap((pair) => {
    const [key = '', ...value] = pair.split('=');
    return key.trim() === '' ? [] : [[key.trim(), decoded(value.join('=').trim())] as const];
  });
  const attributes = { 'service.name': 'callsign', ...Object.fromEntries(pairs) };
  const name = env['OTEL_SERVICE_NAME'];
  return name ? { ...attributes, 'service.name': name } : attributes;
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

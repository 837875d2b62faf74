import { describe, expect, it } from 'vitest';

import { resourceAttributes, wantsTraces } from './otel-environment.js';

describe('the variables of OpenTelemetry', () => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };

  it.each([
    [{}, false],
    [endpoint, true],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:4318/v1/traces' }, true],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: '' }, false],
    [{ ...endpoint, OTEL_SDK_DISABLED: 'true' }, false],
    [{ ...endpoint, OTEL_TRACES_EXPORTER: 'none' }, false],
  ])('%o: %s', (env, wanted) => {
    expect(wantsTraces(env)).toBe(wanted);
  });

  it('say who sends the traces', () => {
    expect(resourceAttributes({})).toEqual({ 'service.name': 'callsign' });
    const OTEL_RESOURCE_ATTRIBUTES = 'service.name=a, team=x%20y,bad=%zz,,=z,q=1=2';
    expect(resourceAttributes({ OTEL_RESOURCE_ATTRIBUTES })).toEqual({
      'service.name': 'a',
      team: 'x y',
      bad: '%zz',
      q: '1=2',
    });
    expect(resourceAttributes({ OTEL_RESOURCE_ATTRIBUTES, OTEL_SERVICE_NAME: 'b' })).toMatchObject({
      'service.name': 'b',
    });
  });
});

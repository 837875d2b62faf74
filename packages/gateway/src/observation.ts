/** How a gateway is seen from outside: figures at `/metrics`, and traces if the environment asks for them. */

import type { Interceptor } from '@callsign/core';
import type { HttpDoorOptions } from '@callsign/wire';

import type { Log } from '@callsign/core';
import { createMetrics, type Metrics, type MetricsOptions } from './telemetry/metrics.js';
import { createTracing, type Tracing } from './telemetry/tracing.js';

type Page = NonNullable<ReturnType<NonNullable<HttpDoorOptions['pageAt']>>>;

export interface ObservationOptions extends MetricsOptions {
  readonly log: Log;
  readonly version: string;
  /** Called when there is more to observe with than before. */
  readonly onReady: () => void;
}

export class Observation {
  readonly metrics: Metrics;
  readonly #options: ObservationOptions;
  #tracing: Tracing | undefined;
  #opened: Promise<void> | undefined;

  constructor(options: ObservationOptions) {
    this.#options = options;
    this.metrics = createMetrics(options);
  }

  /** Begins to send traces, where they are asked for. */
  open(): void {
    const { log, version, onReady } = this.#options;
    this.#opened = this.#openTracing(log, version, onReady);
  }

  /** Makes traces of calls, once that is ready. */
  get trace(): Interceptor | undefined {
    return this.#tracing?.trace;
  }

  async #openTracing(log: Log, version: string, onReady: () => void): Promise<void> {
    this.#tracing = await createTracing({
      env: process.env,
      log,
      version,
      carry: (call, meta) => {
        call.carried = meta;
      },
    });
    if (this.#tracing) onReady();
  }

  pageAt(path: string): Page | undefined {
    if (path !== '/metrics') return undefined;
    return { type: this.metrics.contentType, text: () => this.metrics.text() };
  }

  async close(): Promise<void> {
    await this.#opened;
    await this.#tracing?.close();
  }
}

/** An OpenAPI document that is imported, reviewed and served in front of a real HTTP server. */

import { createAdapterSource, parseAdapter } from '@callsign/mcpaql';
import { adapterFromOpenApi, type OpenApiOptions, reviewAdapter } from '@callsign/mcpaql/authoring';

import { deskFor } from './desk.js';
import { type Answerer, startTarget } from './target.js';

export const OK = { 200: { description: 'Fine' } };

/** A document of version 3.1 with these paths. */
export function api(paths: object, more: object = {}): string {
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Odd', version: '1' },
    servers: [{ url: 'https://odd.example/v1' }],
    paths,
    ...more,
  });
}

interface TriedOptions extends OpenApiOptions {
  readonly answer?: Answerer;
  readonly env?: Readonly<Record<string, string>>;
}

/** Imports, reviews, validates and serves a document. `send` returns the recorded request, or an error. */
export async function tried(text: string, { answer, env = {}, ...options }: TriedOptions = {}) {
  const imported = adapterFromOpenApi(text, options);
  if (!imported.ok) throw new Error(JSON.stringify(imported.report.findings));
  const review = reviewAdapter(imported.adapter, 'a.md');
  if (!review.ok) throw new Error(JSON.stringify(review.problems));
  const parsed = parseAdapter(review.accept(review.pending.map(({ name }) => name)), 'a.md');
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const { adapter } = parsed;
  const target = await startTarget(answer);
  const desk = deskFor(createAdapterSource(adapter, { env, baseUrl: target.origin }));

  async function ask(operation: string, params: object) {
    const { endpoint } = adapter.operations.get(operation)!;
    const answered = await desk.ask(endpoint, { operation, params });
    if (answered.error?.code !== 'CONFIRMATION_REQUIRED') return answered;
    const { confirmation_token } = answered.error.details;
    return desk.ask(endpoint, { operation, params: { ...params, confirmation_token } });
  }

  async function send(operation: string, params: object): Promise<string> {
    const before = target.asked.length;
    const answered = await ask(operation, params);
    if (!answered.success) return answered.error!.code;
    const { method, url, body } = target.asked[before]!;
    return [method, decodeURIComponent(url), body].join(' ').trim();
  }

  const messagesOf = (kind: string): string[] =>
    imported.report.findings.filter((each) => each.kind === kind).map(({ message }) => message);
  return {
    adapter,
    ask,
    send,
    target,
    left: messagesOf('left-out'),
    guessed: messagesOf('guess'),
  };
}

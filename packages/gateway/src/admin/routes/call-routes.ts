/** Calls in the admin API: the routes of a gateway, and their client. */

import { randomUUID } from 'node:crypto';

import type { Question, Reply } from '@callsign/core';
import * as z from 'zod';

import type { Gateway } from '../../gateway/gateway.js';
import { AdminError } from '../router/admin-error.js';
import type { AdminRouter } from '../router/admin-router.js';
import type { AdminClient } from '../socket/admin-client.js';
import {
  callTool,
  type ToolCallAnswer,
  type ToolCallClient,
  type ToolCallRequest,
} from './call-tool.js';
import { isObjectText } from './request-body.js';

const REQUEST: z.ZodType<Omit<ToolCallRequest, 'principal'>> = z.lazy(() =>
  z.strictObject({
    name: z.string(),
    canonical: z.string(),
    args: z.string().refine(isObjectText),
    client: z.strictObject({ name: z.string(), version: z.string() }),
    canAsk: z.boolean(),
    isApproved: z.boolean(),
  }),
);

const ANSWER = z.lazy(() => z.strictObject({ ok: z.boolean(), json: z.string() }));

/** The events of a call for its client, one per line. */
type CallEvent =
  | { readonly type: 'call'; readonly id: string }
  | { readonly type: 'progress'; readonly params: string }
  | { readonly type: 'waiting'; readonly id: string }
  | { readonly type: 'question'; readonly number: number; readonly question: Question }
  /** `answer` is unset if no server offers the tool now. */
  | { readonly type: 'answer'; readonly answer: ToolCallAnswer | undefined }
  | { readonly type: 'failure'; readonly message: string };

type Answered = (reply: Reply) => void;

/** `POST /calls` makes a call and streams its events; `POST /calls/:id/:question` answers a question of it. */
export function serveCalls(router: AdminRouter, gateway: Gateway): void {
  /** Open questions, by call and number. */
  const questions = new Map<string, Answered>();

  router.on('POST', '/calls', ({ body, caller: { principal } }) => {
    const asked = REQUEST.safeParse(body);
    if (!asked.success) throw new AdminError(400, 'The request is not a valid call.');
    const request = { ...asked.data, principal };
    const halt = new AbortController();
    const id = randomUUID();
    return new ReadableStream<CallEvent>({
      start(controller) {
        const tell = (event: CallEvent): void => {
          if (!halt.signal.aborted) controller.enqueue(event);
        };
        tell({ type: 'call', id });
        const client = clientFor(id, tell);
        void callTool(gateway, request, client, halt.signal)
          .then(
            (answer) => tell({ type: 'answer', answer }),
            (error: Error) => tell({ type: 'failure', message: error.message }),
          )
          .finally(() => {
            forgetQuestions(id);
            if (!halt.signal.aborted) controller.close();
          });
      },
      // The client has disconnected.
      cancel: () => halt.abort(),
    });
  });

  router.on('POST', '/calls/:id/:question', ({ params, body }) => {
    const key = `${params.get('id')} ${params.get('question')}`;
    const reply = ANSWER.safeParse(body);
    const answered = questions.get(key);
    if (!reply.success || !answered)
      throw new AdminError(404, 'There is no such question. The call may have ended.');
    questions.delete(key);
    answered(reply.data);
    return { ok: true };
  });

  /** A call may end before its questions are answered. */
  function forgetQuestions(id: string): void {
    for (const key of questions.keys()) if (key.startsWith(`${id} `)) questions.delete(key);
  }

  function clientFor(id: string, tell: (event: CallEvent) => void): ToolCallClient {
    let number = 0;
    return {
      progress: (params) => tell({ type: 'progress', params }),
      waiting: (approval) => tell({ type: 'waiting', id: approval }),
      ask: ({ method, params, withdrawn }) =>
        new Promise<Reply>((resolve) => {
          const key = `${id} ${++number}`;
          questions.set(key, resolve);
          void withdrawn?.then(() => questions.delete(key));
          tell({ type: 'question', number, question: { method, params } });
        }),
    };
  }
}

/** Makes a call at a running gateway. The signal cancels it. `undefined`: no server offers the tool now. */
export async function callThrough(
  gateway: AdminClient,
  request: ToolCallRequest,
  client: ToolCallClient,
  signal: AbortSignal,
): Promise<ToolCallAnswer | undefined> {
  let id = '';
  let end: Extract<CallEvent, { readonly type: 'answer' | 'failure' }> | undefined;
  const onEvent = (value: unknown): void => {
    const event = value as CallEvent;
    switch (event.type) {
      case 'call':
        id = event.id;
        return;
      case 'progress':
        return client.progress(event.params);
      case 'waiting':
        return client.waiting(event.id);
      case 'question':
        return void client
          .ask(event.question)
          .then(({ ok, json }) => gateway.post(`/calls/${id}/${event.number}`, { ok, json }))
          // The call may end before its question is answered.
          .catch(() => undefined);
      case 'answer':
      case 'failure':
        end = event;
    }
  };
  await gateway.stream({ method: 'POST', path: '/calls', body: request, onEvent, signal });
  if (end?.type === 'answer') return end.answer;
  throw new AdminError(503, end?.message ?? 'The gateway ended before it answered.');
}

/** The answer to `tasks/result` for a task of the gateway itself. Session era only. */

import { type CallContext, CallsignError, type Reply } from '@callsign/core';

import { replyOf } from '../../rpc/message/rpc-error.js';
import type { OwnTaskRecord } from './own-task-record.js';
import { relatedQuestion, resultOfTask } from './task-id-text.js';

/** A task whose result a caller waits for. */
export interface AwaitedTask {
  readonly id: string;
  /** `undefined`: it is gone. */
  look(): Promise<Pick<OwnTaskRecord, 'reply' | 'questions' | 'continuedBy'> | undefined>;
  /** Resolves when the task may have changed. */
  changed(): Promise<void>;
  answer(key: string, answer: Reply): Promise<void>;
}

const CANCELLED: Reply = replyOf(new CallsignError('call-cancelled'));

/** Asks the caller the open questions, and waits for the end of the task. */
export async function taskResult(task: AwaitedTask, context: CallContext): Promise<Reply> {
  const asked = new Set<string>();
  for (;;) {
    // Before the look, so that no change after it is missed.
    const changed = task.changed();
    const { reply, questions = {}, continuedBy } = (await task.look()) ?? { reply: CANCELLED };
    if (reply || continuedBy || context.isCancelled) {
      return resultOfTask(reply ?? CANCELLED, task.id);
    }
    const next = Object.entries(questions).find(([key]) => !asked.has(key));
    if (next && context.ask) {
      const [key, question] = next;
      asked.add(key);
      const answer = await context.ask(relatedQuestion(question, task.id));
      // The answer to a cancelled request is not the client's. Its next request is asked again.
      if (answer.ok || !context.isCancelled) await task.answer(key, answer);
    } else await changed;
  }
}

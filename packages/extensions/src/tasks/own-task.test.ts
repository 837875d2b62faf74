import { fakeCall } from '@callsign/core/testing';
import type { Caller, Question, Target } from '@callsign/core';
import { describe, expect, it } from 'vitest';

import { OwnTask } from './own-task.js';

const QUESTION: Question = { method: 'elicitation/create', params: '{"message":"?"}' };

describe('a question of an own task', () => {
  it('is kept as text, and leaves the task if the server takes it back', async () => {
    const capabilities = '{"elicitation":{}}';
    const caller = { id: 'c', era: 'stateless', capabilities, can: () => true } as never as Caller;
    const target = { ref: { server: 's', tool: 't' } } as Target;
    let takeBack: (() => void) | undefined;
    const withdrawn = new Promise<void>((resolve) => {
      takeBack = resolve;
    });
    let changes = 0;
    const task = new OwnTask({
      id: 'task-1',
      call: fakeCall('{"name":"t"}').with({ caller, target }),
      owner: 'o',
      ttlMs: 60_000,
      isWaiting: false,
      onChange: () => changes++,
    });
    const asked = task.ask({ ...QUESTION, withdrawn });
    // A record is stored, and another process may ask its questions.
    expect(task.record.questions).toEqual({ q1: QUESTION });
    takeBack!();
    expect((await asked).fault?.code).toBe('call-cancelled');
    expect(task.record.questions).toEqual({});
    expect(changes).toBe(2);
  });
});

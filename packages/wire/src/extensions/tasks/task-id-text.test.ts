import { describe, expect, it } from 'vitest';

import { createdTask, relatedTask, taskIdIn, taskState, withTaskIds } from './task-id-text.js';

const RELATED = 'io.modelcontextprotocol/related-task';
const ours = (id: string): string | undefined => (id === '1' ? 'task-x' : undefined);

describe('task ids in text', () => {
  it('are found in the result of a call that became a task, in either era', () => {
    expect(createdTask('{}', '{"resultType":"task","taskId":"1","ttlMs":5}')).toEqual({
      taskId: '1',
      ttlMs: 5,
    });
    const asked = '{"task":{}}';
    expect(createdTask(asked, '{"task":{"taskId":"1","ttl":null}}')).toEqual({
      taskId: '1',
      ttlMs: null,
    });
    expect(createdTask('{}', '{"task":{"taskId":"1"}}')).toBeUndefined();
    expect(createdTask('{}', '{"structuredContent":{"taskId":"1"}}')).toBeUndefined();
    expect(createdTask('{}', '{"resultType":"task","taskId":1}')).toBeUndefined();
  });

  it('are replaced wherever a message has them, and nothing else is changed', () => {
    const text = `{ "taskId":"1","status":"working","n":1.0,"result":{"_meta":{"${RELATED}":{"taskId":"1"}},"taskId":"1"},"_meta":{"${RELATED}":{"taskId":"1","x":2}} }`;
    expect(withTaskIds(text, ours)).toBe(
      `{ "taskId":"task-x","status":"working","n":1.0,"result":{"_meta":{"${RELATED}":{"taskId":"task-x"}},"taskId":"1"},"_meta":{"${RELATED}":{"taskId":"task-x","x":2}} }`,
    );
    expect(withTaskIds('{"tasks":[{"taskId":"1"},{"taskId":"2"}]}', ours)).toBe(
      '{"tasks":[{"taskId":"task-x"},{"taskId":"2"}]}',
    );
    const other = '{"content":[{"type":"text","text":"taskId"}],"arguments":{"taskId":"1"}}';
    expect(withTaskIds(other, ours)).toBe(other);
  });

  it('are read from notifications, questions and states', () => {
    expect(taskIdIn('{"taskId":"1"}')).toBe('1');
    expect(relatedTask(`{"_meta":{"${RELATED}":{"taskId":"1"}}}`)).toBe('1');
    expect(relatedTask('{"message":"1"}')).toBeUndefined();
    expect(taskState('{"status":"failed","error":{"code":1}}')).toMatchObject({
      status: 'failed',
      error: '{"code":1}',
    });
    expect(taskState('{}')).toBeUndefined();
  });
});

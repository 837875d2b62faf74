import { expect, it } from 'vitest';

import { taskSupportOf } from './task-support.js';

it.each([
  ['{"name":"a","execution":{"taskSupport":"required"}}', 'required'],
  ['{"name":"a","execution":{"x":1, "taskSupport" : "optional"}}', 'optional'],
  ['{"name":"a","execution":{"taskSupport":"forbidden"}}', 'forbidden'],
  ['{"name":"a","execution":{"taskSupport":true}}', 'forbidden'],
  ['{"name":"a","execution":{}}', 'forbidden'],
  ['{"name":"a"}', 'forbidden'],
  // In another place the word means something else.
  ['{"name":"a","taskSupport":"required"}', 'forbidden'],
  ['{"name":"a","inputSchema":{"taskSupport":"required"}}', 'forbidden'],
])('the definition %s says that tasks are %s', (json, support) => {
  expect(taskSupportOf(json)).toBe(support);
});

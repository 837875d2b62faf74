import { expect, it } from 'vitest';

import { TASKS_EXTENSION, tasksForEra } from './extension-capabilities.js';

const EXTENSION = { [TASKS_EXTENSION]: {} };
const CALLS = { requests: { tools: { call: {} } } };

it.each([
  [
    { tools: {}, extensions: { ...EXTENSION, 'a/b': {} } },
    { tools: {}, extensions: { 'a/b': {} }, tasks: CALLS },
  ],
  [
    { tools: {}, extensions: { 'a/b': {} } },
    { tools: {}, extensions: { 'a/b': {} } },
  ],
  [{ tools: {} }, { tools: {} }],
])('D13: announces tasks of a stateless server to sessions: %j', (capabilities, expected) => {
  expect(JSON.parse(tasksForEra(JSON.stringify(capabilities), 'session'))).toEqual(expected);
});

it.each([
  [
    { tools: {}, tasks: { list: {}, ...CALLS } },
    { tools: {}, extensions: EXTENSION },
  ],
  // Its tasks are not for tools.
  [{ tools: {}, tasks: { requests: { sampling: { createMessage: {} } } } }, { tools: {} }],
  [{ tools: {} }, { tools: {} }],
])(
  'D13: announces tasks of a server with sessions to stateless clients: %j',
  (capabilities, expected) => {
    expect(JSON.parse(tasksForEra(JSON.stringify(capabilities), 'stateless'))).toEqual(expected);
  },
);

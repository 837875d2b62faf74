import { expect, it } from 'vitest';

import { suggestOperations } from './suggest-operations.js';

const KNOWN = ['create_issue', 'create_pull_request', 'list_issues', 'get_file_contents'];

it.each([
  ['creat_issue', ['create_issue']],
  ['issue_create', ['create_issue']],
  ['file_contents', ['get_file_contents']],
  ['delete_issue', []],
  ['delete_pull_request', []],
])('%s suggests %j, never another action with the same words (M3, S15)', (called, found) => {
  expect(suggestOperations(called, KNOWN)).toEqual(found);
});

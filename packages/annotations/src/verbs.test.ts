import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { verbOf } from './verbs.js';

describe('the verb of a name', () => {
  it.each([
    ['read_file', 'read'],
    ['delete-branch', 'delete'],
    ['createPullRequest', 'create'],
    ['get.user', 'get'],
    ['LIST_USERS', 'list'],
    ['search', 'search'],
  ])('in %s opens it: %s', (name, verb) => {
    expect(verbOf(name)?.word).toBe(verb);
  });

  it.each([
    ['lightdash_tools__list_charts', 'list'],
    ['mcp__github__create_issue', 'create'],
    ['team:github:delete_branch', 'delete'],
    ['users.list', 'list'],
    ['repos/get', 'get'],
    ['search:delete_index', 'delete'],
    ['get_user.v2', 'get'],
  ])('in %s stands behind the prefix: %s', (name, verb) => {
    expect(verbOf(name)?.word).toBe(verb);
  });

  it.each([
    ['github_create_issue', 'create'],
    ['slack_post_message', 'post'],
    ['github_get_run_status', 'get'],
    ['google_search_console_delete_site', 'delete'],
    ['blog_post_delete', 'delete'],
    ['data_set_get', 'get'],
  ])('in %s follows other words: %s', (name, verb) => {
    expect(verbOf(name)?.word).toBe(verb);
  });

  it.each([
    ['file_read', 'read'],
    ['issue-write', 'write'],
    ['brave_web_search', 'search'],
    ['apple_mail_mcpaql_execute', 'execute'],
  ])('in %s comes last: %s', (name, verb) => {
    expect(verbOf(name)?.word).toBe(verb);
  });

  it.each([
    ['get_or_create_user', 'create', 'create'],
    ['list_and_delete', 'delete', 'delete'],
    ['find_and_replace', 'replace', 'update'],
    ['create_or_update_file', 'create', 'create'],
    ['createAndSubmitReview', 'submit', 'execute'],
  ])('in %s is the weightier of two: %s', (name, word, endpoint) => {
    expect(verbOf(name)).toMatchObject({ word, endpoint, confidence: 'medium' });
  });

  it.each([
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'forgetful_budget',
    'targeted',
    'sequentialthinking',
    'résumé',
    '',
    ':',
  ])('is not found in %j', (name) => {
    expect(verbOf(name)).toBeUndefined();
  });

  it('is less sure away from the front', () => {
    expect(verbOf('read_file')?.confidence).toBe('high');
    expect(verbOf('github_read_file')?.confidence).toBe('high');
    expect(verbOf('file_read')?.confidence).toBe('medium');
    expect(verbOf('check_file')?.confidence).toBe('medium');
    expect(verbOf('file_check')?.confidence).toBe('low');
  });

  it('comes with the words behind it', () => {
    expect(verbOf('github:create_pull_request')?.object).toEqual(['pull', 'request']);
    expect(verbOf('add')?.object).toEqual([]);
  });

  it('is looked for in any text without failing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        const verb = verbOf(name);
        if (verb) expect(name.toLowerCase()).toContain(verb.word);
      }),
    );
  });
});

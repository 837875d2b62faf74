import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { withoutHanging } from '../../../../test/hang-limit.js';
import { verbOf } from './verbs.js';

describe('the verb of a name', () => {
  it.each([
    ['read_file', 'read'],
    ['delete-branch', 'delete'],
    ['createPullRequest', 'create'],
    ['get.user', 'get'],
    ['LIST_USERS', 'list'],
    ['search', 'search'],
  ])('in %s comes first: %s', (name, verb) => {
    expect(verbOf(name)?.word).toBe(verb);
  });

  it.each([
    ['lightdash_tools__list_charts', 'list'],
    ['mcp__github__create_issue', 'create'],
    ['team:github:delete_branch', 'delete'],
    ['users.list', 'list'],
    ['repos/get', 'get'],
    ['search:delete_index', 'delete'],
    ['team:delete_queue:list_items', 'list'],
    ['get_user.v2', 'get'],
  ])('in %s follows the prefix: %s', (name, verb) => {
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
  ])('in %s is the riskier of two: %s', (name, word, endpoint) => {
    expect(verbOf(name)).toMatchObject({ word, endpoint, confidence: 'medium' });
  });

  it.each([
    // A noun or a weak verb in front of a plain one.
    ['list_delete', 'delete', 'medium'],
    ['list_clear', 'delete', 'medium'],
    ['view_drop', 'delete', 'medium'],
    ['search_index_delete', 'delete', 'medium'],
    ['count_reset', 'delete', 'low'],
    ['monitor_delete', 'delete', 'medium'],
    ['query_delete', 'delete', 'medium'],
    ['scan_start', 'execute', 'medium'],
    ['estimate_send', 'execute', 'medium'],
    ['record_delete', 'delete', 'medium'],
    ['record_update', 'update', 'medium'],
    ['book_delete', 'delete', 'medium'],
    ['post_delete', 'delete', 'medium'],
    ['draft_send', 'execute', 'medium'],
    ['mark_as_read', 'update', 'low'],
    // A plain verb with a heavier one further on.
    ['read_write_file', 'update', 'medium'],
    ['list_delete_markers', 'delete', 'medium'],
    ['get_delete_status', 'delete', 'medium'],
    // A joining word in between.
    ['findByIdAndDelete', 'delete', 'medium'],
    ['findOneAndUpdate', 'update', 'medium'],
    ['search_flights_and_book', 'create', 'medium'],
    ['fetch_page_then_post', 'execute', 'medium'],
    // Things that are read.
    ['email_search', 'read', 'medium'],
    ['email_list', 'read', 'medium'],
    ['email_get', 'read', 'medium'],
    ['run_list', 'read', 'medium'],
    ['record_get', 'read', 'medium'],
    ['book_search', 'read', 'medium'],
    ['draft_list', 'read', 'medium'],
    ['post_find', 'read', 'medium'],
    ['email_report', 'execute', 'medium'],
  ])('in %s, where there is a choice, means %s, %s', (name, endpoint, confidence) => {
    expect(verbOf(name)).toMatchObject({ endpoint, confidence });
  });

  it.each([
    ['list_users', 'read'],
    ['search_email', 'read'],
    ['view_post', 'read'],
    ['list_archive', 'read'],
    ['get_start_time', 'read'],
    ['get_update_status', 'read'],
    ['find_user_by_name_or_email', 'read'],
    ['set_count', 'update'],
    ['run_query', 'execute'],
    ['send_delete_request', 'execute'],
    ['delete_history', 'delete'],
    ['update_status', 'update'],
    ['update_progress', 'update'],
    ['create_status', 'create'],
  ])('in %s always means %s', (name, endpoint) => {
    expect(verbOf(name)).toMatchObject({ endpoint, confidence: 'high' });
  });

  it.each([
    'update_history',
    'edit_distance',
    'set_intersection',
    'patch_notes',
    'remove_background',
    'delete_preview',
    'upload_status',
    'deploy_status',
    'deploy_progress',
    'create_report',
  ])('in %s may be part of the requested thing', (name) => {
    expect(verbOf(name)?.confidence).toBe('medium');
  });

  it('is found in a name of very many words', () => {
    const name = 'delete_'.repeat(100_000);
    expect(withoutHanging(() => verbOf(name)?.word)).toBe('delete');
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

  it('is less certain after other words', () => {
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

  it('is searched in any text without failing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        const verb = verbOf(name);
        if (verb) expect(name.toLowerCase()).toContain(verb.word);
      }),
    );
  });
});

import { describe, expect, it } from 'vitest';

import { isCheckIn, readName, readTitle } from './name-reading.js';

describe('the verb of a name', () => {
  it.each([
    ['list_users', 'read', 'list'],
    ['extract_text', 'likely-read', 'extract'],
    ['verify_domain', 'maybe-read', 'verify'],
    ['add_comment', 'write', 'add'],
    ['rename_file', 'destructive', 'rename'],
    ['upload_file', 'change', 'upload'],
  ])('%s says %s', (name, says, word) => {
    expect(readName(name)).toEqual({ says, word, because: `the name says ${word}` });
  });

  it.each(['get_d\u0435lete', 'list_\u0441lear', 'r\u0435ad_file'])(
    'is not trusted in two alphabets: %s',
    (name) => {
      const because = 'the name mixes letters of two alphabets';
      expect(readName(name)).toMatchObject({ says: 'change', because });
    },
  );

  it.each([
    // The last part of a prefixed name, or else the whole name.
    ['search__delete_index', 'delete'],
    ['team:delete_queue:list_items', 'list'],
    ['delete:v2', 'delete'],
    // A read anywhere before other verbs.
    ['kv_get', 'get'],
    ['user_list_add', 'add'],
    ['brave_web_search', 'search'],
    // A thing and then its verb.
    ['email_search', 'search'],
    ['cache_purge', 'purge'],
    ['book_delete', 'delete'],
    ['email_mark_read', 'mark'],
    ['share_report_find', 'find'],
    // A verb that is also a noun, with an object behind it or at the end.
    ['slack_post_message', 'post'],
    ['post_comment', 'post'],
    ['email_list_members', 'email'],
    ['issue_comment', 'comment'],
    ['worker_deploy', 'deploy'],
    ['issue_comment_add', 'add'],
    ['label_comment_set', 'set'],
    ['comment_label', 'comment'],
    ['file_record_copy', 'copy'],
    ['lock_get', 'lock'],
  ])('of %s is %s', (name, word) => {
    expect(readName(name)?.word).toBe(word);
  });

  it.each(['', 'thing', 'checkin', '__proto__', ':'])('is missing in %j', (name) => {
    expect(readName(name)).toBeUndefined();
  });

  it('is searched among the first twenty words', () => {
    expect(readName(`${'x_'.repeat(19)}delete`)?.word).toBe('delete');
    expect(readName(`${'x_'.repeat(20)}delete`)).toBeUndefined();
  });
});

describe('a name with two verbs', () => {
  it.each([
    // Joined verbs are all done, and the most harmful one counts.
    ['get_or_create', 'write', 'create'],
    ['get_then_create', 'write', 'create'],
    ['create_and_update', 'destructive', 'update'],
    ['create_or_generate', 'change', 'generate'],
    ['get_then_create_or_delete', 'destructive', 'delete'],
    ['get_or_list', 'read', 'get'],
    // A change after a read may be its object.
    ['list_delete', 'change', 'delete'],
    ['find_replace', 'change', 'replace'],
    ['get_update', 'mixed', 'update'],
    ['list_delete_markers', 'mixed', 'delete'],
    ['list_records', 'read', 'list'],
    ['list_record', 'read', 'list'],
    // A change after an addition may overwrite.
    ['create_delete_rule', 'change', 'delete'],
    ['create_upload_url', 'write', 'create'],
    ['add_create_rule', 'write', 'add'],
    ['add_search_index', 'write', 'add'],
  ])('%s says %s: %s', (name, says, word) => {
    expect(readName(name)).toMatchObject({ says, word });
  });
});

describe('a verb that is a thing at the end of a name', () => {
  it.each(['wiki_link', 'address_book', 'page_index'])('says nothing: %s', (name) => {
    expect(readName(name)).toBeUndefined();
  });

  it.each(['link', 'link_page', 'page_export'])('says a change elsewhere: %s', (name) => {
    expect(readName(name)?.says).toBe('change');
  });
});

describe('verbs that do something else together with another word', () => {
  it.each([
    ['git_fetch', 'change'],
    ['get_new_token', 'change'],
    ['auth__get_new_api_key', 'change'],
    ['get_new_messages', 'read'],
    ['get_token', 'read'],
    ['get_lock', 'change'],
    ['get_lock_status', 'read'],
    ['fetch_page', 'read'],
    ['git_list', 'read'],
    ['check_in', 'change'],
    ['check_out_book', 'change'],
    ['check_all', 'likely-read'],
  ])('%s says %s', (name, says) => {
    expect(readName(name)?.says).toBe(says);
  });

  it.each([
    ['check', 'in', true],
    ['check', 'out', true],
    ['check', 'it', false],
    ['check', undefined, false],
    ['log', 'in', false],
  ])('%s %s changes something: %s', (word, next, expected) => {
    expect(isCheckIn(word, next)).toBe(expected);
  });
});

describe('a title', () => {
  it('says what its verb says', () => {
    expect(readTitle('Delete a page')).toEqual({
      says: 'destructive',
      word: 'delete',
      because: 'the title says delete',
    });
    expect(readTitle('List pages')?.says).toBe('read');
    expect(readTitle('Email search')?.says).toBe('read');
  });

  it.each(['Email metrics', 'Order history', 'Record player', 'Pages', ''])(
    'says nothing if it may name a thing: %s',
    (title) => {
      expect(readTitle(title)).toBeUndefined();
    },
  );
});

import { describe, expect, it } from 'vitest';

import { readName, readTitle } from './name.js';

/** The facts of a name, each as `effect certainty word`. */
const said = (name: string) =>
  readName(name).map(({ effect, certainty, word }) => `${effect} ${certainty} ${word}`);
const verb = (name: string) => readName(name)[0]?.word;

describe('the verb of a name', () => {
  it.each([
    ['list_users', 'reads clear list'],
    ['extract_text', 'reads likely extract'],
    ['verify_domain', 'reads weak verify'],
    ['add_comment', 'adds clear add'],
    ['rename_file', 'changes clear rename'],
    ['save_file', 'changes likely save'],
    ['delete_file', 'destroys clear delete'],
    ['send_email', 'sends clear send'],
    ['run_job', 'runs clear run'],
  ])('in %s %s', (name, expected) => {
    expect(said(name)).toEqual([expected]);
  });

  it('is a fact with its place and a clause for people', () => {
    expect(readName('delete_file')).toEqual([
      {
        where: 'name',
        word: 'delete',
        effect: 'destroys',
        certainty: 'clear',
        because: 'the name says delete',
      },
    ]);
    expect(readName('send_email')[0]?.because).toBe('the name says send: cannot be taken back');
  });

  it.each(['get_d\u0435lete', 'list_\u0441lear', 'r\u0435ad_file'])(
    'is not trusted in two alphabets: %s',
    (name) => {
      const because = 'the name mixes letters of two alphabets';
      expect(readName(name)).toMatchObject([{ effect: undefined, certainty: 'likely', because }]);
    },
  );

  it.each(['ｄｅｌｅｔｅ_file', '𝐝𝐞𝐥𝐞𝐭𝐞_file', 'del\u200bete_file'])(
    'is read through letters that look like others (W2): %s',
    (name) => {
      expect(said(name)).toEqual(['destroys clear delete']);
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
    ['TwilioApiV2010--ListRecordingAddOnResult', 'list'],
    // A thing and then its verb.
    ['email_search', 'search'],
    ['cache_purge', 'purge'],
    ['book_delete', 'delete'],
    ['email_mark_read', 'mark'],
    ['share_report_find', 'find'],
    ['forward_geocode_tool', 'geocode'],
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
    expect(verb(name)).toBe(word);
  });

  it.each(['', 'thing', 'checkin', '__proto__', ':', 'wiki_link', 'address_book', 'cache_stats'])(
    'is missing in %j',
    (name) => {
      expect(readName(name)).toEqual([]);
    },
  );

  it('is searched among the first twenty words', () => {
    expect(verb(`${'x_'.repeat(19)}delete`)).toBe('delete');
    expect(verb(`${'x_'.repeat(20)}delete`)).toBeUndefined();
  });
});

describe('what cannot be taken back counts by its place (S1)', () => {
  it.each([
    'send_email',
    'message_send',
    'post_message',
    'reply_to_thread',
    'publish_post',
    'pay_invoice',
    'charge_card',
    'deploy_app',
    'merge_pull_request',
    'invite_user',
    'book_flight',
    'order_pizza',
    'place_market_order',
    'trigger_workflow',
    'notify_team',
    'create_phone_call',
    'git_push',
  ])('%s sends', (name) => {
    expect(readName(name)[0]?.effect).toBe('sends');
  });

  it.each([
    ['list_posts', 'reads'],
    ['get_order', 'reads'],
    ['merge_cells', 'changes'],
    ['create_draft_email', 'adds'],
    ['email_search', 'reads'],
  ])('%s %s', (name, effect) => {
    expect(readName(name)[0]?.effect).toBe(effect);
  });
});

describe('a name with two verbs', () => {
  it.each([
    // Joined verbs are all done, and the most harmful one counts.
    ['get_or_create', 'adds clear create'],
    ['get_and_wipe', 'destroys clear wipe'],
    ['create_and_update', 'changes clear update'],
    ['get_then_create_or_delete', 'destroys clear delete'],
    ['get_or_list', 'reads clear get'],
    // A change after a read may be its object.
    ['list_delete', 'destroys likely delete'],
    ['find_replace', 'changes likely replace'],
    ['get_update_status', 'reads clear get'],
    ['preview_transaction_create', 'reads likely preview'],
    ['list_records', 'reads clear list'],
    // A change after an addition may overwrite.
    ['create_delete_rule', 'destroys likely delete'],
    ['add_create_rule', 'adds clear add'],
    ['add_search_index', 'adds clear add'],
  ])('%s: %s', (name, expected) => {
    expect(said(name)).toEqual([expected]);
  });

  it('leaves the decision to the description if the second one may be a noun', () => {
    expect(said('list_delete_markers')).toEqual(['reads weak list', 'destroys weak delete']);
    expect(said('get_update')).toEqual(['reads weak get', 'changes weak update']);
  });
});

it.each([
  ['git_fetch', 'changes likely'],
  ['get_new_token', 'adds likely'],
  ['auth__get_new_api_key', 'adds likely'],
  ['get_new_messages', 'reads clear'],
  ['get_token', 'reads clear'],
  ['get_lock', 'changes likely'],
  ['get_lock_status', 'reads clear'],
  ['get_rid_of_file', 'destroys likely'],
  ['fetch_page', 'reads clear'],
  ['check_in', 'changes likely'],
  ['check_out_book', 'changes likely'],
  ['check_all', 'reads likely'],
  ['convert_time', 'reads likely'],
  ['convert_issue_to_subtask', 'reads weak'],
])('together with other words, %s says %s', (name, expected) => {
  const [fact] = readName(name);
  expect(`${fact?.effect} ${fact?.certainty}`).toBe(expected);
});

it.each([
  ['eliminar_cliente', 'destroys'],
  ['borrarArchivo', 'destroys'],
  ['kunde_loeschen', 'destroys'],
  ['enviar_mensaje', 'sends'],
  ['crear_pedido', 'adds'],
  ['consultar_cep', 'reads'],
  ['удалить_файл', 'destroys'],
])('%s is read in another language: %s (W2, R6)', (name, effect) => {
  expect(readName(name)[0]?.effect).toBe(effect);
});

describe('a title', () => {
  it('says what its verb says', () => {
    expect(readTitle('Delete a page')).toMatchObject([
      { effect: 'destroys', because: 'the title says delete' },
    ]);
    expect(readTitle('List pages')[0]?.effect).toBe('reads');
    expect(readTitle('Email search')[0]?.effect).toBe('reads');
  });

  it.each(['Email metrics', 'Order history', 'Record player', 'Pages', ''])(
    'says nothing if it may name a thing: %s',
    (title) => {
      expect(readTitle(title)).toEqual([]);
    },
  );
});

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { withoutHanging } from '../../../../test/hang-limit.js';
import { shows } from '../../../../test/requirements/shows.js';
import { RISKS } from '../hints/risk.js';
import { inferRisk, type ToolWords } from './infer.js';

const text = { type: 'string' };
const risk = (tool: ToolWords) => inferRisk(tool)?.risk;

describe('a tool reads', () => {
  it.each([
    'read_file',
    'listUsers',
    'ListUsageTrigger',
    'FetchUsageTrigger',
    'get-issue',
    'TwilioApiV2010--ListUsageTrigger',
    'github_search_code',
    'brave_web_search',
    'kv_get',
    'users.list',
    'email_search',
    'run_list',
    'get_pull_request',
    'get_file_contents',
    'slack_get_channel_history',
  ])('if its name says so: %s', (name) => {
    expect(risk({ name })).toBe('read');
  });

  it.each([
    ['directory_tree', 'Get a recursive tree view of a directory.'],
    ['browser_console_messages', 'Returns all console messages'],
    ['DirectionsTool', 'Fetches directions.'],
    ['documentation', 'This tool allows you to search the documentation.'],
    ['docs', 'Use this tool to look up and retrieve documentation'],
    ['tavily_research', 'Perform comprehensive research on a given topic.'],
    ['list_delete_markers', 'List the markers of deleted objects.'],
    ['web', 'Performs a web search using an API.'],
    ['MatrixTool', 'Calculates travel times.'],
    ['whatever', '🔍 [Beta] Lists things'],
    ['objects_search', 'Purpose:\n1. Performs advanced searches.'],
  ])('if its description says so and its name does not object: %s, "%s"', (name, description) => {
    expect(risk({ name, description })).toBe('read');
  });

  it.each([
    ['extract_content', 'Extract content from URLs.'],
    ['validate_config', 'Checks a configuration.'],
    ['analyze_logs', 'Analyze logs and summarize them.'],
  ])('if name and description both suggest it: %s, "%s"', (name, description) => {
    expect(risk({ name, description })).toBe('read');
  });

  it('if its parameters are for questions', () => {
    const properties = {
      query: text,
      limit: { type: 'number' },
      include_deleted: { type: 'boolean' },
    };
    expect(risk({ name: 'search_users', inputSchema: { properties } })).toBe('read');
  });
});

describe('a tool counts as a read in any language', () => {
  it.each([
    ['get_files', '获取已删除的文件'],
    ['get_files', 'Возвращает файлы с удаленного сервера'],
    ['get_files', 'Listet gelöschte Dateien auf, löscht nichts'],
    ['get_datos_del_cliente', 'Devuelve los datos del cliente. No borra nada.'],
    ['list_rebuild_status', 'Lists the status of rebuilds.'],
  ])('if it only mentions what is deleted: %s, %s', (name, description) => {
    expect(risk({ name, description })).toBe('read');
  });
});

describe('a tool does not count as a read', () => {
  it.each([
    ['get_or_create_user', undefined],
    ['find_and_replace', undefined],
    ['mark_read', undefined],
    ['email_mark_read', undefined],
    ['set_read', undefined],
    ['notification_mark_as_read', undefined],
    ['git_fetch', undefined],
    ['verify_domain', 'Verify a domain.'],
    ['generate_image', 'Returns an image.'],
    ['findByIdAndDelete', undefined],
    ['list_delete', undefined],
    ['read_write_file', undefined],
    ['search_feedback', 'Send feedback about search results.'],
    ['firecrawl_search_feedback', 'Submit structured feedback for a previous search.'],
    ['get_token', 'Create a new token.'],
    ['list_files', 'Lists old files and removes them.'],
    ['get_session', 'Returns the session. This will create a new session if none exists.'],
    ['check', undefined],
    ['check_in', 'Check in a guest.'],
    ['get_rid_of_file', undefined],
    ['find_file', 'Get rid of a file.'],
    ['rm_list', undefined],
    ['del_list_item', undefined],
    ['search_index_rebuild', undefined],
    ['get_token', 'Get a fresh token, which invalidates the old one.'],
    ['read_mail', 'Reads mail. Unread mail gets archived.'],
    ['list_members', 'List members. Idle members are kicked.'],
    ['get_messages', '获取并删除消息'],
    ['get_messages', 'メッセージを取得して削除します'],
    ['get_messages', 'Возвращает сообщения и удаляет их'],
    ['get_messages', 'Liest Nachrichten und löscht sie'],
    ['get_messages', 'Lit les messages et les supprime'],
    ['get_messages', 'Lee los mensajes y los borra'],
    ['report', 'Report a problem to the team.'],
    ['resolve_issue', 'Resolves an issue.'],
    ['browser_tabs', 'List, create, close, or select a browser tab.'],
    ['get_report', 'Get a report. The old one will be permanently deleted.'],
    ['git_fetch', 'Fetch updates. Downloads objects without merging them.'],
    ['agent', 'Run web research that returns data.'],
    ['thing', 'Handles the thing.'],
    ['thing', undefined],
    ['constructor', 42],
  ])('if a word states a change, or no word states a read: %s, %j', (name, description) => {
    expect(risk({ name, description })).not.toBe('read');
  });

  it.each<[string, Record<string, unknown>]>([
    ['d1_query', { sql: text }],
    ['query', { query: { ...text, description: 'The SQL query to execute' } }],
    ['search', { code: { ...text, description: 'JavaScript to run' } }],
    ['get_shell', { command: text }],
    ['list_tabs', { action: { enum: ['list', 'close'] } }],
    ['get_branches', { mode: { enum: ['list', 'create', 'delete'] } }],
    ['get_url', { method: { enum: ['GET', 'DELETE'] } }],
    ['get_thing', { action: text }],
    ['scrape_page', { actions: { type: 'array' } }],
    ['find_files', { force: { type: 'boolean' } }],
    ['get_files', { dry_run: { type: 'boolean' } }],
    ['get_messages', { markAsRead: { type: 'boolean' } }],
    ['get_image', { savePath: text }],
    ['fetch_image', { filename: { ...text, description: 'File to save the image to' } }],
  ])('if a parameter runs, chooses or confirms something: %s, %o', (name, properties) => {
    expect(risk({ name, inputSchema: { type: 'object', properties } })).not.toBe('read');
  });

  it.each([
    ['code', 'Two-letter country code'],
    ['query', 'What to look for'],
    ['source', 'Where the article was published'],
    ['action_id', 'The id of the action'],
    ['status_code', ''],
  ])('but a parameter %s ("%s") is harmless', (name, description) => {
    const inputSchema = { properties: { [name]: { ...text, description } } };
    expect(risk({ name: 'get_page', inputSchema })).toBe('read');
  });

  it('but a mode whose values are no verbs is harmless', () => {
    const inputSchema = { properties: { mode: { ...text, enum: ['strict', 'lenient', 'open'] } } };
    expect(risk({ name: 'get_page', inputSchema })).toBe('read');
  });

  it('but a title that names a thing is harmless, and so is what it enables', () => {
    const description = 'Retrieves flags. Enables agents to list them.';
    expect(risk({ name: 'get_metrics', title: 'Email metrics', description })).toBe('read');
  });

  it('if its title states a change', () => {
    expect(risk({ name: 'get_page', title: 'Delete a page' })).not.toBe('read');
  });
});

describe('a tool writes, and destroys nothing', () => {
  it.each([
    ['create_issue', 'Create a new issue.'],
    ['add_comment', undefined],
    ['slack_post_message', 'Post a new message to a channel'],
    ['send_email', 'Sends an email.'],
    ['append_rows', 'Appends rows'],
  ])('if name and description say so: %s, %j', (name, description) => {
    expect(risk({ name, description })).toBe('write');
  });

  it.each([
    ['create_or_update_file', 'Create or update a file.'],
    ['create_file', 'Create a new file or overwrite an existing one.'],
    ['create_file', 'Creates a file. Overwrites the existing file.'],
    ['add_or_remove_label', undefined],
    ['save_file', 'Saves a file.'],
    ['upload_file', undefined],
    ['create_file', 'Uploads a file.'],
    ['write_file', undefined],
    ['create_issue', 'Deletes everything.'],
  ])('but not if it may overwrite: %s, %j', (name, description) => {
    expect(risk({ name, description }) ?? 'destructive').toBe('destructive');
  });
});

it('a parameter about existing things counts as overwriting', () => {
  const inputSchema = { properties: { onConflict: text } };
  expect(risk({ name: 'create_import', inputSchema })).toBeUndefined();
});

describe('a tool destroys', () => {
  it.each([
    ['delete_file', 'the name says delete'],
    ['updateIssue', 'the name says update'],
    ['create_or_update_file', 'the name says update'],
    ['worker_deploy', 'the name says deploy'],
    ['cache_purge', 'the name says purge'],
    ['kill_process', 'the name says kill'],
  ])('if its name says so: %s', (name, because) => {
    expect(inferRisk({ name })).toEqual({ risk: 'destructive', because });
  });

  it('if it runs its input', () => {
    const inputSchema = { properties: { sql: text } };
    expect(inferRisk({ name: 'd1_query', inputSchema })).toEqual({
      risk: 'destructive',
      because: 'the parameter sql is run',
    });
  });
});

describe('an inference', () => {
  it(
    'tells a search from a delete where hints are missing, and names the words',
    shows('ANN-08', () => {
      expect(inferRisk({ name: 'search_files' })).toEqual({
        risk: 'read',
        because: 'the name says search, nothing contradicts',
      });
      expect(inferRisk({ name: 'delete_files' })?.risk).toBe('destructive');
    }),
  );

  it('is made of any value without failing, and always has a reason', () => {
    fc.assert(
      fc.property(fc.string(), fc.anything(), fc.anything(), (name, description, inputSchema) => {
        const found = inferRisk({ name, description, inputSchema });
        if (found === undefined) return;
        expect(RISKS).toContain(found.risk);
        expect(found.because).not.toBe('');
      }),
    );
  });

  const word = fc.constantFrom(
    ...'get list create delete update and or run file user search send the a status of'.split(' '),
  );
  const sentence = fc.array(word, { maxLength: 8 }).map((words) => words.join(' '));

  it('is never read for a name that also states a change, under any description', () => {
    fc.assert(
      fc.property(sentence, fc.constantFrom('delete', 'create', 'update', 'send'), (said, verb) => {
        expect(risk({ name: `get_or_${verb}_user`, description: said })).not.toBe('read');
      }),
    );
  });

  it('is never lowered by a parameter that runs something', () => {
    fc.assert(
      fc.property(sentence, sentence, (said, title) => {
        const inputSchema = { properties: { sql: text } };
        expect(risk({ name: 'thing', description: said, title, inputSchema })).toBe('destructive');
      }),
    );
  });

  it.each([
    'a '.repeat(500_000),
    'and '.repeat(200_000),
    'this tool '.repeat(100_000),
    '('.repeat(500_000),
  ])('does not hang on a long text', (description) => {
    const name = 'delete_'.repeat(20_000);
    expect(withoutHanging(() => inferRisk({ name, description }))?.risk).toBe('destructive');
  });
});

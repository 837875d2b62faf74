import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { withoutHanging } from '../../../../test/hang-limit.js';
import { shows } from '../../../../test/requirements/shows.js';
import { judge, type Operation } from './judge.js';

const text = { type: 'string' };
const described = (description: string) => ({ ...text, description });
const likely = (tool: Operation) => judge(tool).likely;

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
    expect(likely({ name })).toBe('reads');
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
    expect(likely({ name, description })).toBe('reads');
  });

  it.each([
    ['extract_content', 'Extract content from URLs.'],
    ['validate_config', 'Checks a configuration.'],
    ['analyze_logs', 'Analyze logs and summarize them.'],
  ])('if name and description both suggest it: %s, "%s"', (name, description) => {
    expect(likely({ name, description })).toBe('reads');
  });

  it('if its parameters are for questions', () => {
    const properties = {
      query: text,
      limit: { type: 'number' },
      include_deleted: { type: 'boolean' },
    };
    expect(likely({ name: 'search_users', inputSchema: { properties } })).toBe('reads');
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
    expect(likely({ name, description })).toBe('reads');
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
    expect(likely({ name, description })).not.toBe('reads');
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
    expect(likely({ name, inputSchema: { type: 'object', properties } })).not.toBe('reads');
  });

  it.each([
    ['code', 'Two-letter country code'],
    ['query', 'What to look for'],
    ['source', 'Where the article was published'],
    ['action_id', 'The id of the action'],
    ['status_code', ''],
  ])('but a parameter %s ("%s") is harmless', (name, description) => {
    const inputSchema = { properties: { [name]: { ...text, description } } };
    expect(likely({ name: 'get_page', inputSchema })).toBe('reads');
  });

  it('but a mode whose values are no verbs is harmless', () => {
    const inputSchema = { properties: { mode: { ...text, enum: ['strict', 'lenient', 'open'] } } };
    expect(likely({ name: 'get_page', inputSchema })).toBe('reads');
  });

  it('but a title that names a thing is harmless, and so is what it enables', () => {
    const description = 'Retrieves flags. Enables agents to list them.';
    expect(likely({ name: 'get_metrics', title: 'Email metrics', description })).toBe('reads');
  });

  it('if its title states a change', () => {
    expect(likely({ name: 'get_page', title: 'Delete a page' })).not.toBe('reads');
  });
});

describe('a tool adds, and destroys nothing', () => {
  it.each([
    ['create_issue', 'Create a new issue.'],
    ['add_comment', undefined],
    ['append_rows', 'Appends rows'],
  ])('if name and description say so: %s, %j', (name, description) => {
    expect(likely({ name, description })).toBe('adds');
  });

  it.each([
    ['create_or_update_file', 'Create or update a file.'],
    ['create_file', 'Create a new file or overwrite an existing one.'],
    ['create_file', 'Creates a file. Overwrites the existing file.'],
    ['create_page', 'Creates a page. If the page already exists, it will be updated.'],
    ['create_pages', 'Creates pages. Existing pages are replaced.'],
    ['add_or_remove_label', undefined],
    ['save_file', 'Saves a file.'],
    ['upload_file', undefined],
    ['create_file', 'Uploads a file.'],
    ['write_file', undefined],
    ['create_issue', 'Deletes everything.'],
  ])('but not if it may overwrite (R3): %s, %j', (name, description) => {
    expect(likely({ name, description })).not.toBe('adds');
    expect(likely({ name, description })).not.toBe('reads');
  });

  it('but not if a parameter is about existing things', () => {
    const inputSchema = { properties: { onConflict: text } };
    expect(likely({ name: 'create_import', inputSchema })).toBe('changes');
  });
});

describe('a tool does harm', () => {
  it.each([
    ['delete_file', 'destroys', 'the name says delete'],
    ['updateIssue', 'changes', 'the name says update'],
    ['create_or_update_file', 'changes', 'the name says update'],
    ['cache_purge', 'destroys', 'the name says purge'],
    ['worker_deploy', 'sends', 'the name says deploy: cannot be taken back'],
    ['send_email', 'sends', 'the name says send: cannot be taken back'],
  ])('if its name says so (S1): %s %s', (name, effect, because) => {
    expect(judge({ name })).toMatchObject({ likely: effect, certainty: 'clear', because });
  });

  it.each<[string, object]>([
    ['if it runs its input', { sql: text }],
    ['if a parameter is described as a program (W2)', { x: described('JavaScript to evaluate') }],
  ])('%s', (_, properties) => {
    expect(likely({ name: 'thing', inputSchema: { properties } })).toBe('runs');
  });

  it.each<[string, object]>([
    ['behind $ref', { action: { $ref: '#/$defs/A' } }],
    ['in a oneOf', { action: { oneOf: [{ const: 'list' }, { const: 'delete' }] } }],
    ['in an inner object', { options: { properties: { action: { enum: ['get', 'delete'] } } } }],
    ['in an array', { actions: { type: 'array', items: { enum: ['list', 'delete'] } } }],
  ])('if a choice %s deletes (W2)', (_, properties) => {
    const inputSchema = { properties, $defs: { A: { enum: ['list', 'delete'] } } };
    expect(likely({ name: 'get_thing', inputSchema })).toBe('destroys');
  });

  it('unless its program can only select (R6)', () => {
    const inputSchema = { properties: { sql: text } };
    const description = 'Execute a SELECT query';
    expect(likely({ name: 'query_sql', description, inputSchema })).toBe('reads');
  });

  it.each<[string, object]>([
    ['local_path', text],
    ['output', described('Output directory path for downloading')],
    ['path', described('Where the attachment is saved on disk')],
  ])('if it writes a file that the caller names: %s (R2)', (name, schema) => {
    expect(likely({ name: 'get_artifacts', inputSchema: { properties: { [name]: schema } } })).toBe(
      'changes',
    );
  });
});

describe('a claim to only read', () => {
  const choosing = (...options: string[]) => ({ properties: { action: { enum: options } } });
  const because = (tool: Operation) => judge(tool).contradiction?.because;

  it.each<[Operation, string]>([
    [{ name: 'delete_file' }, 'the name says delete'],
    [{ name: 'delete_file', description: 'Lists files' }, 'the name says delete'],
    [{ name: 'get_and_wipe', description: 'Gets rows' }, 'the name says wipe'],
    [{ name: 'ｄｅｌｅｔｅ_rows' }, 'the name says delete'],
    [{ name: 'exec' }, 'the name says exec'],
    [{ name: 'update_row' }, 'the name says update'],
    [{ name: 'add_row' }, 'the name says add'],
    [{ name: 'rows', description: 'Deletes every row.' }, 'the description says delete'],
    [{ name: 'sql', inputSchema: { properties: { sql: text } } }, 'the parameter sql is run'],
    [{ name: 'x', inputSchema: choosing('get', 'set') }, 'the parameter action can be set'],
    [
      { name: 'download_artifacts', inputSchema: { properties: { local_path: text } } },
      'the parameter local_path names an output',
    ],
    [
      { name: 'x', inputSchema: choosing('create', 'delete_all') },
      'the parameter action can be delete_all',
    ],
  ])('is contradicted by %j (R2, W2)', (tool, expected) => {
    expect(because(tool)).toBe(expected);
  });

  it.each<[string, Operation]>([
    ['the name reads', { name: 'list_files' }],
    ['the name has no verb', { name: 'thing' }],
    ['the verb may or may not change something', { name: 'upload_file' }],
    ['the verb is vague', { name: 'run_job' }],
    ['the verb belongs to the thing that is asked for', { name: 'update_history' }],
    ['the name is one word that may add numbers', { name: 'add' }],
    ['the verb is a noun', { name: 'deploy_plan', description: 'Computes a plan' }],
    ['a value may only read', { name: 'x', inputSchema: choosing('list', 'export') }],
    [
      'the program can only select',
      {
        name: 'sql',
        description: 'Runs read-only SQL',
        inputSchema: { properties: { sql: text } },
      },
    ],
    [
      'the program is maybe a question',
      { name: 'run_query', inputSchema: { properties: { query: described('SQL') } } },
    ],
    [
      'a value narrows a list',
      {
        name: 'list_adjustments',
        inputSchema: { properties: { action: { ...described('Filter by it'), enum: ['refund'] } } },
      },
    ],
    ['a parameter only confirms', { name: 'run_x', inputSchema: { properties: { force: {} } } }],
    [
      'an output is attached to the answer',
      {
        name: 'attach_packed_output',
        description: 'Attach an existing packed output file for analysis. This is read-only.',
      },
    ],
  ])('stands if %s (R9)', (_, tool) => {
    expect(because(tool)).toBeUndefined();
  });
});

describe('what an HTTP operation likely does', () => {
  const by = (line: string, name = '', summary?: string) => {
    const [method = '', path = ''] = line.split(' ');
    const found = judge({ name, summary, http: { method, path } });
    return `${found.likely}${found.certainty === 'clear' ? '' : '?'}`;
  };

  it.each([
    ['GET /ships', undefined, 'reads'],
    ['POST /ships', undefined, 'adds'],
    ['POST /ships', 'createShip', 'adds'],
    ['POST /ships/{id}', undefined, 'changes?'],
    ['PUT /ships/{id}', undefined, 'changes'],
    ['DELETE /ships/{id}/flag', 'unsetFlag', 'destroys'],
    ['POST /ships/search', 'searchShips', 'reads?'],
    ['POST /users/{id}/deactivate', undefined, 'changes?'],
    ['POST /jobs/{id}/cancel', undefined, 'destroys?'],
    ['POST /mails/send', 'sendMail', 'sends?'],
    ['POST /customers', 'PostCustomers', 'adds'],
    ['PUT /orders/{id}/refund', undefined, 'sends?'],
    ['GET /sessions/current', 'deleteSession', 'destroys?'],
    ['GET /archive', undefined, 'reads?'],
    ['GET /ships/{id}/frobnicate', undefined, 'runs?'],
  ])('%s (%s): %s', (line, name, expected) => {
    expect(by(line, name)).toBe(expected);
  });
});

describe('a judgement', () => {
  it(
    'tells a search from a delete where hints are missing, and names the words',
    shows('ANN-08', () => {
      expect(judge({ name: 'search_files' })).toMatchObject({
        likely: 'reads',
        because: 'the name says search, nothing contradicts',
      });
      expect(likely({ name: 'delete_files' })).toBe('destroys');
    }),
  );

  it('of a tool is never a proof', () => {
    const { isProvenRead, isUndisputed } = judge({
      name: 'list_files',
      description: 'Lists files',
    });
    expect({ isProvenRead, isUndisputed }).toEqual({ isProvenRead: false, isUndisputed: true });
  });

  it('is made of any value without failing, and always has a reason', () => {
    fc.assert(
      fc.property(fc.string(), fc.anything(), fc.anything(), (name, description, inputSchema) => {
        expect(judge({ name, description, inputSchema }).because).not.toBe('');
      }),
    );
  });

  it('ends on a schema that refers to itself', () => {
    const node = { properties: { next: { $ref: '#' }, sql: text } };
    expect(withoutHanging(() => likely({ name: 'get_node', inputSchema: node }))).toBe('runs');
  });

  const word = fc.constantFrom(
    ...'get list create delete update and or run file user search send the a status of'.split(' '),
  );
  const sentence = fc.array(word, { maxLength: 8 }).map((words) => words.join(' '));

  it('is never read for a name that also states a change, under any description', () => {
    fc.assert(
      fc.property(sentence, fc.constantFrom('delete', 'create', 'update', 'send'), (said, verb) => {
        expect(likely({ name: `get_or_${verb}_user`, description: said })).not.toBe('reads');
      }),
    );
  });

  it('is never lowered by a parameter that runs something', () => {
    fc.assert(
      fc.property(sentence, sentence, (said, title) => {
        const inputSchema = { properties: { sql: text } };
        const tool = { name: 'thing', description: said, title, inputSchema };
        expect(['reads', 'adds', undefined]).not.toContain(likely(tool));
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
    expect(withoutHanging(() => judge({ name, description })).likely).toBe('destroys');
  });
});

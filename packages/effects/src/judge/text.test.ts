import { describe, expect, it } from 'vitest';

import { readText } from './text.js';

const headOf = (text: string) => readText(text).head;
const head = (text: string) => {
  const found = headOf(text);
  return found && `${found.effect} ${found.certainty} ${found.word}`;
};
/** Changes that count for a label, each as `effect word`. */
const changesIn = (text: string) =>
  readText(text)
    .changes.filter(({ certainty }) => certainty !== 'weak')
    .map(({ effect, word }) => `${effect} ${word}`);

describe('the first words of a description', () => {
  it.each([
    ['Lists users.', 'reads clear list'],
    ['Extracts text from a page', 'reads likely extract'],
    ['Verifies a domain', 'reads weak verify'],
    ['Creating an issue', 'adds clear create'],
    ['Updates a row.', 'changes clear update'],
    ['Saves a file.', 'changes likely save'],
    ['Look up a user', 'reads clear look up'],
    ['Look at a user', 'reads likely look'],
    ['Checks a file', 'reads likely check'],
    ['Checks out a branch', 'changes likely check out'],
    ['Check in a guest', 'changes likely check in'],
    ['Translate text to another language', 'reads likely translate'],
    ['Rephrase text', 'reads likely rephrase'],
    ['Wait for text to appear', 'reads likely wait'],
    ['Forward geocode addresses', 'reads clear geocode'],
    // The noun is the verb that counts.
    ['Perform a web search', 'reads clear search'],
    ['Runs multiple search queries', 'reads clear search'],
    ['Carry out the lookup', 'reads clear lookup'],
    ['Conducts deep, broad research', 'reads clear research'],
    ['Execute a SELECT query', 'reads clear select'],
    ['Performs sentiment analysis', 'reads likely analysis'],
    ['Takes a screenshot', 'reads likely screenshot'],
    ['Capture the full page snapshot', 'reads likely screenshot'],
  ])('%j: %s', (text, expected) => {
    expect(head(text)).toBe(expected);
  });

  it.each([
    'This tool allows you to delete files',
    'Use this function when the user wants to delete a file',
    'Use this as the primary tool to delete files (R6)',
    'Call it to delete a file',
    '[Beta] Deletes a file',
    '📁 1. Deletes a file',
    'github | Deletes a file',
    'Note: deletes a file',
    'The file tool is designed to delete files',
    'It lets users delete files',
    'Can be used for deleting files',
    'Please delete a file',
    'Permanently deletes a file',
    'Note: [Beta] this tool will quickly delete a file',
    '\n\n  \n- !\nDeletes a file',
    'X.\nDeletes a file',
    '**Deletes** a file',
  ])('are read after an opening without information: %j', (text) => {
    expect(head(text)).toBe('destroys clear delete');
  });

  it.each([
    '',
    '42',
    '...',
    'The deleted files',
    'A list of files',
    'Information. Deletes it.',
    'Use this tool when the user intends to build a site',
  ])('%j say nothing', (text) => {
    expect(headOf(text)).toBeUndefined();
  });

  it.each([
    ['查询天气', 'reads'],
    ['根据城市名称查询指定城市的天气', 'reads'],
    ['获取并删除消息', 'destroys'],
    ['发送消息', 'sends'],
    ['ユーザーを検索します', 'reads'],
    ['メッセージを送信します', 'sends'],
    ['문서에서 표를 추출합니다', 'reads'],
    ['파일을 삭제합니다', 'destroys'],
    ['Verfügbare Indikatoren auflisten.', 'reads'],
    ['Löscht alle Dateien', 'destroys'],
    ['Obtiene las actividades diarias', 'reads'],
    ['Envía un mensaje', 'sends'],
    ['Lista os bancos', 'reads'],
    ['Supprime un fichier', 'destroys'],
    ['Возвращает сообщения', 'reads'],
    ['Отправляет письмо', 'sends'],
  ])('are read in other languages (R6): %s %s', (text, effect) => {
    expect(headOf(text)?.effect).toBe(effect);
  });
});

describe('a change that is mentioned after the first words', () => {
  it.each([
    ['Lists old files and removes them.', 'destroys remove'],
    ['Lists old files, and then quietly removes them.', 'destroys remove'],
    ['List, or delete, files', 'destroys delete'],
    ['Gets / creates a user', 'adds create'],
    ['Getting & saving a page', 'changes save'],
    ['Details, and delete them', 'destroys delete'],
    ['Lists files and folders and deletes them', 'destroys delete'],
    // A word that is also a noun is a verb before its object, or beside the first verb.
    ['Gets new messages and marks them as read', 'changes mark'],
    ['Summarize a thread and post the summary', 'sends post'],
    ['Read or change settings', 'changes change'],
    ['Read/write a register', 'changes write'],
    // Another form than the first verb.
    ['Saves, overwriting any existing file', 'changes overwrite'],
    ['Gets a job for a worker, marking it as started', 'changes mark'],
    ['Look up a user, creating it if it is missing', 'adds create'],
    ['Check for updates and install them', 'changes install'],
    ['Returns the next item and advances the cursor', 'changes advance'],
    // A clause of its own.
    ['Gets the session (creates a new one if necessary)', 'adds create'],
    ['Check the status; restarts the service if it is down', 'changes restart'],
    ['Retrieve data \u2014 removes it from the queue', 'destroys remove'],
    ['Lee los mensajes y los borra', 'destroys borra'],
    ['Liest Nachrichten und löscht sie', 'destroys löscht'],
    ['Does not only read: it deletes.', 'changes it deletes'],
  ])('in the first sentence: %j', (text, expected) => {
    expect(changesIn(text)[0]).toBe(expected);
  });

  it.each([
    // Another form than the first verb, or a word that is also a noun.
    'Lists files and delete markers',
    'Get files and deleting times',
    'Searches issues and comments.',
    'Lists users and shows them',
    'Search and navigate components',
    'Get a report on storage, credits, and add-on usage',
    // What follows is about something else, or is denied.
    'Lists files before it moves and deletes them',
    'Lists files that were moved and deletes',
    'Lists files without changing, and deletes nothing',
    'Lists android, deletesomething',
    'List files (while read/write tools see notes only)',
    'Lists devices (make, model)',
    'Analyzes data, generating a report',
    'Gets advice for finding files and deleting them',
    // Denied warnings.
    'A non-destructive read. Moves cannot be undone.',
    'Gets a file. It never overwrites an existing file.',
    'Gets a file. No data will be lost.',
    // About things, not about what the tool does.
    'Gets messages. Side effects: none.',
    'Gets messages that are deleted.',
    'Gets messages. Not found if it is deleted.',
    'Gets it. If empty, it creates one.',
    'Gets it. It does not send a mail.',
    'Gets it. Fast. Cheap. Good. It sends a mail.',
    'Gets a page. Create a copy of it.',
    'Gets a page. Comments are sorted.',
    'Gets a page. Performs filtered searches.',
    'Gets a page. Enables agents to work.',
    '获取已删除的文件',
    'Listet gelöschte Dateien auf, löscht nichts',
  ])('is not found in %j', (text) => {
    expect(changesIn(text)).toEqual([]);
  });

  it.each([
    ['Gets a token. The old one will be deleted.', 'destroys will be deleted'],
    ['Gets a token. This CANNOT be undone.', 'destroys cannot be undone'],
    ['Gets a token.\nIrreversible!', 'destroys irreversible'],
    ['Saves it. Overwrites any existing file.', 'destroys overwrites any existing'],
    ['Gets it; never fails. Data will be lost.', 'destroys will be lost'],
    [
      'Creates a page. If the page already exists, it will be updated. (R3)',
      'destroys exists, it will be updated',
    ],
    ['Creates pages. Existing pages are replaced. (R3)', 'destroys existing pages are replaced'],
    ['Get artifacts and save to a local path (R2)', 'changes save'],
    ['Reads a message. The message is deleted afterwards.', 'changes is deleted'],
    ['Reads a message. It is then removed from the queue.', 'changes is then removed'],
    ['Gets messages, which are then marked as read.', 'changes are then marked'],
    ['Gets the session. If there is none, a new one is created.', 'changes a new one is created'],
    ['Gets messages. Side effect: the counter starts again.', 'changes side effect: the'],
    ['Gets it. This tool will also update the cache.', 'changes this tool will also update'],
    ['Gets it. Calling this tool resets the counter.', 'changes this tool resets'],
    ['Gets a page. Downloads it.', 'changes download'],
    ['Gets a page. Fast. Creates a copy of it.', 'adds create'],
    ['Gets messages. Marks them as read.', 'changes mark'],
  ])('in a later sentence: %j', (text, expected) => {
    expect(changesIn(text)[0]).toBe(expected);
  });
});

describe('a description', () => {
  it.each([
    'Read-only.',
    'Gets x. Does not modify anything.',
    'It doesn’t change the file',
    'Never writes to disk',
    'Has no side-effects',
    'Lists without making any changes',
    '云函数统一只读入口',
  ])('that says %j promises only to read', (text) => {
    expect(readText(text).isReadOnly).toBe(true);
  });

  it.each([
    'Reads only the first file',
    'Does not modify2',
    'Deletes a file',
    'Runs a task. If nobody can be asked, the run is read-only.',
    'Runs a task. Read-only mode needs a flag.',
    'Runs a task that is not read-only',
    7,
    undefined,
    null,
  ])('that is %j promises nothing', (text) => {
    expect(readText(text).isReadOnly).toBe(false);
  });

  it('is read up to 4000 characters', () => {
    const after = (length: number) => readText(`${'x'.repeat(length)} read-only`).isReadOnly;
    expect([after(3990), after(3991)]).toEqual([true, false]);
  });
});

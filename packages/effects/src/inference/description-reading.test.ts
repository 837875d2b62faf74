import { describe, expect, it } from 'vitest';

import { readDescription } from './description-reading.js';

const headOf = (description: string) => readDescription(description).head;
const changeIn = (description: string) => readDescription(description).change;
/** A change of unknown extent. */
const somehow = (word: string) => ({
  says: 'change',
  word,
  because: `the description says ${word}`,
});

describe('the first words of a description', () => {
  it.each([
    ['Lists users.', 'read', 'list'],
    ['Extracts text from a page', 'likely-read', 'extract'],
    ['Verifies a domain', 'maybe-read', 'verify'],
    ['Creating an issue', 'write', 'create'],
    ['Updates a row.', 'destructive', 'update'],
    ['Uploads a file.', 'change', 'upload'],
    ['Look up a user', 'read', 'look up'],
    ['Look at a user', 'likely-read', 'look'],
    ['Checks a file', 'likely-read', 'check'],
    ['Checks out a branch', 'change', 'check out'],
    ['Check in a guest', 'change', 'check in'],
  ])('%j say %s: %s', (description, says, word) => {
    expect(headOf(description)).toEqual({
      says,
      word,
      because: `the description says ${word}`,
    });
  });

  it.each([
    ['Perform a web search', 'search'],
    ['Runs multiple search queries', 'search'],
    ['Carry out the lookup', 'lookup'],
    ['Conducts deep, broad research', 'research'],
  ])('%j name a read, although their verb does not', (description, word) => {
    expect(headOf(description)).toMatchObject({ says: 'read', word });
  });

  it.each(['Takes a screenshot', 'Capture the full page snapshot', 'grabs two screenshots'])(
    '%j probably read',
    (description) => {
      expect(headOf(description)?.says).toBe('likely-read');
    },
  );

  it.each([
    'This tool allows you to delete files',
    'Use this function when the user wants to delete a file',
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
  ])('are read after an opening without information: %j', (description) => {
    expect(headOf(description)).toMatchObject({ says: 'destructive', word: 'delete' });
  });

  it.each(['', '42', '...', 'The deleted files', 'A list of files', 'Information. Deletes it.'])(
    '%j say nothing',
    (description) => {
      expect(headOf(description)).toBeUndefined();
    },
  );
});

describe('a change that is mentioned after the first words', () => {
  it.each([
    ['Lists old files and removes them.', 'destructive', 'remove'],
    ['Lists old files, removes them.', 'destructive', 'remove'],
    ['Lists old files, and removes them.', 'destructive', 'remove'],
    ['Lists old files, then removes them.', 'destructive', 'remove'],
    ['Lists old files, and then quietly removes them.', 'destructive', 'remove'],
    ['List, or delete, files', 'destructive', 'delete'],
    ['Gets / creates a user', 'write', 'create'],
    ['Getting & saving a page', 'change', 'save'],
    ['Details, and delete them', 'destructive', 'delete'],
    ['Lists files and folders and deletes them', 'destructive', 'delete'],
    // A word that is also a noun is a verb before its object, or beside the first verb.
    ['Gets new messages and marks them as read', 'destructive', 'mark'],
    ['Summarize a thread and post the summary', 'write', 'post'],
    ['Read or change settings', 'destructive', 'change'],
    ['Read/write a register', 'destructive', 'write'],
    // Another form than the first verb.
    ['Saves, overwriting any existing file', 'destructive', 'overwrite'],
    ['Gets a job for a worker, marking it as started', 'destructive', 'mark'],
    ['Look up a user, creating it if it is missing', 'write', 'create'],
    ['Check for updates and install them', 'destructive', 'install'],
    ['Returns the next item and advances the cursor', 'change', 'advance'],
    // A clause of its own.
    ['Gets the session (creates a new one if necessary)', 'write', 'create'],
    ['Check the status; restarts the service if it is down', 'destructive', 'restart'],
    ['Retrieve data \u2014 removes it from the queue', 'destructive', 'remove'],
  ])('by a second verb: %j', (description, says, word) => {
    expect(changeIn(description)).toEqual({
      says,
      word,
      because: `the description says ${word}`,
    });
  });

  it.each([
    // Another form than the first verb, or a word that is also a noun.
    'Lists files and delete markers',
    'Get files and deleting times',
    'Searches issues and comments.',
    'Lists users and shows them',
    // What follows is about something else, or is denied.
    'Lists files before it moves and deletes them',
    'Lists files that were moved and deletes',
    'Lists files without changing, and deletes nothing',
    'Lists android, deletesomething',
    'List files (while read/write tools see notes only)',
    'Lists devices (make, model)',
    'Analyzes data, generating a report',
    'Gets advice for finding files and deleting them',
  ])('is not found in %j', (description) => {
    expect(changeIn(description)).toBeUndefined();
  });

  it.each([
    ['Gets a token. The old one will be deleted.', 'will be deleted'],
    ['Gets a token. This CANNOT be undone.', 'cannot be undone'],
    ['Gets a token.\nIrreversible!', 'irreversible'],
    ['Saves it. Overwrites any existing file.', 'overwrites any existing'],
    ['Gets it; never fails. Data will be lost.', 'will be lost'],
  ])('by a warning: %j', (description, word) => {
    expect(changeIn(description)).toMatchObject({ says: 'destructive', word });
  });

  it.each([
    'A non-destructive read. Moves cannot be undone.',
    'Gets a file. It never overwrites an existing file.',
    'Gets a file. No data will be lost.',
  ])('is not found in a warning that is denied: %j', (description) => {
    expect(changeIn(description)).toBeUndefined();
  });

  it.each([
    ['Reads a message. The message is deleted afterwards.', 'is deleted'],
    ['Reads a message. It is then removed from the queue.', 'is then removed'],
    ['Gets messages, which are then marked as read.', 'are then marked'],
    ['Gets messages. Fetched ones are marked as seen.', 'are marked as seen'],
    ['Gets the session. If there is none, a new one is created.', 'a new one is created'],
    ['Gets messages. Side effect: the counter starts again.', 'side effect: the'],
    ['Gets messages. Side effects: none.', undefined],
    ['Gets messages that are deleted.', undefined],
    ['Gets messages. Not found if it is deleted.', undefined],
  ])('by what happens to the thing: %j', (description, word) => {
    expect(changeIn(description)).toEqual(word && somehow(word));
  });

  it.each([
    ['Gets it. This tool will also update the cache.', 'this tool will also update'],
    ['Gets it. If empty, it creates one.', undefined],
    ['Gets it. It sends a mail.', 'it sends'],
    ['Gets it. It does not send a mail.', undefined],
    ['Gets it. This empties the queue.', 'this empties'],
    ['Gets it. Calling this tool resets the counter.', 'this tool resets'],
    ['Gets it. Fast. Cheap. It sends a mail.', 'it sends'],
    ['Gets it. Fast. Cheap. Good. It sends a mail.', undefined],
  ])('by a sentence about the tool itself, among the first four: %j', (description, word) => {
    expect(changeIn(description)).toEqual(word && somehow(word));
  });

  it.each([
    ['Gets a page. Downloads it.', 'download'],
    ['Gets a page. Saves it.', 'save'],
    ['Gets a page. Creates a copy of it.', 'create'],
    ['Gets a page. Fast. Creates a copy of it.', 'create'],
    ['Gets a page. Fast. Cheap. Creates a copy of it.', undefined],
    ['Gets a page. Create a copy of it.', undefined],
    ['Gets a page. Comments are sorted.', undefined],
    ['Gets messages. Marks them as read.', 'mark'],
    ['Gets messages. Drains the buffer.', 'drain'],
    ['Gets a page. Returns its text.', undefined],
    ['Gets a page. 20 pages at most.', undefined],
    ['Gets a page. Performs filtered searches.', undefined],
    ['Gets a page. Enables agents to work.', undefined],
    ['Deletes a page', undefined],
  ])('by the verb of the second or third sentence: %j', (description, word) => {
    expect(changeIn(description)).toEqual(word && somehow(word));
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
  ])('that says %j promises only to read', (description) => {
    expect(readDescription(description).isReadOnly).toBe(true);
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
  ])('that is %j promises nothing', (description) => {
    expect(readDescription(description).isReadOnly).toBe(false);
  });

  it('is read up to 4000 characters', () => {
    const after = (length: number) => readDescription(`${'x'.repeat(length)} read-only`).isReadOnly;
    expect([after(3990), after(3991)]).toEqual([true, false]);
  });

  it('says nothing more than what was found', () => {
    expect(readDescription('Information')).toStrictEqual({ isReadOnly: false });
    expect(readDescription(42)).toStrictEqual({ isReadOnly: false });
  });
});

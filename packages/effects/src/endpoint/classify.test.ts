import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { type ClassifiedTool, classify } from './classify.js';
import { endpointHints, ENDPOINTS } from '../hints/endpoints.js';
import { SPEC_DEFAULTS, type StatedHints } from '../hints/hints.js';
import { PRESETS } from '../hints/presets.js';
import { everyStatement } from '../testing/statements.js';

const because = (tool: ClassifiedTool) => classify(tool).because;

describe('classifying by the hints of a server', () => {
  it.each<[string, StatedHints, string, string]>([
    // A read-only tool reads, under any name.
    ['directory_tree', { readOnlyHint: true }, 'read', 'high'],
    ['trigger_preview', PRESETS.READ_ONLY_DEFAULT, 'read', 'medium'],
    // A destructive one updates, deletes or executes, as its verb says.
    ['write_file', { destructiveHint: true }, 'update', 'high'],
    ['delete_file', { destructiveHint: true }, 'delete', 'high'],
    ['archive_project', { destructiveHint: true }, 'update', 'high'],
    ['send_mail', PRESETS.WRITE_DESTRUCTIVE_OPEN_WORLD, 'execute', 'high'],
    ['directory_tree', { destructiveHint: true }, 'execute', 'medium'],
    ['get_file', { destructiveHint: true }, 'execute', 'medium'],
    // Not destructive and repeatable: an update, unless it is named as a create.
    ['theme', PRESETS.WRITE_IDEMPOTENT, 'update', 'high'],
    ['set_theme', PRESETS.WRITE_IDEMPOTENT, 'update', 'high'],
    ['upsert_chart', PRESETS.WRITE_IDEMPOTENT, 'update', 'high'],
    ['create_directory', PRESETS.WRITE_IDEMPOTENT, 'create', 'high'],
    // Not destructive and not repeatable: by its verb, else a create.
    ['add_comment', PRESETS.WRITE_ADDITIVE, 'create', 'high'],
    ['rename_file', PRESETS.WRITE_ADDITIVE, 'update', 'high'],
    ['run_job', PRESETS.WRITE_ADDITIVE, 'execute', 'high'],
    ['remove_label', PRESETS.WRITE_ADDITIVE, 'delete', 'medium'],
    ['ticket', PRESETS.WRITE_ADDITIVE, 'create', 'medium'],
    // It writes and says no more: by its verb, or else the most cautious endpoint.
    ['add_comment', { readOnlyHint: false }, 'create', 'high'],
    ['get_token', { readOnlyHint: false }, 'execute', 'medium'],
    // A contradiction is read as destructive.
    ['wipe_disk', { readOnlyHint: true, destructiveHint: true }, 'delete', 'high'],
    ['report', { readOnlyHint: true, destructiveHint: true }, 'execute', 'medium'],
  ])('puts %s with %o under %s, %s', (name, annotations, endpoint, confidence) => {
    expect(classify({ name, annotations, trust: 'full' })).toMatchObject({
      endpoint,
      confidence,
    });
  });

  it.each<[string, StatedHints, string]>([
    ['delete_all_files', { readOnlyHint: true }, 'read'],
    ['send_mail', PRESETS.WRITE_IDEMPOTENT, 'update'],
    ['get_theme', PRESETS.WRITE_IDEMPOTENT, 'update'],
  ])('is not sure of %s with %o, which a clear verb contradicts', (name, annotations, endpoint) => {
    const found = classify({ name, annotations, trust: 'full' });
    expect(found).toMatchObject({ endpoint, confidence: 'medium' });
    expect(found.because).toMatch(/^it says .*, although the name says [a-z]+/);
  });

  it.each(ENDPOINTS)('finds %s again from its own hints and verb', (endpoint) => {
    for (const openWorld of [true, false]) {
      const annotations = endpointHints(endpoint, { openWorld });
      const name = `apple_mail_mcpaql_${endpoint}`;
      expect(classify({ name, annotations, trust: 'full' }).endpoint).toBe(endpoint);
    }
  });

  it('ignores hints that are not booleans', () => {
    const annotations = { readOnlyHint: 'true', destructiveHint: 1 };
    expect(classify({ name: 'delete_file', annotations, trust: 'full' })).toEqual(
      classify({ name: 'delete_file' }),
    );
  });
});

describe('classifying by the hints of a server that is not trusted', () => {
  const claims = everyStatement();

  it('never believes that a tool only reads', () => {
    const annotations = PRESETS.READ_ONLY_DEFAULT;
    expect(classify({ name: 'delete_all_files', annotations, trust: 'none' })).toMatchObject({
      endpoint: 'delete',
      because: 'the name says delete',
    });
    expect(classify({ name: 'thing', annotations, trust: 'none' }).endpoint).toBe('execute');
  });

  it('believes what makes a tool more dangerous', () => {
    const annotations = { readOnlyHint: false, destructiveHint: true };
    expect(classify({ name: 'get_user', annotations, trust: 'none' })).toMatchObject({
      endpoint: 'execute',
    });
    expect(
      classify({ name: 'get_user', annotations: { readOnlyHint: false }, trust: 'none' }).endpoint,
    ).toBe('execute');
  });

  it('never lowers the risk because of a claim', () => {
    for (const name of [
      'delete_file',
      'run_job',
      'create_file',
      'set_theme',
      'get_user',
      'thing',
    ]) {
      const without = classify({ name });
      for (const annotations of claims) {
        const found = classify({ name, annotations, trust: 'none' });
        if (without.endpoint !== 'read') expect(found.endpoint).not.toBe('read');
      }
    }
  });
});

describe('classifying by name', () => {
  it.each([
    ['get_execution_status', 'read', 'high'],
    ['list_users', 'read', 'high'],
    ['upsert_row', 'update', 'high'],
    ['create_or_update_file', 'update', 'high'],
    ['send_message', 'execute', 'high'],
    ['publish_post', 'execute', 'medium'],
    ['purge_cache', 'delete', 'high'],
    ['file_rename', 'update', 'high'],
    ['list_delete', 'delete', 'medium'],
    ['findByIdAndDelete', 'delete', 'high'],
    ['email_search', 'read', 'high'],
  ])('puts %s under %s, %s', (name, endpoint, confidence) => {
    expect(classify({ name })).toMatchObject({ endpoint, confidence });
  });
});

describe('classifying by description', () => {
  it.each([
    ['Get a recursive tree view of a directory.', 'read', 'high'],
    ['Fetches a page.', 'read', 'high'],
    ['Deletes the file.', 'delete', 'high'],
    ['Lists old files and removes them.', 'delete', 'high'],
    ['Toggles logging.', 'update', 'high'],
    ['Queries the database.', 'read', 'medium'],
    ['Copies a file.', 'create', 'low'],
    ['Applies a patch.', 'update', 'high'],
    ['Modifies a row.', 'update', 'high'],
    ['Verifies a token.', 'read', 'low'],
    ['Handles the thing.', 'update', 'medium'],
  ])('puts a tool that says "%s" under %s, %s', (description, endpoint, confidence) => {
    expect(classify({ name: 'thing', description })).toMatchObject({ endpoint, confidence });
  });

  it('outweighs the name if only it states a harm', () => {
    expect(classify({ name: 'get_file', description: 'Deletes a file.' }).endpoint).toBe('delete');
  });
});

describe('a classification', () => {
  it('names its evidence', () => {
    const trust = 'full';
    expect(because({ name: 'x', annotations: PRESETS.WRITE_IDEMPOTENT, trust })).toBe(
      'it says destructiveHint false and idempotentHint true',
    );
    expect(because({ name: 'drop_table', annotations: { destructiveHint: true }, trust })).toBe(
      'it says destructiveHint true, and the name says drop',
    );
    expect(because({ name: 'drop_table' })).toBe('the name says drop');
    expect(because({ name: 'x', description: 'Drops a table.' })).toBe('the description says drop');
    expect(because({ name: 'x', description: 'Applies a patch.' })).toBe(
      'the description says apply',
    );
    expect(because({ name: 'x' })).toBe('nothing says what it does');
  });

  it('is the most cautious one where nothing is known', () => {
    const { endpoint, confidence } = classify({ name: 'x' });
    expect([endpoint, confidence]).toEqual(['execute', 'low']);
    expect(endpointHints(endpoint, { openWorld: true })).toEqual(SPEC_DEFAULTS);
  });

  it('is found for any value', () => {
    fc.assert(
      fc.property(fc.string(), fc.anything(), fc.anything(), (name, annotations, description) => {
        expect(ENDPOINTS).toContain(classify({ name, annotations, description }).endpoint);
      }),
    );
  });
});

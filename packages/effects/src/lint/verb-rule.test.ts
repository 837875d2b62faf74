import { describe, expect, it } from 'vitest';

import type { StatedHints } from '../hints/hints.js';
import { PRESETS } from '../hints/presets.js';
import { lintAnnotations } from './lint-annotations.js';
import { verbAgainstHint } from './verb-rule.js';

function conflicts(name: string, annotations: StatedHints): string[] {
  return verbAgainstHint
    .check([{ name, annotations }])
    .map(({ severity, message }) => `${severity}: ${message}`);
}

describe('verb-against-hint', () => {
  it.each([
    'delete_file',
    'delete_report',
    'removeUser',
    'create_issue',
    'add_comment',
    'update-record',
    'send_email',
    'write_file',
    'drop_table',
    'github_delete_branch',
    'github:delete_branch',
    'lightdash_tools__delete_chart',
    'kill_process',
    'terminate_instance',
    'deploy_app',
    'cancel_order',
    'restart_server',
    'stop_server',
    'execute_sql',
    'update_status',
    'set_status',
    'delete_history',
    'send_preview',
  ])('is an error where %s says that it only reads', (name) => {
    const [found, ...more] = conflicts(name, { readOnlyHint: true });
    expect(found).toMatch(/^error: Is named "[a-z]+" and states readOnlyHint: true\.$/);
    expect(more).toEqual([]);
  });

  it('names its readers', () => {
    const findings = lintAnnotations([
      { name: 'delete_file', annotations: { readOnlyHint: true } },
    ]);
    expect(findings.find(({ rule }) => rule === 'verb-against-hint')).toMatchObject({
      clients: ['claude-code', 'codex', 'cursor', 'vscode'],
      audiences: ['Anthropic directory', 'OpenAI app review'],
    });
  });

  it('is a warning where a delete says that it destroys nothing', () => {
    expect(conflicts('purge_cache', { destructiveHint: false })).toEqual([
      'warning: Is named "purge" and states destructiveHint: false.',
    ]);
  });

  it('is a warning where a tool that sends messages claims a closed world', () => {
    expect(conflicts('send_sms', { openWorldHint: false })).toEqual([
      'warning: Is named "send" and states openWorldHint: false.',
    ]);
  });

  it('is a note where a create destroys', () => {
    expect(conflicts('create_file', PRESETS.WRITE_DESTRUCTIVE)).toEqual([
      'info: Is named "create" and states destructiveHint: true.',
    ]);
  });

  it('is a warning where a read writes or destroys', () => {
    expect(conflicts('get_user', PRESETS.WRITE_DESTRUCTIVE)).toEqual([
      'warning: Is named "get" and states readOnlyHint: false.',
      'warning: Is named "get" and states destructiveHint: true.',
    ]);
  });

  it.each<[string, StatedHints]>([
    // Two verbs: the riskier one decides, with less confidence.
    ['get_or_create', PRESETS.WRITE_IDEMPOTENT],
    ['list_and_delete', PRESETS.WRITE_DESTRUCTIVE],
    ['create_or_update_file', PRESETS.WRITE_DESTRUCTIVE],
    // Made or computed for the answer alone.
    ['create_report', PRESETS.READ_ONLY_DEFAULT],
    ['create_bar_chart', PRESETS.READ_ONLY_DEFAULT],
    ['add', PRESETS.READ_ONLY_DEFAULT],
    ['add_numbers', PRESETS.READ_ONLY_DEFAULT],
    // To run something can be a read.
    ['run_query', PRESETS.READ_ONLY_DEFAULT],
    ['start_search', PRESETS.READ_ONLY_DEFAULT],
    ['trigger-long-running-operation', PRESETS.READ_ONLY_DEFAULT],
    // The verb is part of the requested thing.
    ['edit_distance', PRESETS.READ_ONLY_DEFAULT],
    ['remove_background', PRESETS.READ_ONLY_DEFAULT],
    ['delete_preview', PRESETS.READ_ONLY_DEFAULT],
    ['set_intersection', PRESETS.READ_ONLY_DEFAULT],
    ['update_history', PRESETS.READ_ONLY_DEFAULT],
    ['patch_notes', PRESETS.READ_ONLY_DEFAULT],
    ['upload_status', PRESETS.READ_ONLY_DEFAULT],
    ['deploy_status', PRESETS.READ_ONLY_DEFAULT],
    // Another word may be the verb.
    ['email_search', PRESETS.READ_ONLY_DEFAULT],
    ['list_delete', PRESETS.WRITE_DESTRUCTIVE],
    ['findOneAndUpdate', PRESETS.WRITE_DESTRUCTIVE],
    // Verbs with too many meanings, and nouns.
    ['generate_image', PRESETS.READ_ONLY_OPEN_WORLD],
    ['checkout_branch', PRESETS.WRITE_ADDITIVE],
    ['query_database', PRESETS.WRITE_DESTRUCTIVE],
    ['target_list', PRESETS.WRITE_ADDITIVE],
    ['project_status_update', PRESETS.READ_ONLY_DEFAULT],
    // Name and hints agree.
    ['delete_file', PRESETS.WRITE_DESTRUCTIVE],
    ['get_page', PRESETS.READ_ONLY_OPEN_WORLD],
    ['send_email', PRESETS.WRITE_DESTRUCTIVE_OPEN_WORLD],
    ['write_file', PRESETS.WRITE_DESTRUCTIVE],
    ['delete_file', {}],
  ])('accepts %s', (name, annotations) => {
    expect(conflicts(name, annotations)).toEqual([]);
  });
});

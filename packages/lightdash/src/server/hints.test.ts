/** The hints of every tool, and the tools of each safety mode. */

import {
  READ_ONLY_DEFAULT,
  SAFETY_MODES,
  type SafetyMode,
  WRITE_ADDITIVE,
  WRITE_DESTRUCTIVE,
  WRITE_IDEMPOTENT,
} from '@callsign/toolkit';
import { describe, expect, it } from 'vitest';

import { clientOf, stageOf, startSandbox } from '../testing/stage.js';

const TEN = [
  'list_projects',
  'get_project',
  'list_charts',
  'list_dashboards',
  'list_spaces',
  'get_space',
  'list_organization_members',
  'get_member',
  'list_groups',
  'get_group',
];
const READ = [
  'search_content',
  'list_explores',
  'get_explore',
  'list_dimensions',
  'list_metrics',
  'compile_query',
  'run_query',
  'list_charts_as_code',
  'list_group_members',
  'list_tags',
  'list_schedulers',
  'get_validation_results',
  'get_field_lineage',
  'search_field_values',
  'list_dashboards_as_code',
  'resolve_url',
  'get_chart_results',
];
/** lightdash-tools labels `create_group` idempotent, but a second call creates a second group. */
const ADDITIVE = ['create_group', 'create_space'];
const IDEMPOTENT = [
  'upsert_chart_as_code',
  'grant_user_space_access',
  'grant_group_space_access',
  'update_group',
  'add_user_to_group',
  'validate_project',
  'upsert_dashboard_as_code',
];
const DESTRUCTIVE = [
  'revoke_user_space_access',
  'revoke_group_space_access',
  'delete_group',
  'remove_user_from_group',
  'delete_member',
  'run_sql',
];
const ALL = [...TEN, ...READ, ...ADDITIVE, ...IDEMPOTENT, ...DESTRUCTIVE];

async function stage(safetyMode: SafetyMode | undefined) {
  const sandbox = await startSandbox();
  const { mcp, names, call } = await stageOf(clientOf(sandbox), { safetyMode });
  const short = async (): Promise<string[]> =>
    (await names()).map((name) => name.replace('lightdash_tools__', '')).toSorted();
  return { sandbox, mcp, short, call };
}

describe('the hints', () => {
  it.each([
    ['read', READ_ONLY_DEFAULT, [...TEN, ...READ]],
    ['add', WRITE_ADDITIVE, ADDITIVE],
    ['set', WRITE_IDEMPOTENT, IDEMPOTENT],
    ['destroy', WRITE_DESTRUCTIVE, DESTRUCTIVE],
  ])('of tools that %s are all four of their preset', async (_, preset, expected) => {
    const { mcp } = await stage('write-destructive');
    const { tools } = await mcp.listTools();
    const own = tools.filter(({ name }) => expected.includes(name.split('__').at(-1)!));
    expect(own).toHaveLength(expected.length);
    for (const { annotations, title } of own) expect(annotations).toEqual({ ...preset, title });
  });

  it('of a destructive tool come with the advice to ask first', async () => {
    const { mcp } = await stage('write-destructive');
    const { tools } = await mcp.listTools();
    for (const { annotations, description } of tools) {
      expect(description?.endsWith('sk the user first.')).toBe(annotations?.destructiveHint);
    }
  });
});

describe('a safety mode', () => {
  const LISTED: readonly (readonly [SafetyMode | undefined, readonly string[]])[] = [
    [undefined, TEN],
    ['read-only', [...TEN, ...READ]],
    ['write-idempotent', [...TEN, ...READ, ...ADDITIVE, ...IDEMPOTENT]],
    ['write-destructive', ALL],
  ];

  it('is each of these', () => {
    expect(LISTED.flatMap(([mode]) => mode ?? [])).toEqual(SAFETY_MODES);
  });

  it.each(LISTED)('%s lists its tools, and refuses all others', async (mode, expected) => {
    const { sandbox, short, call } = await stage(mode);
    expect(await short()).toEqual(expected.toSorted());
    for (const name of ALL.filter((each) => !expected.includes(each))) {
      await expect(call(name), name).rejects.toThrow(/not found/i);
    }
    expect(sandbox.requests).toEqual([]);
  });
});

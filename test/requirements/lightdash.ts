/** What the Lightdash server and its helper promise: one prefix and ten labelled tools. */

import type { Level, Owner, Requirement } from './requirement.js';

const decision = <const Id extends string>(id: Id, level: Level, owner: Owner) => ({
  says: (says: string) => ({ id, topic: 'lightdash prefix decision', level, says, owner }) as const,
});

const design = <const Id extends string>(id: Id, level: Level, owner: Owner) => ({
  says: (says: string) => ({ id, topic: 'lightdash prefix design', level, says, owner }) as const,
});

export const LIGHTDASH = [
  decision('LDP-01', 'must', 'naming').says(
    'The same short name under two different prefixes gives two different full names.',
  ),
  decision('LDP-02', 'may', 'naming').says(
    'The prefix may be one that the user chose: `{prefix}{tool}` renders with any prefix given.',
  ),
  decision('LDP-03', 'rule', 'effects').says(
    'The annotation fields are `title`, `readOnlyHint`, `destructiveHint`, `idempotentHint` and ' +
      '`openWorldHint`, and each of the five may be left out.',
  ),
  decision('LDP-04', 'must', 'lightdash').says(
    'Every tool that the Lightdash server lists has a name that begins with `lightdash_tools__`.',
  ),
  decision('LDP-05', 'must', 'naming').says(
    'Under the prefix `lightdash_tools__` the short name `list_charts` is written ' +
      '`lightdash_tools__list_charts`: prefix and short name without anything between them.',
  ),
  decision('LDP-06', 'must', 'toolkit').says(
    'An author registers a tool by its short name, and the helper alone puts the prefix in front.',
  ),
  decision('LDP-07', 'may', 'toolkit').says(
    'A registration may carry a `title` and `annotations`, and is accepted without either.',
  ),
  decision('LDP-08', 'must', 'toolkit').says(
    'Merging the defaults `readOnlyHint: true` and `openWorldHint: false` with no hints of the ' +
      'tool gives exactly those two values.',
  ),
  decision('LDP-09', 'must', 'toolkit').says(
    'If a default and a tool both state a hint, the value of the tool is used, `false` included.',
  ),
  decision('LDP-10', 'must', 'toolkit').says(
    'A tool that overrides one hint keeps the defaults of the others: the merge goes key by key.',
  ),
  decision('LDP-11', 'must', 'lightdash').says(
    'Every Lightdash tool has a title in words for people, such as `List charts` or `Get project`.',
  ),
  decision('LDP-12', 'rule', 'lightdash').says(
    'The Lightdash tools only read, and they talk to no other host than the configured Lightdash.',
  ),
  decision('LDP-13', 'must', 'effects').says(
    'Hints are available as named presets, and each preset states all four hints explicitly.',
  ),
  decision('LDP-14', 'must', 'lightdash').says(
    'Every registration of the Lightdash server names a preset at the call site.',
  ),
  decision('LDP-15', 'must', 'toolkit').says(
    'Under the strict flag a registration without explicit annotations is refused.',
  ),
  decision('LDP-16', 'rule', 'toolkit').says(
    'Prefix and default hints are each set in one place: changing it there changes every tool.',
  ),
  decision('LDP-17', 'rule', 'toolkit').says(
    'A newly registered tool gets the prefix and the default hints automatically.',
  ),
  decision('LDP-18', 'must', 'lightdash').says(
    'A short name without the prefix, such as `list_charts`, is not callable: it is an unknown ' +
      'tool.',
  ),
  decision('LDP-19', 'rule', 'lightdash').says(
    'Tools are found by `tools/list` as before; the prefix changes only the reported names.',
  ),

  design('LDD-01', 'must', 'naming').says(
    'A tool name has 1 to 128 characters: the empty name and one of 129 fail the name check, ' +
      'names of 1 and of 128 pass.',
  ),
  design('LDD-02', 'must', 'toolkit').says(
    '`TOOL_PREFIX` is an exported constant and its value is `lightdash_tools__`.',
  ),
  design('LDD-03', 'must', 'lightdash').says(
    'No registration of the Lightdash server contains the prefix: call sites have short names only.',
  ),
  design('LDD-04', 'must', 'toolkit').says(
    '`registerToolSafe` takes four arguments: the server, the short name, the options, the ' +
      'handler.',
  ),
  design('LDD-05', 'must', 'toolkit').says(
    '`registerToolSafe` registers the tool with the SDK under `TOOL_PREFIX` plus the short name.',
  ),
  design('LDD-06', 'must', 'toolkit').says(
    'Description, input schema, title and annotations of the options all reach the definition ' +
      'that `tools/list` reports.',
  ),
  design('LDD-07', 'must', 'toolkit').says(
    'The handler given to `registerToolSafe` is the one that answers a call of the prefixed name.',
  ),
  design('LDD-08', 'may', 'toolkit').says(
    'The options may hold `title`, a string; without it the definition has no title.',
  ),
  design('LDD-09', 'may', 'toolkit').says(
    'The options may hold `annotations` with any of `title`, `readOnlyHint`, `destructiveHint`, ' +
      '`idempotentHint` and `openWorldHint`, and no other field type-checks.',
  ),
  design('LDD-10', 'must', 'toolkit').says(
    '`DEFAULT_ANNOTATIONS` is exactly `{ readOnlyHint: true, openWorldHint: false }`.',
  ),
  design('LDD-11', 'must', 'toolkit').says(
    'A tool registered without annotations is listed with the default annotations.',
  ),
  design('LDD-12', 'must', 'toolkit').says(
    'A tool registered with `readOnlyHint: false` alone is listed with that value and with the ' +
      'default `openWorldHint: false`.',
  ),
  design('LDD-13', 'must', 'lightdash').says('The Lightdash server lists exactly ten tools.'),
  design('LDD-14', 'rule', 'lightdash').says(
    '`lightdash_tools__list_projects` is served under the title `List projects`.',
  ),
  design('LDD-15', 'rule', 'lightdash').says(
    '`lightdash_tools__get_project` is served under the title `Get project`.',
  ),
  design('LDD-16', 'rule', 'lightdash').says(
    '`lightdash_tools__list_charts` is served under the title `List charts`.',
  ),
  design('LDD-17', 'rule', 'lightdash').says(
    '`lightdash_tools__list_dashboards` is served under the title `List dashboards`.',
  ),
  design('LDD-18', 'rule', 'lightdash').says(
    '`lightdash_tools__list_spaces` is served under the title `List spaces`.',
  ),
  design('LDD-19', 'rule', 'lightdash').says(
    '`lightdash_tools__get_space` is served under the title `Get space`.',
  ),
  design('LDD-20', 'rule', 'lightdash').says(
    '`lightdash_tools__list_organization_members` is served under the title `List organization ' +
      'members`.',
  ),
  design('LDD-21', 'rule', 'lightdash').says(
    '`lightdash_tools__get_member` is served under the title `Get member`.',
  ),
  design('LDD-22', 'rule', 'lightdash').says(
    '`lightdash_tools__list_groups` is served under the title `List groups`.',
  ),
  design('LDD-23', 'rule', 'lightdash').says(
    '`lightdash_tools__get_group` is served under the title `Get group`.',
  ),
  design('LDD-24', 'must', 'lightdash').says(
    'All ten tools are served with `readOnlyHint: true` and `openWorldHint: false`.',
  ),
  design('LDD-25', 'rule', 'lightdash').says(
    'None of the ten tools is served with `destructiveHint: true` or `idempotentHint: false`.',
  ),
  design('LDD-26', 'must', 'lightdash').says(
    'Every call of `registerToolSafe` in the Lightdash server passes a title.',
  ),
  design('LDD-27', 'rule', 'lightdash').says(
    'The ten tools are registered by six domain modules: projects, charts, dashboards, spaces, ' +
      'users and groups.',
  ),
  design('LDD-28', 'rule', 'lightdash').says(
    'The changelog tells users of the Lightdash tools that their names have the prefix.',
  ),
] as const satisfies readonly Requirement[];

/** What MCPAQL adapters promise: names scoped to the adapter, labelled endpoints, an identity. */

import type { Level, Owner, Requirement } from './requirement.js';

const aql = <const Id extends string>(id: Id, level: Level, owner: Owner) => ({
  says: (says: string) => ({ id, topic: 'adapter tool names', level, says, owner }) as const,
});

export const ADAPTERS = [
  aql('AQL-01', 'must', 'naming').says(
    'Adapters of different names never share a tool name: `apple-mail` and `github-api` have no ' +
      'name in common under the default pattern.',
  ),
  aql('AQL-02', 'rule', 'naming').says(
    'The name alone identifies adapter and endpoint: `apple_mail_mcpaql_read` is parsed as the ' +
      'adapter `apple_mail` and the endpoint `read`.',
  ),
  aql('AQL-03', 'must', 'naming').says(
    'The pattern of adapter tool names is `{adapter}_mcpaql_{endpoint}` unless another is chosen.',
  ),
  aql('AQL-04', 'rule', 'naming').says(
    'The create endpoint of the adapter `apple-mail` is named `apple_mail_mcpaql_create`.',
  ),
  aql('AQL-05', 'rule', 'naming').says(
    'The read endpoint of the adapter `apple-mail` is named `apple_mail_mcpaql_read`.',
  ),
  aql('AQL-06', 'rule', 'naming').says(
    'The update endpoint of the adapter `apple-mail` is named `apple_mail_mcpaql_update`.',
  ),
  aql('AQL-07', 'rule', 'naming').says(
    'The delete endpoint of the adapter `apple-mail` is named `apple_mail_mcpaql_delete`.',
  ),
  aql('AQL-08', 'rule', 'naming').says(
    'The execute endpoint of the adapter `apple-mail` is named `apple_mail_mcpaql_execute`.',
  ),
  aql('AQL-09', 'rule', 'naming').says(
    'The adapter `github-api` offers `github_api_mcpaql_read` and `github_api_mcpaql_execute`.',
  ),
  aql('AQL-10', 'must', 'naming').says(
    'A pattern without the full brand `mcpaql`, such as `{adapter}_aql_{endpoint}`, is refused.',
  ),
  aql('AQL-11', 'must', 'naming').says(
    'A name that contains only `aql`, such as `apple_mail_aql_read`, does not count as the name ' +
      'of an adapter tool.',
  ),
  aql('AQL-12', 'must', 'naming').says(
    '`{adapter}` is the name of the adapter in snake case: `apple-mail` gives `apple_mail`.',
  ),
  aql('AQL-13', 'must', 'naming').says(
    '`{endpoint}` is one of `create`, `read`, `update`, `delete` and `execute`; a name that ends ' +
      'in another word is not parsed as an adapter tool.',
  ),
  aql('AQL-14', 'rule', 'naming').says(
    'An adapter pattern may have the variables `{adapter}` and `{endpoint}`; any other is refused.',
  ),
  aql('AQL-15', 'may', 'naming').says(
    'The bare pattern `mcpaql_{endpoint}` is accepted and gives names such as `mcpaql_read`.',
  ),
  aql('AQL-16', 'should', 'mcpaql').says(
    'The bare names are opt-in: even the only adapter of a deployment has scoped names by default.',
  ),
  aql('AQL-17', 'rule', 'mcpaql').says(
    'The bare pattern is for one adapter: two adapters that use it together are refused, and the ' +
      'message names both.',
  ),
  aql('AQL-18', 'must', 'mcpaql').says(
    'The adapter schema has a field `tool_names.pattern`, and the adapter serves the names that ' +
      'this pattern gives.',
  ),
  aql('AQL-19', 'rule', 'mcpaql').says(
    'An adapter lists none of the old shared names `mcp_aql_create`, `mcp_aql_read`, ' +
      '`mcp_aql_update`, `mcp_aql_delete` and `mcp_aql_execute` unless asked to.',
  ),
  aql('AQL-20', 'rule', 'mcpaql').says(
    'The documentation of the adapters shows how to move from each `mcp_aql_*` name to its new ' +
      'one.',
  ),
  aql('AQL-21', 'rule', 'mcpaql').says(
    'The documentation of the adapter schema and of the generator describes `tool_names.pattern` ' +
      'and its default.',
  ),

  aql('AQL-22', 'must', 'mcpaql').says(
    'Every adapter tool is listed with a `title`, a `readOnlyHint` and a `destructiveHint`.',
  ),
  aql('AQL-23', 'should', 'mcpaql').says(
    'Every adapter tool is listed with an explicit `idempotentHint` and `openWorldHint`.',
  ),
  aql('AQL-24', 'must', 'effects').says(
    'The title names adapter and endpoint for people: the read endpoint of `Apple Mail` is ' +
      'titled `Apple Mail — Read`.',
  ),
  aql('AQL-25', 'should', 'effects').says(
    'Titles follow the pattern `{Display Name} — {Endpoint}`: an em dash between two spaces, the ' +
      'endpoint with a capital.',
  ),
  aql('AQL-26', 'rule', 'mcpaql').says(
    'The title of an adapter tool is both in `title` and in `annotations.title`.',
  ),
  aql('AQL-27', 'must', 'effects').says('The READ endpoint has `readOnlyHint: true`.'),
  aql('AQL-28', 'must', 'effects').says(
    'The CREATE, UPDATE, DELETE and EXECUTE endpoints have `readOnlyHint: false`.',
  ),
  aql('AQL-29', 'must', 'effects').says('The DELETE endpoint has `destructiveHint: true`.'),
  aql('AQL-30', 'must', 'effects').says('The EXECUTE endpoint has `destructiveHint: true`.'),
  aql('AQL-31', 'must', 'effects').says(
    'The CREATE and READ endpoints have `destructiveHint: false`.',
  ),
  aql('AQL-32', 'must', 'effects').says(
    'The UPDATE endpoint has `destructiveHint: false` if none of its operations is declared ' +
      'destructive.',
  ),
  aql('AQL-33', 'rule', 'effects').says(
    'The UPDATE endpoint has `destructiveHint: true` if one of its operations is declared ' +
      'destructive.',
  ),
  aql('AQL-34', 'should', 'effects').says('The READ endpoint has `idempotentHint: true`.'),
  aql('AQL-35', 'should', 'effects').says('The CREATE endpoint has `idempotentHint: false`.'),
  aql('AQL-36', 'should', 'effects').says('The EXECUTE endpoint has `idempotentHint: false`.'),
  aql('AQL-37', 'should', 'effects').says(
    'Every endpoint of an adapter that speaks HTTP has `openWorldHint: true`.',
  ),
  aql('AQL-38', 'should', 'effects').says(
    'Every endpoint of a local or native adapter has `openWorldHint: false`.',
  ),

  aql('AQL-39', 'must', 'mcpaql/authoring').says(
    'The generator reads `tool_names.pattern` from the schema, and a changed pattern changes the ' +
      'names in the generated package.',
  ),
  aql('AQL-40', 'must', 'mcpaql/authoring').says(
    'A schema without `tool_names` generates names by `{adapter}_mcpaql_{endpoint}`.',
  ),
  aql('AQL-41', 'must', 'mcpaql/authoring').says(
    'The generated package registers its tools under fully resolved names: no `{` is left in one.',
  ),
  aql('AQL-42', 'must', 'mcpaql/authoring').says(
    'Every tool of a generated package has all annotations that adapters must have.',
  ),
  aql('AQL-43', 'must', 'mcpaql/authoring').says(
    'The title of every generated tool contains the display name of the adapter.',
  ),

  aql('AQL-44', 'rule', 'naming').says(
    'An adapter that gives no display name is shown with the words of its name: `apple-mail` is ' +
      '`Apple Mail`.',
  ),
  aql('AQL-45', 'must', 'mcpaql').says(
    '`introspect` answers `success: true` with `_protocol` and `operations` side by side in ' +
      '`data`.',
  ),
  aql('AQL-46', 'must', 'mcpaql').says(
    '`_protocol.adapter` is the name of the adapter as the schema writes it, such as `apple-mail`.',
  ),
  aql('AQL-47', 'must', 'mcpaql').says(
    '`_protocol.display_name` is the name of the adapter for people, such as `Apple Mail`.',
  ),
  aql('AQL-48', 'rule', 'mcpaql').says('`_protocol.version` is `1.0.0`.'),
  aql('AQL-49', 'rule', 'mcpaql').says('`_protocol.mode` is `crude`.'),

  aql('AQL-50', 'rule', 'repository').says(
    'The documentation says of Claude Code that it shows titles, runs read-only tools in ' +
      'parallel and asks before destructive ones.',
  ),
  aql('AQL-51', 'rule', 'repository').says(
    'The documentation says of Claude Desktop that it shows titles, may approve read-only tools ' +
      'by itself and asks before destructive ones.',
  ),
  aql('AQL-52', 'rule', 'repository').says(
    'The documentation says of Cursor, Windsurf, Zed and Continue that they speak MCP and that ' +
      'their use of hints is not confirmed.',
  ),
] as const satisfies readonly Requirement[];

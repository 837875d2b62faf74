/**
 * What the gateway promises: names that never clash, servers that are restarted, unchanged calls.
 */

import type { Level, Owner, Requirement } from './requirement.js';

const agg = <const Id extends string>(id: Id, level: Level, owner: Owner) => ({
  says: (says: string) =>
    ({ id, topic: 'aggregator naming convention', level, says, owner }) as const,
});

const fr = <const Id extends string>(id: Id, level: Level, owner: Owner) => ({
  says: (says: string) => ({ id, topic: 'aggregator requirements', level, says, owner }) as const,
});

export const AGGREGATOR = [
  agg('AGG-01', 'must', 'naming').says(
    'A tool is named `{serverKey}:{originalToolName}`: `read_file` of `filesystem` is ' +
      '`filesystem:read_file`.',
  ),
  agg('AGG-02', 'must', 'gateway').says('The server key is the key of the server in `mcpServers`.'),
  agg('AGG-03', 'must', 'naming').says('The empty server key is refused.'),
  agg('AGG-04', 'must', 'naming').says(
    'A server key with a colon, such as `my:server`, is refused, and hyphens and underscores can ' +
      'replace it: `my-server:my_tool`.',
  ),
  agg('AGG-05', 'should', 'naming').says(
    'Server keys should consist of letters, digits, hyphens and underscores: the name lint ' +
      'advises against other keys, but they are valid.',
  ),
  agg('AGG-06', 'rule', 'naming').says(
    '`filesystem`, `my-db-server` and `tool_v2` are good server keys.',
  ),
  agg('AGG-07', 'must', 'naming').says(
    'The case of a server key is kept: `GitHub` stays `GitHub` and differs from the key `github`.',
  ),
  agg('AGG-08', 'must', 'naming').says('The separator is the single character `:`, ASCII 58.'),
  agg('AGG-09', 'must', 'naming').says(
    'The first colon separates, because a key contains none; later colons are part of the tool ' +
      'name.',
  ),
  agg('AGG-10', 'must', 'core').says(
    'The original tool name is exactly the one in the list of the server itself.',
  ),
  agg('AGG-11', 'must', 'naming').says(
    'Tool names are case sensitive: `fs:Read_File` and `fs:read_file` are two tools.',
  ),
  agg('AGG-12', 'must', 'core').says(
    'A call of `filesystem:read_file` reaches the server `filesystem` as `read_file`.',
  ),

  agg('AGG-13', 'rule', 'naming').says(
    'The tools `read_file`, `write_file` and `list_directory` of the server `fs` are named ' +
      '`fs:read_file`, `fs:write_file` and `fs:list_directory`.',
  ),
  agg('AGG-14', 'rule', 'naming').says(
    'Servers may offer tools of the same name: `github:create_issue`, `gitlab:create_issue` and ' +
      '`jira:create_issue` are three names.',
  ),
  agg('AGG-15', 'rule', 'core').says(
    'Where `github` and `gitlab` each offer three tools and both a `create_issue`, all six are ' +
      'listed and each is callable.',
  ),
  agg('AGG-16', 'rule', 'naming').says(
    'One server program under the keys `fs-home` and `fs-work` gives two sets of names: ' +
      '`fs-home:read_file`, `fs-home:write_file`, `fs-work:read_file`, `fs-work:write_file`.',
  ),
  agg('AGG-17', 'rule', 'gateway').says(
    'The same command under two keys runs as two children with their own arguments, and a call ' +
      'reaches the one that its key names.',
  ),

  agg('AGG-18', 'must', 'naming').says(
    '`server:tool:subcommand` splits into the server `server` and the tool `tool:subcommand`.',
  ),
  agg('AGG-19', 'must', 'core').says(
    'A call is routed by one lookup of the whole name, further colons included; no name is split ' +
      'for that.',
  ),
  agg('AGG-20', 'must', 'core').says(
    'The arguments of a call are passed to the server unchanged, together with the original name.',
  ),
  agg('AGG-21', 'must', 'naming').says(
    'A name without a colon is answered with `Tool name must be prefixed with server key: ' +
      'read_file`.',
  ),
  agg('AGG-22', 'must', 'naming').says(
    'An empty server key is answered with `Invalid tool name format: :read_file`.',
  ),
  agg('AGG-23', 'must', 'naming').says(
    'An empty tool name is answered with `Invalid tool name format: server:`.',
  ),
  agg('AGG-24', 'must', 'naming').says(
    'A well-formed name that no tool has is answered with `Tool not found: X`, where X is the name.',
  ),
  agg('AGG-25', 'rule', 'core').says(
    'For a name that is not in the catalog, a wrong form is reported first: a missing colon, then' +
      ' an empty part, and only then that there is no such tool.',
  ),
  agg('AGG-26', 'must', 'wire').says(
    'A call without a server prefix is answered by a JSON-RPC error with code -32602.',
  ),
  agg('AGG-27', 'must', 'wire').says(
    'A call with an empty server key or an empty tool name is answered by a JSON-RPC error with ' +
      'code -32602.',
  ),
  agg('AGG-28', 'must', 'wire').says(
    'A call of an unknown tool is answered by a JSON-RPC error with code -32602, not by a result ' +
      'with `isError`.',
  ),
  agg('AGG-29', 'may', 'naming').says(
    'If a similar name exists, a second line suggests it: `Tool not found: ' +
      'filesytem:read_file` and then `Did you mean: filesystem:read_file?`.',
  ),
  agg('AGG-30', 'rule', 'naming').says(
    'If no name is similar, the message is only the line `Tool not found: X` without a ' +
      'suggestion.',
  ),

  agg('AGG-31', 'rule', 'core').says(
    'The catalog maps each full name to its source, its server key, its original name and its ' +
      'definition.',
  ),
  agg('AGG-32', 'must', 'core').says(
    'The definition in the catalog carries the full name as its `name`, and every other field ' +
      'unchanged from the server.',
  ),
  agg('AGG-33', 'must', 'core').says('The catalog holds every tool that any of the servers lists.'),
  agg('AGG-34', 'must', 'core').says(
    'Removing a server removes all of its tools and no other: without `fs`, the tools of ' +
      '`fs-home` remain.',
  ),
  agg('AGG-35', 'must', 'gateway').says(
    'When a child crashes, its tools are removed from the list; it is restarted with backoff, and they are listed again.',
  ),
  agg('AGG-36', 'rule', 'core').says(
    'When a server reports a changed tool list, its old tools are replaced by the new ones; no ' +
      'other server is affected.',
  ),
  agg('AGG-37', 'rule', 'wire').says(
    'The notification `notifications/tools/list_changed` of a child makes the gateway fetch its ' +
      'list again and tell its own clients.',
  ),

  agg('AGG-38', 'must', 'wire').says(
    '`tools/list` answers with full names such as `filesystem:read_file` and `postgres:query`, ' +
      'each with the description and the input schema of its server.',
  ),
  agg('AGG-39', 'must', 'gateway').says(
    '`tools/call` of `filesystem:read_file` with `{"path": …}` returns what the filesystem ' +
      'server answers.',
  ),
  agg('AGG-40', 'rule', 'naming').says(
    'The name says which server will answer: `db-prod:query` and `db-staging:query` differ only ' +
      'in the server that they name.',
  ),
  agg('AGG-41', 'rule', 'naming').says(
    'People can read a name: `weather:get_forecast` contains key and tool unchanged, with nothing' +
      ' encoded.',
  ),
  agg('AGG-42', 'should', 'repository').says(
    'The documentation advises keys that mean something to users (`github`, `filesystem`, ' +
      '`db-prod`, not `server1`, `x`, `asdf`), because clients see them.',
  ),
  agg('AGG-43', 'must', 'core').says(
    'There are no automatic aliases: the bare name `read_file` calls nothing unless an alias is configured.',
  ),
  agg('AGG-44', 'rule', 'naming').says(
    'Another server key means other names: renaming `fs` to `filesystem` turns `fs:read_file` ' +
      'into `filesystem:read_file`.',
  ),
  agg('AGG-45', 'rule', 'core').says(
    'A renamed key does not have to break clients: a call under the old key still reaches the tool, the ' +
      'old name is not listed, and the result carries a deprecation notice in `_meta`.',
  ),
  agg('AGG-46', 'should', 'repository').says(
    'The documentation tells users to treat server keys as a public interface and to rename them ' +
      'with care.',
  ),
  agg('AGG-47', 'rule', 'core').says(
    'An alias such as `rf` for `filesystem:read_file` calls that tool, which keeps its full name.',
  ),
  agg('AGG-48', 'rule', 'gateway').says(
    'Aliases are read from `aliases` under the sibling key `callsign`, so `mcpServers` stays in ' +
      'the standard form.',
  ),
  agg('AGG-49', 'rule', 'core').says(
    'A hub can be a source of another hub, and a call of `team:github:create_issue` passes both ' +
      'and arrives as `create_issue`.',
  ),

  agg('AGG-50', 'rule', 'wire').says(
    'Names with a colon are plain strings to the protocol: the official SDK client lists and ' +
      'calls them.',
  ),
  agg('AGG-51', 'rule', 'naming').says(
    'A client that is known to refuse a colon, such as Claude Desktop, gets ' +
      '`filesystem__read_file` instead of `filesystem:read_file`.',
  ),
  agg('AGG-52', 'rule', 'naming').says(
    'An unknown client gets the name with the colon, `filesystem:read_file`.',
  ),
  agg('AGG-53', 'rule', 'naming').says(
    'The separator needs no escaping in JSON: `fs:read_file` is encoded by adding two quotes.',
  ),
  agg('AGG-54', 'must', 'naming').says(
    'Names are reversible: splitting the name of any valid key and tool gives back both.',
  ),
  agg('AGG-55', 'must', 'naming').says(
    'Names are deterministic: a key and a tool always give the same name, with any other servers ' +
      'and in any order of their start.',
  ),

  fr('FR-001', 'must', 'cli').says(
    '`callsign serve --config FILE` reads its servers from the `mcpServers` JSON of that file.',
  ),
  fr('FR-002', 'must', 'gateway').says(
    '`$VAR` and `${VAR}` in config values are replaced from the environment, and a missing ' +
      'variable stops the start with its name and its place.',
  ),
  fr('FR-003', 'must', 'wire').says(
    'A server with a `command` runs as a child process, connected over stdin and stdout.',
  ),
  fr('FR-004', 'must', 'core').says(
    'Every tool of every server gets the key of its server in front, as `key:tool`.',
  ),
  fr('FR-005', 'must', 'core').says('The tools of all servers form one list.'),
  fr('FR-006', 'must', 'core').says(
    'A call goes to the server whose key is in its name, and to no other.',
  ),
  fr('FR-007', 'must', 'wire').says(
    'The arguments of a call reach the child unchanged: key order, unknown fields, big numbers, ' +
      'and missing arguments.',
  ),
  fr('FR-008', 'must', 'wire').says(
    'The answer of a child, result or error, reaches the client unchanged, unknown fields and ' +
      'content types included.',
  ),
  fr('FR-009', 'must', 'gateway').says(
    'A child that fails does not stop the others: a clear error names it, its tools are ' +
      'unavailable, and only `--strict` exits instead.',
  ),
  fr('FR-010', 'must', 'gateway').says(
    'The whole config is checked before the first child is started.',
  ),
  fr('FR-011', 'must', 'gateway').says(
    'A child gets the `env` of its own config entry, on top of a short list of safe variables.',
  ),
  fr('FR-012', 'must', 'gateway').says(
    'The gateway is itself an MCP server on stdio, with nothing but JSON-RPC on stdout.',
  ),
  fr('FR-013', 'must', 'gateway').says(
    'A standard `mcpServers` file works unchanged: all our settings are optional and are under ' +
      'the sibling key `callsign`.',
  ),
  fr('FR-014', 'must', 'gateway').says(
    'Only the requested transport is opened: served on stdio, the gateway listens on no port.',
  ),
  fr('FR-015', 'must', 'gateway').says('By default the gateway logs only errors and warnings.'),
] as const satisfies readonly Requirement[];

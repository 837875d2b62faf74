/** What hints mean, what follows from them, and what must never depend on them. */

import type { Level, Owner, Requirement } from './requirement.js';

const ann = <const Id extends string>(id: Id, level: Level, owner: Owner) => ({
  says: (says: string) => ({ id, topic: 'annotation guide', level, says, owner }) as const,
});

export const ANNOTATION_GUIDE = [
  ann('ANN-01', 'must', 'toolkit').says(
    'The hints of a tool are listed in the `annotations` object of its definition.',
  ),
  ann('ANN-02', 'rule', 'effects').says('A missing `readOnlyHint` counts as `false`.'),
  ann('ANN-03', 'rule', 'effects').says('A missing `destructiveHint` counts as `true`.'),
  ann('ANN-04', 'rule', 'effects').says('A missing `idempotentHint` counts as `false`.'),
  ann('ANN-05', 'rule', 'effects').says('A missing `openWorldHint` counts as `true`.'),
  ann('ANN-06', 'rule', 'effects').says(
    'A hint is a boolean: any other value counts as not stated, and the default applies.',
  ),
  ann('ANN-07', 'rule', 'effects').says(
    'A title that is set is the label people see, `Search Files` and not `search_files`.',
  ),
  ann('ANN-08', 'rule', 'effects').says(
    'Without hints a name proves nothing about behaviour. It is evidence that distinguishes ' +
      '`search_files` from `delete_files` for people and policy, but no reason for a retry.',
  ),
  ann('ANN-09', 'rule', 'effects').says(
    'A tool without any hint and without clear words counts as destructive.',
  ),
  ann('ANN-10', 'rule', 'effects').says(
    'The reader of a claim decides whether to trust it: an untrusted claim can raise the risk of ' +
      'a tool, never lower it.',
  ),
  ann('ANN-11', 'should', 'effects').says(
    'The lint reports a tool that may write and does not state `destructiveHint`, because it ' +
      'counts as destructive.',
  ),

  ann('ANN-12', 'rule', 'effects').says(
    'A read-only tool may be called without a person being asked.',
  ),
  ann('ANN-13', 'rule', 'effects').says(
    'A read-only tool is safe to retry, even if it does not state whether it is idempotent.',
  ),
  ann('ANN-14', 'should', 'effects').says(
    'A destructive tool needs a confirmation and is never approved automatically.',
  ),
  ann('ANN-15', 'rule', 'effects').says(
    'A write with `idempotentHint: true` may be retried after a network failure.',
  ),
  ann('ANN-16', 'must', 'effects').says(
    'A write that is not idempotent, by its claim or by default, is never retried.',
  ),
  ann('ANN-17', 'rule', 'effects').says(
    'The hints alone label a tool for people: a read-only one is safe, a destructive one ' +
      'requires confirmation, and no tool is both.',
  ),
  ann('ANN-18', 'rule', 'effects').says(
    'A search tool with `readOnlyHint: true` and `openWorldHint: false` is a plain read, although' +
      ' its missing `destructiveHint` defaults to `true`.',
  ),
  ann('ANN-19', 'rule', 'effects').says(
    'A delete tool with `destructiveHint: true`, `idempotentHint: false` and `openWorldHint: ' +
      'false` is destructive and is not retried.',
  ),

  ann('ANN-20', 'rule', 'effects').says(
    'The hints of a file or database read are read-only true, destructive false, idempotent ' +
      'true, open-world false.',
  ),
  ann('ANN-21', 'rule', 'effects').says(
    'The hints of a search or list are read-only true, destructive false, idempotent true, ' +
      'open-world false.',
  ),
  ann('ANN-22', 'rule', 'effects').says(
    'The hints of an HTTP GET to an external API are read-only true, destructive false, ' +
      'idempotent true, open-world true.',
  ),
  ann('ANN-23', 'rule', 'effects').says(
    'The hints of an upsert or other idempotent write are read-only false, destructive false, ' +
      'idempotent true, open-world false.',
  ),
  ann('ANN-24', 'rule', 'effects').says(
    'The hints of an append or create that destroys nothing are read-only false, destructive ' +
      'false, idempotent false, open-world false.',
  ),
  ann('ANN-25', 'rule', 'effects').says(
    'The hints of a delete or overwrite are read-only false, destructive true, idempotent false, ' +
      'open-world false.',
  ),
  ann('ANN-26', 'rule', 'effects').says(
    'The hints of sending an e-mail or a Slack message are read-only false, destructive true, ' +
      'idempotent false, open-world true.',
  ),
  ann('ANN-27', 'rule', 'effects').says(
    'The hints of triggering a CI/CD deploy are read-only false, destructive true, idempotent ' +
      'false, open-world true.',
  ),

  ann('ANN-28', 'rule', 'governance/limits').says(
    'A call that fails because of the network is sent again only if the effective hints allow a ' +
      'retry; an answer of the tool itself is never a reason to retry.',
  ),
  ann('ANN-29', 'rule', 'audit').says(
    'Calls of destructive tools are recorded in the audit log at a higher severity than others.',
  ),
  ann('ANN-30', 'must', 'governance/policy').says(
    'Where the policy asks for confirmation, a destructive call waits for its approval before it ' +
      'reaches the server, and a read-only call passes without.',
  ),
  ann('ANN-31', 'may', 'governance/policy').says(
    'A client may ignore every hint, and the policy of the gateway still applies to its calls.',
  ),
  ann('ANN-32', 'rule', 'repository').says(
    'The documentation says of Claude Desktop that it asks at the first call of each tool of ' +
      'each server, and may then approve read-only tools by itself.',
  ),

  ann('ANN-33', 'must', 'governance/roles').says(
    'Hints are no access control: changing the hints of a tool does not change who may call it.',
  ),
  ann('ANN-34', 'must', 'governance/roles').says(
    'A tool reserved for certain users is refused to an authenticated caller without the role.',
  ),
  ann('ANN-35', 'must', 'audit').says(
    'Every call of a destructive tool is recorded in the audit log with the identity of its ' +
      'caller.',
  ),
  ann('ANN-36', 'must', 'toolkit').says(
    'A guarded tool runs only for an authenticated session that has the required role.',
  ),
  ann('ANN-37', 'must', 'toolkit').says(
    'Arguments are validated before a tool acts: with invalid ones the handler is never called.',
  ),
  ann('ANN-38', 'must', 'toolkit').says(
    'A destructive tool called outside its allowed conditions answers `isError: true` with a ' +
      'message that says why.',
  ),

  ann('ANN-39', 'should', 'toolkit').says(
    'A long destructive tool both declares `destructiveHint: true` and reports its progress.',
  ),
  ann('ANN-40', 'rule', 'toolkit').says(
    'A handler can report progress as steps done, total steps and a text on the current step.',
  ),
  ann('ANN-41', 'rule', 'toolkit').says(
    'A handler can see between two steps that the client cancelled, and then runs no further step.',
  ),
  ann('ANN-42', 'rule', 'toolkit').says(
    'A handler that stops because of a cancellation ends with `isError: true` and a text such as ' +
      '`Migration cancelled by client.`.',
  ),
  ann('ANN-43', 'rule', 'toolkit').says(
    'A dry run of a migration tool (`dryRun`, default `false`) reports each step marked `[DRY ' +
      'RUN] ` and runs none.',
  ),
  ann('ANN-44', 'rule', 'toolkit').says(
    'A migration tool that ends says how many were processed: `Migrations complete: N migrations ' +
      'processed.`, or `Dry run complete: …` after a dry run.',
  ),
  ann('ANN-45', 'rule', 'wire').says(
    'The gateway passes on the progress and the cancellation of a call, so that a user sees what ' +
      'happens and can stop it.',
  ),
] as const satisfies readonly Requirement[];

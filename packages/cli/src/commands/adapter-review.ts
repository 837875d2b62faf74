/** `callsign adapter review`: shows imported operations for review, and records those that you accept. */

import { resolve } from 'node:path';

import { shellWord } from '@callsign/config';
import { type Adapter, authVariables } from '@callsign/mcpaql';
import { type PendingOperation, reviewAdapter } from '@callsign/mcpaql/authoring';
import { askWhich, counted, isInterrupted, onOneLine } from '@callsign/terminal';

import { readText, replaceText, whileChanging } from '../clients/files/text-file.js';
import type { CommandModule, Context } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { Failure, usageFailure } from '../command/failure.js';

interface ReviewOptions {
  readonly yes?: true;
}

const ACCEPT = 'accept';
const ONE_BY_ONE = 'one by one';
const SKIP = 'skip';
const STOP = 'stop';

export const command: CommandModule<ReviewOptions> = {
  describe(line) {
    line
      .description(
        'Shows the imported operations that are not reviewed yet, and accepts those that you choose. ' +
          'Before that they cannot be called, and no credentials are sent. A review expires when the operation changes.',
      )
      .argument('<file>', 'an imported adapter')
      .argument('[operations...]', 'only these operations')
      .option('--yes', 'accept them without asking');
  },

  async run(context, { words: [path = '', ...names], options: { yes } }) {
    const { json, out, say, isInteractive } = context;
    const file = resolve(context.cwd, path);
    const text = readText(file);
    if (text === undefined) throw usageFailure(`There is no file ${file}.`);
    const review = reviewAdapter(text, file);
    if (!review.ok) {
      const { problems } = review;
      const message = 'The adapter has problems; correct them before you review it.';
      throw new Failure({ exit: EXIT.config, code: 'invalid-adapter', message, problems });
    }
    const { adapter, pending, proven, isTargetPending } = review;
    const unknown = names.find((name) => !adapter.operations.has(name));
    if (unknown !== undefined) throw usageFailure(`The adapter has no operation "${unknown}".`);
    const isMeant = ({ name }: PendingOperation): boolean =>
      names.length === 0 || names.includes(name);
    const meant = pending.filter(isMeant);
    const reads = proven.filter(isMeant);
    if (meant.length === 0 && !isTargetPending) {
      if (json) out.json({ file, accepted: [], pending: [], proven: reads });
      else say('Nothing is left to review.');
      return EXIT.ok;
    }
    if (!json) {
      say(`Requests go to ${targetWords(adapter)}. ${credentialWords(adapter)}`);
      for (const operation of meant) say(lineFor(operation));
      if (reads.length > 0)
        say('These can be called without a review, because their words name no change:');
      for (const { name, mapsTo } of reads) say(onOneLine(`${name}: ${mapsTo}`));
    }
    if (!yes && (json || !isInteractive)) {
      if (json) out.json({ file, accepted: [], pending: meant, proven: reads });
      else say(`${counted(meant.length, 'operation')} to review. To accept them: --yes`);
      return EXIT.ok;
    }
    const { accepted, exit } = yes ? { accepted: meant, exit: EXIT.ok } : await asked(meant);
    if (!accepted) return exit;
    await whileChanging(file, () => {
      if (readText(file) !== text) {
        throw usageFailure(`${file} has changed since it was shown. Review it again.`);
      }
      replaceText(file, review.accept(accepted.map(({ name }) => name)));
    });
    const left = pending.filter((each) => !accepted.includes(each));
    if (json) out.json({ file, accepted: accepted.map(({ name }) => name), pending: left });
    else {
      say(`Accepted ${counted(accepted.length, 'operation')} in ${file}. ${left.length} left.`);
      if (left.length === 0) sayNext(context, adapter, file);
    }
    return exit;
  },
};

/** The command that makes a server of a reviewed adapter, with a place for its credentials. */
function sayNext({ say }: Context, { name, auth }: Adapter, file: string): void {
  const variables = authVariables(auth).map((variable) => `-e ${onOneLine(variable)}=… `);
  const server = `callsign adapter serve ${shellWord(file)}`;
  say(`To add it to your servers: callsign add ${name} ${variables.join('')}-- ${server}`);
}

/** `accepted` is unset if the person stopped before anything was accepted. */
interface Answers {
  readonly accepted?: readonly PendingOperation[];
  readonly exit: number;
}

/** Asks about all operations at once, or one by one. What was accepted before Ctrl-C counts. */
async function asked(pending: readonly PendingOperation[]): Promise<Answers> {
  const question = `Accept the target and ${counted(pending.length, 'operation')}?`;
  const all = await askWhich(question, choices(ACCEPT, ONE_BY_ONE, STOP));
  if (all === ACCEPT) return { accepted: pending, exit: EXIT.ok };
  if (all !== ONE_BY_ONE) return { exit: EXIT.ok };
  const accepted: PendingOperation[] = [];
  const wasStopped = await isInterrupted(async () => {
    for (const operation of pending) {
      const answer = await askWhich(lineFor(operation), choices(ACCEPT, SKIP, STOP));
      if (answer === STOP) break;
      if (answer === ACCEPT) accepted.push(operation);
    }
  });
  if (!wasStopped) return { accepted, exit: EXIT.ok };
  // After Ctrl-C without any answer, the target is not accepted either.
  return { ...(accepted.length > 0 && { accepted }), exit: EXIT.interrupted };
}

function choices(...words: readonly string[]): { value: string; label: string }[] {
  return words.map((value) => ({ value, label: value }));
}

function lineFor({
  name,
  endpoint,
  mapsTo,
  description,
  danger,
  review,
}: PendingOperation): string {
  const note = review === undefined ? '' : ` (${review})`;
  return onOneLine(`${name}: ${endpoint}, ${danger}, ${mapsTo}. ${description}${note}`);
}

/** Says where the requests go. */
function targetWords({ target }: Adapter): string {
  switch (target.transport) {
    case 'http':
      return onOneLine(target.base_url);
    case 'mcp':
      return `the server "${onOneLine(target.server)}"`;
    case 'native':
      return 'a program on this machine';
  }
}

/** Names the variables of the credentials, never their values. */
function credentialWords({ auth }: Adapter): string {
  const variables = authVariables(auth);
  if (variables.length === 0) return 'They carry no credentials.';
  return `They include credentials from ${variables.map(onOneLine).join(' and ')}.`;
}

/** One call to a tool, with its progress and its questions at the terminal. */

import { isRecord } from '@callsign/config';
import type { ToolCallAnswer, ToolCallClient, ToolCallRequest } from '@callsign/gateway/admin';
import { argumentsWithYes, wantedByResult } from '@callsign/governance';
import { askWhether, onOneLine, type Progress } from '@callsign/terminal';

import type { Context } from '../command/command.js';
import { SELF } from '../fleet/running-gateway.js';
import { answerQuestion } from './answer-question.js';

/** Makes the call, in this process or at a running gateway. `undefined`: the tool is gone. */
export type ToolCaller = (
  request: ToolCallRequest,
  client: ToolCallClient,
) => Promise<ToolCallAnswer | undefined>;

export interface TerminalCall {
  /** As it was typed. */
  readonly name: string;
  readonly canonical: string;
  /** As JSON text. */
  readonly args: string;
  /** Whether the user approves the call in advance. */
  readonly isApproved: boolean;
}

/** Makes a call, and again with a token if an adapter asks. A person confirms only once. */
export async function callFromTerminal(
  context: Context,
  call: TerminalCall,
  caller: ToolCaller,
): Promise<ToolCallAnswer | undefined> {
  const answer = await callOnce(context, call, caller);
  const wanted = answer && wantedByResult(answer.json);
  const isYes =
    wanted && context.isInteractive && (await askWhether(onOneLine(wanted.question), false));
  if (!isYes) return answer;
  const args = argumentsWithYes(call.args, wanted);
  return callOnce(context, { ...call, args, isApproved: true }, caller);
}

async function callOnce(
  context: Context,
  { name, canonical, args, isApproved }: TerminalCall,
  caller: ToolCaller,
): Promise<ToolCallAnswer | undefined> {
  const progress = context.wait(`Calling ${canonical}`);
  const client = { name: SELF.name, version: SELF.version };
  const request = { name, canonical, args, client, canAsk: context.isInteractive, isApproved };
  try {
    return await caller(request, {
      progress: (params) => showProgress(progress, canonical, params),
      async ask(question) {
        progress.end();
        return await answerQuestion(question, context.shell);
      },
      waiting(id) {
        progress.end();
        announceWaiting(context, canonical, id);
      },
    });
  } finally {
    progress.end();
  }
}

/** Without this, a script would wait silently for an approval that no person knows about. */
function announceWaiting({ stderr }: Context, tool: string, id: string): void {
  const approve = `callsign approvals approve ${id}`;
  const sentences = [
    `${onOneLine(tool)} waits for an approval.`,
    `To see it:   callsign approvals show ${id}`,
    `To allow it: ${approve}`,
    `To refuse:   callsign approvals deny ${id}`,
  ];
  stderr.announce(sentences.join('\n'), { waiting: id, tool, approve });
}

function showProgress(progress: Progress, name: string, params: string): void {
  const value: unknown = JSON.parse(params);
  if (!isRecord(value)) return;
  const { progress: done, total, message } = value;
  const part = typeof done === 'number' && typeof total === 'number' ? done / total : undefined;
  progress.update(typeof message === 'string' ? message : `Calling ${name}`, part);
}

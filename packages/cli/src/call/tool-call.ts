/** One call to a tool, with its progress and its questions at the terminal. */

import { isRecord } from '@callsign/config';
import { memberText } from '@callsign/core';
import type { ToolCallAnswer, ToolCallClient, ToolCallRequest } from '@callsign/gateway/admin';
import { askWhether, onOneLine, type Progress } from '@callsign/terminal';

import type { Context } from '../command/command.js';
import { SELF } from '../fleet/running-gateway.js';
import { answerQuestion } from './answer-question.js';
import { argumentsWithYes, wantedByResult } from './wanted-yes.js';

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
  const { answer, hasAccepted } = await callOnce(context, call, caller);
  const wanted = answer && wantedByResult(answer.json);
  if (!wanted) return answer;
  const isYes =
    call.isApproved ||
    hasAccepted ||
    (context.isInteractive && (await askWhether(wanted.question)));
  if (!isYes) return answer;
  const args = argumentsWithYes(call.args, wanted);
  return (await callOnce(context, { ...call, args, isApproved: true }, caller)).answer;
}

interface Called {
  readonly answer: ToolCallAnswer | undefined;
  /** Whether a person said yes to a question of this call. */
  readonly hasAccepted: boolean;
}

async function callOnce(
  context: Context,
  { name, canonical, args, isApproved }: TerminalCall,
  caller: ToolCaller,
): Promise<Called> {
  let hasAccepted = false;
  const progress = context.wait(`Calling ${canonical}`);
  const client = { name: SELF.name, version: SELF.version };
  const request = { name, canonical, args, client, canAsk: context.isInteractive, isApproved };
  try {
    const answer = await caller(request, {
      progress: (params) => showProgress(progress, canonical, params),
      async ask(question) {
        progress.end();
        const reply = await answerQuestion(question, context.shell);
        hasAccepted ||= reply.ok && memberText(reply.json, 'action') === '"accept"';
        return reply;
      },
      waiting(id) {
        progress.end();
        announceWaiting(context, canonical, id);
      },
    });
    return { answer, hasAccepted };
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

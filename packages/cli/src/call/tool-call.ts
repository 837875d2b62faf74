/** One call to a tool, with its progress and its questions at the terminal. */

import type { ToolCallAnswer, ToolCallOutlet, ToolCallRequest } from '@callsign/admin';
import { isRecord } from '@callsign/config';
import { onOneLine, type Progress } from '@callsign/terminal';

import type { Context } from '@callsign/command';
import { SELF } from '@callsign/fleet';
import { answerQuestion } from './answer-question.js';

/** Makes the call: in a gateway of this process, or at a running one. */
export type ToolCaller = (
  request: ToolCallRequest,
  outlet: ToolCallOutlet,
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

export async function callFromTerminal(
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
      ask(question) {
        progress.end();
        return answerQuestion(question);
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

/** Without this, a script would wait in silence for an approval that no person knows about. */
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

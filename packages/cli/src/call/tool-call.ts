/** One call to a tool, by the way that every client's call takes. */

import { randomUUID } from 'node:crypto';

import {
  Call,
  CallContext,
  CallsignError,
  type Caller,
  type Reply,
  type Route,
} from '@callsign/core';

import { isRecord } from '@callsign/config';
import { SELF } from '../fleet/running-gateway.js';
import type { Progress } from '@callsign/terminal';
import { answerQuestion } from './answer-question.js';

export interface ToolCallOptions {
  readonly name: string;
  /** As JSON text. */
  readonly args: string;
  readonly route: Route;
  readonly signal: AbortSignal;
  readonly progress: Progress;
  /** Whether somebody is there to answer the server. */
  readonly isInteractive: boolean;
}

export async function callTool(options: ToolCallOptions): Promise<Reply> {
  const { name, args, route, signal, progress, isInteractive } = options;
  const context = new TerminalCall(name, progress, isInteractive);
  const call = callOf(name, args, isInteractive, context);
  signal.addEventListener('abort', () => context.cancel('The user interrupted it.'), {
    once: true,
  });
  try {
    return await route.send(call);
  } catch (error) {
    if (!(error instanceof CallsignError)) throw error;
    const { code, message } = error;
    return {
      ok: false,
      json: JSON.stringify({ code: -32_000, message, data: { code } }),
      fault: error,
    };
  }
}

/** The way from a call back to the terminal. */
class TerminalCall extends CallContext {
  readonly #name: string;
  readonly #progress: Progress;

  constructor(name: string, progress: Progress, canAsk: boolean) {
    super();
    this.#name = name;
    this.#progress = progress;
    if (!canAsk) return;
    this.ask = (question) => {
      progress.end();
      return answerQuestion(question);
    };
  }

  override progress(params: string): void {
    showProgress(this.#progress, this.#name, params);
  }
}

function callOf(name: string, args: string, canAsk: boolean, context: CallContext): Call {
  const nameJson = JSON.stringify(name);
  const start = '{"name":';
  const token = ',"_meta":{"progressToken":';
  const beforeToken = `${start}${nameJson},"arguments":${args}${token}`;
  return new Call({
    method: 'tools/call',
    params: `${beforeToken}0}}`,
    name,
    nameStart: start.length,
    nameEnd: start.length + nameJson.length,
    tokenStart: beforeToken.length,
    tokenEnd: beforeToken.length + 1,
    caller: callerOf(canAsk),
    context,
  });
}

function callerOf(canAsk: boolean): Caller {
  return {
    id: randomUUID(),
    era: 'session',
    client: { name: SELF.name, version: SELF.version },
    capabilities: canAsk ? '{"elicitation":{}}' : '{}',
    can: (capability) => canAsk && capability === 'elicitation',
  };
}

function showProgress(progress: Progress, name: string, params: string): void {
  const value: unknown = JSON.parse(params);
  if (!isRecord(value)) return;
  const { progress: done, total, message } = value;
  const part = typeof done === 'number' && typeof total === 'number' ? done / total : undefined;
  progress.update(typeof message === 'string' ? message : `Calling ${name}`, part);
}

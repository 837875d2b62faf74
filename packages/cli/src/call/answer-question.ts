/** Answers questions of a server or of the policy during a call, by asking the person at the terminal. */

import { isRecord } from '@callsign/config';
import { resultOf, type Question, type Reply } from '@callsign/core';
import { needsNumbers, parametersOf } from '@callsign/gateway/admin';
import { printable, askWhether } from '@callsign/terminal';

import { Failure } from '../command/failure.js';
import type { Shell } from '../command/shell.js';
import { promptOptional, promptParameter } from './prompt-parameter.js';

/** Answers forms and yes-or-no questions. A terminal cannot answer anything else. */
export async function answerQuestion(
  { method, params }: Question,
  { stderr }: Shell,
): Promise<Reply> {
  if (method === 'roots/list') return resultOf({ roots: [] });
  if (method !== 'elicitation/create') {
    const error = { code: -32_601, message: `A terminal cannot answer ${method}.` };
    return { ok: false, json: JSON.stringify(error) };
  }
  const asked: unknown = JSON.parse(params);
  const { message, requestedSchema, mode } = isRecord(asked) ? asked : {};
  if (mode === 'url') return resultOf({ action: 'decline' });
  const question = `Question: ${printable(String(message ?? ''))}`;
  try {
    const parameters = parametersOf(requestedSchema);
    if (parameters.length === 0) {
      const isYes = await askWhether(question);
      return resultOf(isYes ? { action: 'accept', content: {} } : { action: 'decline' });
    }
    stderr.write(`${question}\n`);
    const content = new Map<string, unknown>();
    for (const parameter of parameters) {
      const isNeeded = needsNumbers(parameter, content);
      if (isNeeded === false) continue;
      const prompt = isNeeded || parameter.isRequired ? promptParameter : promptOptional;
      const value = await prompt(parameter);
      if (value !== undefined) content.set(parameter.name, JSON.parse(value));
    }
    return resultOf({ action: 'accept', content: Object.fromEntries(content) });
  } catch (error) {
    if (error instanceof Failure) return resultOf({ action: 'cancel' });
    throw error;
  }
}

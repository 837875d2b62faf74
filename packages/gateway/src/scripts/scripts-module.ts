/** Even if policy allows it, everything but a read is confirmed inside a script, since the client sees one tool only. */

import { randomBytes } from 'node:crypto';

import { isObject, type Module } from '@callsign/core';

const RUN = 'callsign:run';

export const scriptsModule: Module<object | undefined> = {
  name: 'scripts',
  create({ settings }) {
    if (!settings) return undefined;
    return {
      mayWait: ({ canonical }) => canonical === RUN,
      // The record that is written before the run has the id too.
      intercept(call, next) {
        const isNew = call.target!.canonical === RUN && !hasResume(call.arguments);
        if (isNew) call.context.runs = newScriptId();
        return next();
      },
      decide({ context, target }) {
        if (!context.script) return undefined;
        const decision = target!.risk === 'read' ? 'allow' : 'confirm';
        // Records are found by this text.
        return { decision, rule: `script ${context.script.id} makes this call` };
      },
    };
  },
};

function hasResume(given: unknown): boolean {
  return isObject(given) && typeof given['resume'] === 'string';
}

/** Cannot be guessed. */
function newScriptId(): string {
  return randomBytes(9).toString('base64url');
}

/** Even if policy allows it, everything but a read is confirmed inside a script, since the client sees one tool only. */

import type { Module } from '@callsign/core';

export const scriptsModule: Module<object | undefined> = {
  name: 'scripts',
  create({ settings }) {
    if (!settings) return undefined;
    return {
      mayWait: ({ canonical }) => canonical === 'callsign:run',
      decide({ context, target }) {
        if (!context.script) return undefined;
        const decision = target!.risk === 'read' ? 'allow' : 'confirm';
        // Records are found by this text.
        return { decision, rule: `script ${context.script.id} makes this call` };
      },
    };
  },
};

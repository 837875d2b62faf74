/** A module: refuses calls whose arguments name a sealed letter, and says how long the others took. */
import * as z from 'zod';

export default {
  name: 'sealed-letters',
  settings: z.strictObject({ word: z.string().min(1) }),
  create({ settings, log, toolError }) {
    return {
      async intercept(call, next) {
        if (!call.params.includes(settings.word)) return next();
        return toolError(`Letters that are ${settings.word} stay shut.`);
      },
      observe: {
        end({ call, outcome, ms }) {
          log('info', `${call.target.canonical} ${outcome} ${Math.round(ms)} ms`);
        },
      },
    };
  },
};

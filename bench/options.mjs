// The flags of the bench.
import { parseArgs } from 'node:util';

export const HELP = `npm run bench -- [flags]

  --quick          a short run: fewer rounds, fewer servers and tools, writes no files
  --check          fail if a bar is missed
  --only SCENARIO  one scenario, or several with commas
  --json FILE      all values, for programs
`;

/** @returns {{ quick: boolean, check: boolean, only: string[], json: string | undefined, help: boolean }} */
export function readOptions(args, scenarios) {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      json: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const only = values.only.split(',').filter((part) => part !== '');
  const unknown = only.find((each) => !scenarios.includes(each));
  if (unknown !== undefined) {
    throw new TypeError(`There is no scenario "${unknown}". There are: ${scenarios.join(', ')}.`);
  }
  return { ...values, only };
}

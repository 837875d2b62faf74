// Checks the English of the repository. `node scripts/prose.mjs [--all | --texts] [PATH…]`
// --all: also print the findings of folders that are not done yet. --texts: print every text, to be read alone.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { ALLOWED } from './prose/allowed.mjs';
import { PENDING } from './prose/pending.mjs';
import { judge, lintFile } from './prose/prose-lint.mjs';
import { textsOf } from './prose/texts.mjs';

const READ = /\.(?:ts|tsx|mts|mjs|md)$/;
/** The rules themselves, and what a program writes from texts that are read elsewhere. */
const SKIPPED =
  /^(?:scripts\/prose\/|test\/prose\/|docs\/reference\/|test\/(?:golden|recordings)\/)/;

const { values, positionals } = parseArgs({
  options: { all: { type: 'boolean' }, texts: { type: 'boolean' } },
  allowPositionals: true,
});

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', ...positionals])
  .toString()
  .split('\n')
  .filter((file) => READ.test(file) && !SKIPPED.test(file) && existsSync(file));

if (values.texts) {
  for (const file of files) {
    const texts = textsOf(file, readFileSync(file, 'utf8'));
    if (texts.length > 0) console.log(`\n=== ${file}`);
    for (const { kind, line, text } of texts) console.log(`${line} ${kind}: ${text}`);
  }
} else {
  const findings = files.flatMap((file) => lintFile(file, readFileSync(file, 'utf8')));
  const pending = values.all ? [] : PENDING;
  const { errors, unused, waiting, clean } = judge(findings, { allowed: ALLOWED, pending });
  for (const { file, line, kind, message } of errors)
    console.log(`${file}:${line} ${kind}: ${message}`);
  const whole = positionals.length === 0;
  if (whole)
    for (const { file, text } of unused)
      console.log(`No finding needs the exception "${text}" of ${file}.`);
  if (waiting.length > 0) {
    console.log(`Not done yet (findings): ${waiting.map((each) => each.join(' ')).join(', ')}.`);
  }
  if (whole && clean.length > 0)
    console.log(`No finding in ${clean.join(', ')}: remove from pending.mjs after reading.`);
  console.log(`${files.length} files, ${errors.length} findings, ${ALLOWED.length} exceptions.`);
  process.exitCode = errors.length > 0 || (whole && unused.length > 0) ? 1 : 0;
}

/** Finds the line that says why a program ended. The very last one is often only the version of Node. */

/** How many lines at the end are searched. */
const SEARCHED = 100;

/** Lines that say nothing by themselves: versions, stack frames, brackets, where npm keeps its log. */
const NOISE = [
  /^Node\.js v\d/,
  /^\s+at /,
  /^[\s^~{}[\],]+$/,
  /^npm notice/,
  /^npm (?:error|ERR!)(?: \d+)?\s*$/,
  /^npm (?:error|ERR!) (?:code|errno|syscall|path|A complete log)\b/,
];
/** npm says the cause first, and then what else could be tried. */
const NPM = /^npm (?:error|ERR!)/;
const ERROR = /^(?:Uncaught )?[\w.]*(?:Error|Exception)\b|^(?:error|fatal|panic)\b|panicked at/i;

/** `undefined` if there is no text at all. */
export function tellingLine(lines: readonly string[]): string | undefined {
  const printed = lines.slice(-SEARCHED).filter((line) => line.trim() !== '');
  const candidates = printed.filter((line) => !NOISE.some((noise) => noise.test(line)));
  const line =
    candidates.find((each) => NPM.test(each)) ??
    candidates.findLast((each) => ERROR.test(each)) ??
    candidates.at(-1) ??
    printed.at(-1);
  return line?.trim();
}

/** Passwords in the short flags of well-known programs: `curl -u ada:x`, `mysql -px`, `sshpass -p x`. */

import { REDACTED } from './redacted.js';

/** Everything up to the flag stays on one line, and within one command of a shell. */
const ARGUMENTS = String.raw`[^|;&<>\r\n\x60]{0,300}?\s`;
/** Ends where a shell would go on, so that no command can hide in it. */
const VALUE = String.raw`(?![$[])[^\s"'|;&<>\x60]+`;

const FLAGS: readonly RegExp[] = [
  String.raw`\b(?:curl|wget|https?|xh)\s(?:${ARGUMENTS})?(?:-u|--user|--proxy-user)[ =]{1,4}["']?[^\s:"'|;&<>\x60]{1,100}:`,
  String.raw`\b(?:mysql|mysqldump|mysqladmin|mariadb)\s(?:${ARGUMENTS})?-p["']?`,
  String.raw`\b(?:docker|podman|helm|oc|az)\s(?:${ARGUMENTS})?login\s(?:${ARGUMENTS})?-p[ =]{1,4}["']?`,
  String.raw`\bsshpass\s{1,4}-p\s{0,4}["']?`,
  String.raw`\bredis-cli\s(?:${ARGUMENTS})?-a\s{1,4}["']?`,
].map((head) => new RegExp(`(${head})${VALUE}`, 'g'));

export function redactProgramFlags(text: string): string {
  return FLAGS.reduce((each, flag) => each.replaceAll(flag, `$1${REDACTED}`), text);
}

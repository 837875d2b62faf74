/** Lint findings for people: grouped by rule with counts, or one by one. */

import type { Finding, Severity } from '@callsign/naming';
import { counted, onOneLine, wrapped, type Output, type Meaning } from '@callsign/terminal';

import { ruleOf, type LintedTarget } from './lint-report.js';

const SEVERITY_TINTS: Readonly<Record<Severity, Meaning>> = {
  error: 'bad',
  warning: 'warning',
  info: 'aside',
};

const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info'];
/** A group with more different messages shows the summary of its rule instead. */
const SHOWN_MESSAGES = 3;
/** Tools that a group names. */
const SHOWN_TOOLS = 5;

type Sheet = Pick<Output, 'lines' | 'paint' | 'width'>;

/** One block for each rule, the worst first: what it finds, in how many tools, and its page. */
export function writeGroups(sheet: Sheet, targets: readonly LintedTarget[]): void {
  for (const target of targets) {
    sheet.lines(heading(sheet, target));
    const groups = groupsOf(target.findings);
    for (const findings of groups) writeGroup(sheet, findings);
  }
}

/** Every finding with its own message. */
export function writeFindings(sheet: Sheet, targets: readonly LintedTarget[]): void {
  for (const target of targets) {
    sheet.lines(heading(sheet, target));
    for (const { severity, rule, tool, message, fix, clients, audiences } of target.findings) {
      const who = [...(clients ?? []), ...(audiences ?? [])];
      const where = who.length > 0 ? ` [${who.join(', ')}]` : '';
      const word = sheet.paint(SEVERITY_TINTS[severity], severity);
      const start = `${word} ${sheet.paint('aside', rule)} `;
      write(sheet, '  ', `${start}${onOneLine(tool)}: ${onOneLine(message)}${where}`);
      write(sheet, '    ', `→ ${onOneLine(fix)}`);
    }
  }
}

function heading({ paint }: Sheet, { name, tools }: LintedTarget): string {
  return `${paint('name', onOneLine(name))} (${counted(tools, 'tool')})`;
}

function rank([first]: readonly Finding[]): number {
  return SEVERITIES.indexOf(first!.severity);
}

/** By severity, then by the number of findings. */
function groupsOf(findings: readonly Finding[]): (readonly Finding[])[] {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const key = `${finding.severity} ${finding.rule}`;
    const group = groups.get(key) ?? [];
    group.push(finding);
    groups.set(key, group);
  }
  return [...groups.values()].toSorted((a, b) => rank(a) - rank(b) || b.length - a.length);
}

function writeGroup(sheet: Sheet, findings: readonly Finding[]): void {
  const { severity, rule } = findings[0]!;
  const { paint } = sheet;
  const tools = [...new Set(findings.map(({ tool }) => onOneLine(tool)))];
  const count = counted(tools.length, 'tool');
  const word = paint(SEVERITY_TINTS[severity], severity);
  write(sheet, '  ', `${word} ${paint('name', rule)} ${count}`);
  const messages = [...new Set(findings.map(({ message }) => onOneLine(message)))];
  const isFew = messages.length <= SHOWN_MESSAGES;
  for (const text of isFew ? messages : [ruleOf(rule)?.summary ?? '']) write(sheet, '    ', text);
  const fix = sameIn(findings.map((finding) => finding.fix));
  if (fix !== undefined) write(sheet, '    ', `→ ${onOneLine(fix)}`);
  const more = tools.length > SHOWN_TOOLS ? `, and ${tools.length - SHOWN_TOOLS} more` : '';
  write(sheet, '    ', `in ${tools.slice(0, SHOWN_TOOLS).join(', ')}${more}`);
  write(sheet, '    ', paint('aside', `docs/lint/${rule}.md`));
}

/** The text, if it is the same everywhere. */
function sameIn(texts: readonly string[]): string | undefined {
  return texts.every((text) => text === texts[0]) ? texts[0] : undefined;
}

function write({ lines, width }: Sheet, indent: string, text: string): void {
  lines(...wrapped(text, width - indent.length).map((line) => indent + line));
}

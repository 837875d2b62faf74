/** Findings in the shapes that people and programs read. */

import { ANNOTATION_RULES } from '@callsign/annotations';
import type { Finding } from '@callsign/lint';
import { NAME_RULES } from '@callsign/naming';

import { counted, onOneLine } from '@callsign/terminal';
import type { Paint } from '@callsign/terminal';
import { VERSION } from '../command/version.js';

export interface LintedTarget {
  readonly name: string;
  readonly tools: number;
  readonly findings: readonly Finding[];
}

export const FORMATS = ['text', 'json', 'sarif', 'github'] as const;

const TINTS = { error: 'red', warning: 'yellow', info: 'dim' } as const;
const SARIF_LEVELS = { error: 'error', warning: 'warning', info: 'note' } as const;
const GITHUB_COMMANDS = { error: 'error', warning: 'warning', info: 'notice' } as const;
const RULES = new Map([...NAME_RULES, ...ANNOTATION_RULES].map((rule) => [rule.id, rule]));

export function textReport(targets: readonly LintedTarget[], paint: Paint): string {
  const blocks = targets.map(({ name, tools, findings }) => {
    const lines = findings.flatMap(({ severity, rule, tool, message, fix, ...readers }) => {
      const who = [...(readers.clients ?? []), ...(readers.audiences ?? [])];
      const where = who.length > 0 ? ` [${who.join(', ')}]` : '';
      const about = `${onOneLine(tool)}: ${onOneLine(message)}${where}`;
      return [
        `  ${paint(TINTS[severity], severity)} ${paint('dim', rule)} ${about}`,
        `    → ${onOneLine(fix)}`,
      ];
    });
    return [`${paint('bold', onOneLine(name))} (${counted(tools, 'tool')})`, ...lines].join('\n');
  });
  return blocks.join('\n');
}

/** Lines that GitHub Actions shows beside the code. */
export function githubReport(targets: readonly LintedTarget[]): string {
  const lines = targets.flatMap(({ name, findings }) =>
    findings.map(({ severity, rule, tool, message, fix }) => {
      const title = escaped(onOneLine(`${rule}: ${name} ${tool}`)).replace(/[:,]/g, encoded);
      return `::${GITHUB_COMMANDS[severity]} title=${title}::${escaped(onOneLine(`${message} ${fix}`))}`;
    }),
  );
  return lines.join('\n');
}

function escaped(text: string): string {
  return text.replace(/[%\r\n]/g, encoded);
}

function encoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

/** SARIF 2.1.0, which code scanners read. */
export function sarifReport(targets: readonly LintedTarget[]): object {
  const findings = targets.flatMap(({ name, findings: own }) =>
    own.map((finding) => ({ name, ...finding })),
  );
  const rules = [...new Set(findings.map(({ rule }) => rule))].toSorted();
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'callsign lint',
            version: VERSION,
            rules: rules.map(sarifRule),
          },
        },
        results: findings.map(({ name, rule, severity, tool, message, fix }) => ({
          ruleId: rule,
          ruleIndex: rules.indexOf(rule),
          level: SARIF_LEVELS[severity],
          message: { text: `${tool}: ${message} ${fix}` },
          locations: [
            { logicalLocations: [{ name: tool, fullyQualifiedName: `${name}:${tool}` }] },
          ],
        })),
      },
    ],
  };
}

function sarifRule(id: string): object {
  const { summary = id, why = '' } = RULES.get(id) ?? {};
  return { id, shortDescription: { text: summary }, help: { text: why } };
}

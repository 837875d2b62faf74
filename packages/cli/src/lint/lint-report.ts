/** Writes findings in the formats of other programs: GitHub Actions and SARIF. */

import { ANNOTATION_RULES } from '@callsign/effects';
import { type Finding, NAME_RULES, type Rule } from '@callsign/naming';
import { onOneLine } from '@callsign/terminal';

import { VERSION } from '../command/version.js';
import { OBSERVED_RULE } from './observed-rule.js';

export interface LintedTarget {
  readonly name: string;
  readonly tools: number;
  readonly findings: readonly Finding[];
}

export const FORMATS = ['text', 'json', 'sarif', 'github'] as const;

const SARIF_LEVELS = { error: 'error', warning: 'warning', info: 'note' } as const;
const GITHUB_COMMANDS = { error: 'error', warning: 'warning', info: 'notice' } as const;
const RULES = new Map(
  [...NAME_RULES, ...ANNOTATION_RULES, OBSERVED_RULE].map((rule) => [rule.id, rule]),
);

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

/** The rule with this id. */
export function ruleOf(id: string): Pick<Rule<never>, 'summary' | 'why'> | undefined {
  return RULES.get(id);
}

function sarifRule(id: string): object {
  const { summary = id, why = '' } = ruleOf(id) ?? {};
  return { id, shortDescription: { text: summary }, help: { text: why } };
}

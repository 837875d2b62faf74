/** How many tools of each server have which risk, and on which evidence. */

import { groundOf, GROUNDS, RISKS, type Ground, type Risk } from '@callsign/annotations';
import type { Entry } from '@callsign/core';
import type { Column } from '@callsign/terminal';

import { RISK_TINTS } from './risk-mark.js';

export interface LabelCount {
  readonly risk: Risk;
  readonly evidence: Ground;
  readonly tools: number;
}

export interface ServerLabels {
  readonly server: string;
  readonly tools: number;
  /** From harmless to harmful, and from strong to weak evidence; without zeros. */
  readonly labels: readonly LabelCount[];
}

const GROUND_WORDS: Readonly<Record<Ground, string>> = {
  you: 'yours',
  server: 'claimed',
  assumed: 'assumed',
  words: 'inferred',
  default: 'by default',
  contradiction: 'contradicted',
};

/** One for each server, in the order of the tools. */
export function countLabels(entries: Iterable<Entry>): ServerLabels[] {
  const byServer = new Map<string, Entry[]>();
  for (const entry of entries) {
    const { server } = entry.ref;
    byServer.set(server, [...(byServer.get(server) ?? []), entry]);
  }
  return Array.from(byServer, ([server, tools]) => {
    const labels = RISKS.flatMap((risk) =>
      GROUNDS.map((evidence) => {
        const alike = tools.filter((tool) => tool.risk === risk && groundOf(tool) === evidence);
        return { risk, evidence, tools: alike.length };
      }),
    );
    return { server, tools: tools.length, labels: labels.filter((count) => count.tools > 0) };
  });
}

export const COUNT_COLUMNS: readonly Column<ServerLabels>[] = [
  { title: 'SERVER', text: ({ server }) => server, tint: () => 'bold' },
  { title: 'TOOLS', text: ({ tools }) => String(tools) },
  ...RISKS.map((risk) => ({
    title: risk.toUpperCase(),
    text: (labels: ServerLabels) => countText(labels, risk),
    tint: () => RISK_TINTS[risk],
  })),
];

/** The tools of one risk, such as `14: 12 claimed, 2 inferred`; nothing if there are none. */
function countText({ labels }: ServerLabels, risk: Risk): string {
  const counts = labels.filter((count) => count.risk === risk);
  const total = counts.reduce((sum, { tools }) => sum + tools, 0);
  const parts = counts.map(({ evidence, tools }) => `${tools} ${GROUND_WORDS[evidence]}`);
  return parts.length < 2 ? parts.join('') : `${total}: ${parts.join(', ')}`;
}

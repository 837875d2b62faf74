/** The table columns for counts of labels. */

import { RISKS, type Ground, type Risk, type ServerLabels } from '@callsign/effects';
import type { Column } from '@callsign/terminal';

const GROUND_WORDS: Readonly<Record<Ground, string>> = {
  you: 'yours',
  server: 'claimed',
  assumed: 'assumed',
  words: 'inferred',
  default: 'by default',
  contradiction: 'contradicted',
};

/** One row per server, one column per risk. Used by `labels`, `tools` and `setup`. */
export const COUNT_COLUMNS: readonly Column<ServerLabels>[] = [
  { title: 'SERVER', text: ({ server }) => server, tint: () => 'name', isWhole: true },
  { title: 'TOOLS', text: ({ tools }) => String(tools) },
  ...RISKS.map((risk) => ({
    title: risk.toUpperCase(),
    text: (labels: ServerLabels) => countText(labels, risk),
    tint: () => risk,
  })),
];

/** The tools of one risk, such as `14: 12 claimed, 2 inferred`; empty if there are none. */
function countText({ labels }: ServerLabels, risk: Risk): string {
  const counts = labels.filter((count) => count.risk === risk);
  const total = counts.reduce((sum, { tools }) => sum + tools, 0);
  const parts = counts.map(({ evidence, tools }) => `${tools} ${GROUND_WORDS[evidence]}`);
  return parts.length < 2 ? parts.join('') : `${total}: ${parts.join(', ')}`;
}

/** The table columns for counts of labels. */

import { RISKS, type Ground, type Risk, type ServerLabels } from '@callsign/effects';
import type { Column } from '@callsign/terminal';

const GROUND_WORDS: Readonly<Record<Ground, string>> = {
  you: 'yours',
  server: 'claimed',
  assumed: 'assumed',
  observed: 'observed',
  words: 'inferred',
  default: 'by default',
  contradiction: 'contradicted',
};

const GROUND_SENTENCES: Readonly<Record<Ground, string>> = {
  you: 'you set or accepted the label',
  server: 'the server says so, and nothing contradicts it',
  assumed: 'your settings assume it for this server',
  observed: 'the tool was watched while it was called',
  words: 'the server says nothing, so it follows from the words of the tool',
  default: 'nothing says what the tool does, so the worst is assumed',
  contradiction: 'the words of the tool contradict what the server says',
};

/** What the words in the counts mean, one line for each word that occurs. */
export function groundLines(servers: readonly ServerLabels[]): string[] {
  const used = new Set(servers.flatMap(({ labels }) => labels.map(({ evidence }) => evidence)));
  const grounds = Object.entries(GROUND_SENTENCES) as [Ground, string][];
  return grounds.flatMap(([ground, sentence]) =>
    used.has(ground) ? `  ${GROUND_WORDS[ground]}: ${sentence}` : [],
  );
}

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

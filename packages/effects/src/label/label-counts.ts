/** Counts the tools of each server by risk and evidence. */

import { RISKS, type Risk } from '../hints/risk.js';
import type { Label } from './label.js';
import { type Ground, groundOf, GROUNDS } from './reason.js';

/** A label, and the server of its tool. */
type ServedLabel = Label & { readonly ref: { readonly server: string } };

interface LabelCount {
  readonly risk: Risk;
  readonly evidence: Ground;
  readonly tools: number;
}

/** How many tools of one server have which risk, on which evidence. */
export interface ServerLabels {
  readonly server: string;
  readonly tools: number;
  /** From harmless to harmful, then from strong to weak evidence. Counts of zero are left out. */
  readonly labels: readonly LabelCount[];
}

/** One entry per server, in the order of the tools. */
export function countLabels(tools: Iterable<ServedLabel>): ServerLabels[] {
  const byServer = new Map<string, ServedLabel[]>();
  for (const tool of tools) {
    const { server } = tool.ref;
    byServer.set(server, [...(byServer.get(server) ?? []), tool]);
  }
  return Array.from(byServer, ([server, own]) => {
    const labels = RISKS.flatMap((risk) =>
      GROUNDS.map((evidence) => {
        const alike = own.filter((tool) => tool.risk === risk && groundOf(tool) === evidence);
        return { risk, evidence, tools: alike.length };
      }),
    );
    return { server, tools: own.length, labels: labels.filter((count) => count.tools > 0) };
  });
}

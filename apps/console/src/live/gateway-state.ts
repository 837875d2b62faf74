/** What the gateway does now, kept up to date by its events. */

import { effect, signal } from '@preact/signals';

import type {
  ApprovalData,
  GatewayData,
  Pulse,
  StatusData,
  ToolSummary,
} from '@callsign/gateway/admin-data';

import { announceApprovals } from './notification.js';
import { followEvents } from './event-stream.js';
import { chosenGateway, get, session } from './session.js';

export const isLive = signal<boolean | undefined>(undefined);
export const status = signal<StatusData | undefined>(undefined);
export const approvals = signal<readonly ApprovalData[] | undefined>(undefined);
/** When `approvals` came, to count down. */
export const approvalsAt = signal(0);
export const pulses = signal<readonly Pulse[]>([]);
export const gateways = signal<readonly GatewayData[]>([]);

/** A tool with the text that a search looks at. */
export interface FoundTool extends ToolSummary {
  readonly haystack: string;
}

export const tools = signal<readonly FoundTool[] | undefined>(undefined);
/** Changes with every change of the tools. */
export const toolsRevision = signal(0);

const KEPT_PULSES = 300;
const GATHER_MS = 150;

/** Follows the gateway while a session is open. */
export function followGateway(): void {
  effect(() => {
    if (!session.value) return undefined;
    // Another gateway is another stream.
    void chosenGateway.value;
    reset();
    void get<GatewayData[]>('/gateways').then(
      (found) => (gateways.value = found),
      () => undefined,
    );
    return followEvents({ onEvent, onState: (live) => (isLive.value = live) });
  });
}

function reset(): void {
  isLive.value = undefined;
  status.value = undefined;
  approvals.value = undefined;
  tools.value = undefined;
  pulses.value = [];
}

function onEvent(name: string, data: unknown): void {
  if (name === 'status') status.value = data as StatusData;
  else if (name === 'approvals') {
    const waiting = data as ApprovalData[];
    announceApprovals(approvals.peek() ?? waiting, waiting);
    approvalsAt.value = Date.now();
    approvals.value = waiting;
  } else if (name === 'pulses') pulses.value = data as Pulse[];
  else if (name === 'pulse') pulses.value = [...pulses.peek(), data as Pulse].slice(-KEPT_PULSES);
  else if (name === 'tools') loadToolsSoon();
}

let willLoad = false;

/** Changes come in bursts; the tools are fetched once for all of them. */
function loadToolsSoon(): void {
  if (willLoad) return;
  willLoad = true;
  setTimeout(
    () => {
      willLoad = false;
      void loadTools();
    },
    tools.peek() === undefined ? 0 : GATHER_MS,
  );
}

async function loadTools(): Promise<void> {
  const found = await get<ToolSummary[]>('/tools').catch(() => undefined);
  if (!found) return;
  tools.value = found.map((tool) => ({
    ...tool,
    haystack: `${tool.canonical} ${tool.title} ${tool.description}`.toLowerCase(),
  }));
  toolsRevision.value++;
}

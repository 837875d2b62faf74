/** The current state of the gateway, updated by its events. */

import type {
  GatewayData,
  InstancesData,
  LiveEvent,
  PendingApproval,
  CallPoint,
  StatusData,
  ToolSummary,
} from '@callsign/gateway/admin/data';
import { effect, signal } from '@preact/signals';

import { followStream } from './event-stream.js';
import { announceApprovals } from './notification.js';
import { chooseGateway, chosenGateway, get, session } from './session.js';

/** Whether events arrive. `undefined`: not connected yet. The other signals keep old values. */
export const isLive = signal<boolean | undefined>(undefined);
export const status = signal<StatusData | undefined>(undefined);
export const approvals = signal<readonly PendingApproval[] | undefined>(undefined);
/** When `approvals` arrived, for the countdowns. */
export const approvalsAt = signal(0);
/** All instances. Default: not known yet, or the gateway has no `storage`. */
export const instances = signal<InstancesData | undefined>(undefined);
/** The numbers of calls in the last minutes, the newest last. Seconds without a call may be missing. */
export const points = signal<readonly CallPoint[]>([]);
/** The running gateways that can be chosen here. */
export const gateways = signal<readonly GatewayData[]>([]);
/** The gateway that answers. */
export const gateway = signal<GatewayData | undefined>(undefined);

/** A tool with the text for searches. */
export interface FoundTool extends ToolSummary {
  readonly haystack: string;
}

export const tools = signal<readonly FoundTool[] | undefined>(undefined);
/** Counts changes of the tools. Screens that show tools depend on it to reload. */
export const toolsRevision = signal(0);

const KEPT_SECONDS = 300;
const GATHER_MS = 150;

/** Follows the gateway while a session is open. */
export function followGateway(): void {
  effect(() => {
    if (!session.value) return undefined;
    // Another gateway needs another stream.
    void chosenGateway.value;
    reset();
    void findGateways().catch(() => undefined);
    return followStream<LiveEvent>({
      path: () => '/events',
      onEvent,
      onState: (live) => (isLive.value = live),
    });
  });
}

async function findGateways(): Promise<void> {
  const found = await get<GatewayData[]>('/gateways');
  const isGone = found.every(({ pid }) => String(pid) !== chosenGateway.peek());
  // The chosen gateway has ended. The new choice reads the list again.
  if (chosenGateway.peek() !== '' && isGone) return chooseGateway('');
  gateway.value = await get<GatewayData>('/');
  gateways.value = found;
}

function reset(): void {
  isLive.value = undefined;
  status.value = undefined;
  approvals.value = undefined;
  tools.value = undefined;
  instances.value = undefined;
  points.value = [];
}

function onEvent({ event, data }: LiveEvent): void {
  if (event === 'status') status.value = data;
  else if (event === 'approvals') {
    announceApprovals(approvals.peek() ?? data, data);
    approvalsAt.value = Date.now();
    approvals.value = data;
  } else if (event === 'instances') instances.value = data;
  else if (event === 'points') points.value = data;
  else if (event === 'point') {
    const oldest = data.at - KEPT_SECONDS;
    points.value = [...points.peek().filter(({ at }) => at > oldest), data];
  } else loadToolsSoon();
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

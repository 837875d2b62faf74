/** `callsign adapter tools`: lists the tools of adapters and their operations. Starts nothing. */

import type { Entry } from '@callsign/core';
import { definitionOfTool } from '@callsign/gateway/admin';
import {
  type Adapter,
  adapterTools,
  callVerdict,
  createAdapterSource,
  type EndpointTool,
  type Operation,
  toolNames,
} from '@callsign/mcpaql';

import { adapterHub } from '../adapter/open-adapters.js';
import { requireAdapters } from '../adapter/require-adapter.js';
import type { CommandModule } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { hintWords } from '../fleet/hint-words.js';

interface AdapterRow {
  readonly adapter: Adapter;
  readonly tool: EndpointTool;
  readonly entry: Entry;
}

export const command: CommandModule = {
  describe(line) {
    line
      .description('Lists the tools of adapters, with their labels and operations.')
      .argument('<files...>', 'adapters: Markdown with front matter, YAML or JSON');
  },

  async run(context, { words }) {
    const { json, out } = context;
    const adapters = await requireAdapters(words, context);
    const rows = adapters.flatMap(rowsOf);
    if (json) {
      out.json({ tools: rows.map(asJson) });
      return EXIT.ok;
    }
    out.table(rows, [
      { title: 'NAME', text: ({ tool }) => tool.name, tint: () => 'name', isWhole: true },
      { title: 'TITLE', text: ({ entry }) => definitionOfTool(entry).title, isOptional: true },
      {
        title: 'RISK',
        text: ({ entry }) => entry.risk,
        tint: ({ entry }) => entry.risk,
      },
      {
        title: 'HINTS',
        text: ({ entry }) => hintWords(entry.hints, entry.risk),
        isOptional: true,
      },
      { title: 'OPERATIONS', text: ({ tool }) => tool.operations.join(', ') },
    ]);
    return EXIT.ok;
  },
};

function rowsOf(adapter: Adapter): AdapterRow[] {
  const hub = adapterHub([createAdapterSource(adapter)]);
  const byName = new Map(
    Array.from(hub.entries('tool').values(), (entry) => [entry.ref.tool, entry]),
  );
  return adapterTools(adapter, toolNames(adapter)).flatMap((tool) => {
    const entry = byName.get(tool.name);
    return entry ? { adapter, tool, entry } : [];
  });
}

function asJson({ adapter, tool, entry }: AdapterRow): object {
  return {
    name: tool.name,
    adapter: adapter.name,
    endpoint: tool.endpoint,
    title: definitionOfTool(entry).title,
    risk: entry.risk,
    annotations: tool.hints,
    operations: tool.operations.map((name) =>
      operationJson(adapter.operations.get(name)!, adapter.trust),
    ),
  };
}

function operationJson(operation: Operation, trust: Adapter['trust']) {
  const { name, description, danger, params, isReviewed } = operation;
  const verdict = callVerdict(operation, trust).is;
  const requiresConfirmation = verdict === 'confirm';
  const isCallable = verdict !== 'deny';
  const parameters = Array.from(params.values(), (param) => {
    return { name: param.name, type: param.type, required: param.required };
  });
  const state = { requiresConfirmation, isCallable, isReviewed };
  return { name, description, danger: danger.level, ...state, parameters };
}

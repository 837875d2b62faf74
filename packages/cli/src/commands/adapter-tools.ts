/** `callsign adapter tools`: the tools that adapters make, and their operations. Starts nothing. */

import type { Entry } from '@callsign/core';
import { adapterTools, createAdapterSource, toolNames } from '@callsign/mcpaql';
import type { Adapter, EndpointTool, Operation } from '@callsign/mcpaql';

import { adapterHub } from '../adapter/open-adapters.js';
import { requireAdapters } from '../adapter/require-adapter.js';
import type { CommandModule } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { hintWords } from '../fleet/hint-words.js';
import { RISK_TINTS } from '../fleet/risk-mark.js';
import { definitionOfTool } from '@callsign/gateway';

interface AdapterRow {
  readonly adapter: Adapter;
  readonly tool: EndpointTool;
  readonly entry: Entry;
}

export const command: CommandModule = {
  describe(line) {
    line
      .description('Lists the tools that adapters make, with their labels and operations.')
      .argument('<files...>', 'adapters: Markdown with front matter, YAML or JSON');
  },

  async run({ json, out }, { words }) {
    const adapters = await requireAdapters(words);
    const rows = adapters.flatMap(rowsOf);
    if (json) {
      out.json({ tools: rows.map(asJson) });
      return EXIT.ok;
    }
    out.table(rows, [
      { title: 'NAME', text: ({ tool }) => tool.name, tint: () => 'bold' },
      { title: 'TITLE', text: ({ entry }) => definitionOfTool(entry).title },
      {
        title: 'RISK',
        text: ({ entry }) => entry.risk,
        tint: ({ entry }) => RISK_TINTS[entry.risk],
      },
      { title: 'HINTS', text: ({ entry }) => hintWords(entry.hints, entry.risk) },
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
    operations: tool.operations.map((name) => operationJson(adapter.operations.get(name)!)),
  };
}

function operationJson({ name, description, danger, params, requiresConfirmation }: Operation) {
  const parameters = Array.from(params.values(), (param) => {
    return { name: param.name, type: param.type, required: param.required };
  });
  return { name, description, danger: danger.level, requiresConfirmation, parameters };
}

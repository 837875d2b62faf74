/** What the policy does with a call, for a chosen client and role. */

import type { DecisionData, ToolData } from '@callsign/gateway/admin/data';
import { useState } from 'preact/hooks';

import { toolsRevision } from '../live/gateway-state.js';
import { useLoaded } from '../live/loaded.js';
import { get } from '../live/session.js';
import { Badge } from '../view/badge.js';
import { Problem } from '../view/notice.js';
import { line } from '../view/shown-text.js';

export function ToolDecision({ tool }: { readonly tool: ToolData }) {
  const [client, setClient] = useState('');
  const [role, setRole] = useState('');
  const query = new URLSearchParams({ client, ...(role === '' ? {} : { role }) });
  const path = `/tools/${encodeURIComponent(tool.canonical)}/decision?${query}`;
  const { data, problem } = useLoaded(() => get<DecisionData>(path), [path, toolsRevision.value]);
  return (
    <>
      <h3>Policy</h3>
      <p class="row decision">
        {data ? <Badge word={data.decision} /> : <span class="badge dim">…</span>}
        <span>{data ? `because ${line(data.rule, 300)}` : ''}</span>
      </p>
      <Problem text={problem} />
      <p class="row">
        <label class="row">
          Client
          <select value={client} onChange={({ currentTarget }) => setClient(currentTarget.value)}>
            <option value="">any</option>
            {tool.clients.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        </label>
        {tool.roles.length > 0 && (
          <label class="row">
            Role
            <select value={role} onChange={({ currentTarget }) => setRole(currentTarget.value)}>
              <option value="">without a credential</option>
              {tool.roles.map((each) => (
                <option key={each} value={each}>
                  {line(each, 60)}
                </option>
              ))}
            </select>
          </label>
        )}
        <span class="dim">for a call without arguments</span>
      </p>
    </>
  );
}

/** Everything about one tool. */

import type { ToolData } from '@callsign/gateway/admin/data';

import { toolsRevision } from '../live/gateway-state.js';
import { useLoaded } from '../live/loaded.js';
import { get } from '../live/session.js';
import { Badge } from '../view/badge.js';
import { Problem, Waiting } from '../view/notice.js';
import { Panel } from '../view/panel.js';
import { line, paragraph } from '../view/shown-text.js';
import { LabelEvidence } from './label-evidence.js';
import { RecentCalls } from './recent-calls.js';
import { ToolDecision } from './tool-decision.js';
import { ToolNames } from './tool-names.js';
import { TryTool } from './try-tool.js';

export function ToolDetail({ name }: { readonly name: string }) {
  const path = `/tools/${encodeURIComponent(name)}`;
  const { data, problem } = useLoaded(() => get<ToolData>(path), [path, toolsRevision.value]);
  return (
    <Panel title={line(name, 150)}>
      <Problem text={data ? undefined : problem} />
      {data === undefined && problem === undefined && <Waiting rows={6} />}
      {data && <Parts tool={data} />}
    </Panel>
  );
}

function Parts({ tool }: { readonly tool: ToolData }) {
  return (
    <>
      <p class="dim">
        {line(tool.displayName)} — {line(tool.title)} · about {tool.tokens} tokens in every list
      </p>
      <Description tool={tool} />
      <LabelEvidence tool={tool} />
      <ToolDecision tool={tool} />
      <Sets tool={tool} />
      <h3>Parameters</h3>
      <Parameters tool={tool} />
      <ToolNames names={tool.names} />
      <h3>Try it</h3>
      <TryTool tool={tool} />
      <RecentCalls tool={tool.canonical} />
      <h3>Lint</h3>
      <Findings tool={tool} />
    </>
  );
}

function Description({ tool }: { readonly tool: ToolData }) {
  const { description, descriptionCut } = tool;
  if (description.trim() === '') return <p class="dim">It has no description.</p>;
  return (
    <div class="description" tabIndex={0} role="region" aria-label="Description">
      {paragraph(description.trim())}
      {descriptionCut > 0 && <p class="dim">{descriptionCut} more characters are not shown.</p>}
    </div>
  );
}

/** The sets that the tool is in, and those that it is not in. */
function Sets({ tool: { sets } }: { readonly tool: ToolData }) {
  if (sets.length === 0) return null;
  return (
    <>
      <h3>Sets</h3>
      <ul class="findings">
        {sets.map(({ name, isIn, because }) => (
          <li key={name}>
            <Badge word={isIn ? 'in' : 'not in'} /> <code>{line(name, 64)}</code>{' '}
            <span class="dim">{line(because, 300)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function Parameters({ tool }: { readonly tool: ToolData }) {
  if (tool.parameters.length === 0) return <p class="dim">none</p>;
  return (
    <dl class="parameters">
      {tool.parameters.map(({ name, type, isRequired, description }) => (
        <div key={name}>
          <dt>
            <code>{line(name, 100)}</code> <span class="dim">{line(type, 120)}</span>
            {isRequired && <span class="tag">required</span>}
          </dt>
          <dd>{line(description, 600)}</dd>
        </div>
      ))}
    </dl>
  );
}

function Findings({ tool }: { readonly tool: ToolData }) {
  if (tool.findings.length === 0) return <p class="dim">No findings.</p>;
  return (
    <ul class="findings">
      {tool.findings.map(({ rule, severity, message, fix }, i) => (
        <li key={`${rule}${i}`}>
          <Badge word={severity} /> <code>{rule}</code> {line(message, 500)}
          <span class="dim"> → {line(fix, 500)}</span>
        </li>
      ))}
    </ul>
  );
}

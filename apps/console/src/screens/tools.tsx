/** The screen Tools: search over all tools, and everything about one. */

import { useMemo } from 'preact/hooks';

import { tools, type FoundTool } from '../live/gateway-state.js';
import { href, route, setQuery } from '../live/route.js';
import { Badge } from '../view/badge.js';
import { GROUND_WORDS } from '../view/ground-words.js';
import { Empty, Waiting } from '../view/notice.js';
import { line } from '../view/shown-text.js';
import { VirtualList } from '../view/virtual-list.js';
import { filterTools } from '../tool/filter-tools.js';
import { ToolDetail } from '../tool/tool-detail.js';

const ROW_HEIGHT = 46;
/** Characters of the server's key in a row. The name of the tool needs the space more. */
const MAX_SERVER = 28;

export function Tools() {
  const { item, query } = route.value;
  const all = tools.value;
  const wanted = {
    text: query.get('q') ?? '',
    server: query.get('server') ?? '',
    risk: query.get('risk') ?? '',
    ground: query.get('ground') ?? '',
  };
  const found = useMemo(() => filterTools(all ?? [], wanted), [all, query.toString()]);
  const servers = useMemo(() => [...new Set(all?.map(({ server }) => server))], [all]);
  return (
    <>
      <h1>Tools</h1>
      <div class={item === undefined ? 'finder' : 'finder split'}>
        <div class="found">
          <search class="filters">
            <input
              type="search"
              aria-label="Search tools"
              placeholder="Search by name, title or description"
              value={wanted.text}
              onInput={({ currentTarget }) => setQuery({ q: currentTarget.value })}
            />
            <Choice name="server" label="All servers" value={wanted.server} options={servers} />
            <Choice name="risk" label="Any risk" value={wanted.risk} options={RISKS} />
            <Choice
              name="ground"
              label="Any evidence"
              value={wanted.ground}
              options={Object.keys(GROUND_WORDS)}
              words={GROUND_WORDS}
            />
          </search>
          <p class="dim total" role="status">
            {all ? `${found.length} of ${all.length} tools` : 'Loading tools'}
          </p>
          {all === undefined ? (
            <Waiting rows={8} />
          ) : (
            <ToolList found={found} isAny={all.length > 0} />
          )}
        </div>
        {item !== undefined && <ToolDetail key={item} name={item} />}
      </div>
    </>
  );
}

const RISKS = ['read', 'write', 'destructive'];

function ToolList({
  found,
  isAny,
}: {
  readonly found: readonly FoundTool[];
  readonly isAny: boolean;
}) {
  const { item, query } = route.value;
  if (!isAny)
    return <Empty>No server offers a tool now. See the Servers screen for the reason.</Empty>;
  if (found.length === 0)
    return <Empty>No tool matches. Use fewer words, or clear a filter.</Empty>;
  return (
    <VirtualList
      items={found}
      rowHeight={ROW_HEIGHT}
      label="Tools"
      keyOf={({ canonical }) => canonical}
      chosen={item}
    >
      {(tool) => (
        <a
          class="tool-row"
          href={href('tools', tool.canonical, query)}
          aria-current={tool.canonical === item ? 'true' : undefined}
        >
          <span class="name">
            <span class="dim">{line(tool.server, MAX_SERVER)}:</span>
            {line(tool.tool, 100)}
          </span>
          <Badge word={tool.risk} />
          <span class="about dim">
            {line(tool.description === '' ? tool.title : tool.description, 160)}
          </span>
          {(tool.isContradicted || tool.hasLapsed) && (
            <span class="mark">{tool.isContradicted ? 'contradicted' : 'expired'}</span>
          )}
        </a>
      )}
    </VirtualList>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly options: readonly string[];
  readonly words?: Readonly<Record<string, string>>;
}

function Choice({ name, label, value, options, words = {} }: ChoiceProps) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => setQuery({ [name]: currentTarget.value })}
    >
      <option value="">{label}</option>
      {options.map((each) => (
        <option key={each} value={each}>
          {line(words[each] ?? each, 60)}
        </option>
      ))}
    </select>
  );
}

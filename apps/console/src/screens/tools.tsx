/** The screen Tools: search over all tools, and everything about one. */

import type { SetData } from '@callsign/gateway/admin/data';
import { useMemo } from 'preact/hooks';

import { tools, toolsRevision, type FoundTool } from '../live/gateway-state.js';
import { useLoaded } from '../live/loaded.js';
import { href, route } from '../live/route.js';
import { get } from '../live/session.js';
import { NoTools } from '../server/server-list.js';
import { ToolDetail } from '../tool/tool-detail.js';
import { Badge } from '../view/badge.js';
import { Choice, Filters, SearchField } from '../view/filters.js';
import { CERTAINTIES, certaintyOf, GROUND_WORDS } from '../view/ground-words.js';
import { Empty, Waiting } from '../view/notice.js';
import { RowLink } from '../view/row-link.js';
import { line } from '../view/shown-text.js';
import { VirtualList } from '../view/virtual-list.js';

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
    set: query.get('set') ?? '',
  };
  const { data: sets = NO_SETS } = useLoaded(() => get<SetData[]>('/sets'), [toolsRevision.value]);
  const isIn = useMemo(() => setFilter(sets, wanted.set), [sets, wanted.set]);
  const found = useMemo(
    () => filterTools(all ?? [], wanted).filter(({ canonical }) => isIn(canonical)),
    [all, query.toString(), isIn],
  );
  const choices = sets.flatMap(({ name }) => [name, OUTSIDE + name]);
  const servers = useMemo(() => [...new Set(all?.map(({ server }) => server))], [all]);
  return (
    <>
      <h1>Tools</h1>
      <div class={item === undefined ? 'finder' : 'finder split'}>
        <div class="found">
          <Filters
            names={['server', 'risk', 'ground', 'set']}
            search={<SearchField label="Search tools" />}
          >
            <Choice name="server" label="All servers" options={servers} />
            <Choice name="risk" label="Any risk" options={RISKS} />
            <Choice
              name="ground"
              label="Any evidence"
              options={Object.keys(GROUND_WORDS)}
              words={GROUND_WORDS}
            />
            {sets.length > 0 && (
              <Choice
                name="set"
                label="Any set"
                options={choices}
                words={Object.fromEntries(choices.map((each) => [each, setWords(each)]))}
              />
            )}
          </Filters>
          <div class="total">
            <span class="dim" role="status">
              {all
                ? `${found.length} of ${all.length} tools, about ${tokensOf(found).toLocaleString('en')} tokens`
                : 'Loading tools'}
            </span>
            <Legend />
          </div>
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

/** In front of the name of a set, for what is not in it. No set has such a name. */
const OUTSIDE = '!';
const NO_SETS: readonly SetData[] = [];

function setWords(choice: string): string {
  return choice.startsWith(OUTSIDE) ? `Not in ${choice.slice(OUTSIDE.length)}` : `In ${choice}`;
}

function setFilter(sets: readonly SetData[], choice: string): (canonical: string) => boolean {
  if (choice === '') return () => true;
  const isOutside = choice.startsWith(OUTSIDE);
  const wanted = isOutside ? choice.slice(OUTSIDE.length) : choice;
  const inside = new Set(sets.find(({ name }) => name === wanted)?.tools);
  return (canonical) => inside.has(canonical) !== isOutside;
}

function tokensOf(found: readonly FoundTool[]): number {
  return found.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** What the dots of a risk mean. */
function Legend() {
  return (
    <span class="certainties">
      {CERTAINTIES.map(([certainty, words]) => (
        <span key={certainty} class={`badge ${certainty}`}>
          {words}
        </span>
      ))}
    </span>
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
  if (!isAny) return <NoTools />;
  if (found.length === 0) {
    return (
      <Empty>
        No tool matches. Use fewer words, or <a href={href('tools', item)}>clear the filters</a>.
      </Empty>
    );
  }
  return (
    <VirtualList
      items={found}
      rowHeight={ROW_HEIGHT}
      label="Tools"
      keyOf={({ canonical }) => canonical}
      chosen={item}
    >
      {(tool) => (
        <RowLink
          class="tool-row"
          to={href('tools', tool.canonical, query)}
          isChosen={tool.canonical === item}
        >
          <span class="name">
            <span class="dim">{line(tool.server, MAX_SERVER)}:</span>
            {line(tool.tool, 100)}
          </span>
          <Badge word={tool.risk} certainty={certaintyOf(tool)} />
          <span class="dim tokens number" title="Tokens in every list, estimated">
            {tool.tokens.toLocaleString('en')}
          </span>
          <span class="about dim">
            {line(tool.description === '' ? tool.title : tool.description, 160)}
          </span>
          <span class={`because ${tool.isContradicted || tool.hasLapsed ? 'mark' : 'dim'}`}>
            {tool.hasLapsed ? 'the accepted label has expired' : line(tool.because, 160)}
          </span>
        </RowLink>
      )}
    </VirtualList>
  );
}

/** An empty text matches everything. */
interface ToolFilter {
  /** All words must occur, in any order. */
  readonly text: string;
  readonly server: string;
  readonly risk: string;
  readonly ground: string;
}

function filterTools(all: readonly FoundTool[], filter: ToolFilter): FoundTool[] {
  const words = filter.text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const { server, risk, ground } = filter;
  return all.filter(
    (tool) =>
      (server === '' || tool.server === server) &&
      (risk === '' || tool.risk === risk) &&
      (ground === '' || (ground === 'lapsed' ? tool.hasLapsed : tool.ground === ground)) &&
      words.every((word) => tool.haystack.includes(word)),
  );
}

/** The newest recorded calls of one tool. */

import type { RecordData } from '@callsign/gateway/admin/data';

import { status } from '../live/gateway-state.js';
import { useLoaded } from '../live/loaded.js';
import { href } from '../live/route.js';
import { get } from '../live/session.js';
import { Badge } from '../view/badge.js';
import { Problem } from '../view/notice.js';
import { RowLink } from '../view/row-link.js';
import { line } from '../view/shown-text.js';

const SHOWN = 6;

/** Shows nothing if calls are not recorded. */
export function RecentCalls({ tool }: { readonly tool: string }) {
  return status.value?.hasRecords === true ? <Calls tool={tool} /> : null;
}

function Calls({ tool }: { readonly tool: string }) {
  const query = new URLSearchParams({ tool });
  const { data, problem } = useLoaded(
    () => get<RecordData[]>(`/records?${query}&limit=${SHOWN}`),
    [tool],
  );
  return (
    <>
      <h3>Recent calls</h3>
      <Problem text={problem} />
      {data?.length === 0 && (
        <p class="dim">No calls of it are recorded. Above, you can make one.</p>
      )}
      <ul class="recent">
        {data?.map(
          (call) =>
            call.kind === 'call' && (
              <li key={call.id}>
                <RowLink to={href('audit', call.id, query)}>
                  {new Date(call.time).toLocaleString('en-GB')}
                </RowLink>
                <span class="dim">{line(call.client, 60)}</span>
                <Badge word={call.outcome ?? 'not ended'} />
              </li>
            ),
        )}
      </ul>
      {data?.length === SHOWN && <a href={href('audit', undefined, query)}>All of its calls</a>}
    </>
  );
}

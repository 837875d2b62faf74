/** The name of an instance: its machine, and the beginning of its id. */

import type { InstanceData } from '@callsign/gateway/admin/data';

import { line } from '../view/shown-text.js';

/** Enough to tell instances apart. */
const ID_LETTERS = 6;

export function instanceText({ id, host }: InstanceData): string {
  const short = line(id.slice(0, ID_LETTERS));
  return host === undefined ? short : `${line(host, 40)} · ${short}`;
}

export function InstanceName({ instance }: { readonly instance: InstanceData }) {
  return (
    <span class="instance" title={line(instance.id)}>
      {instanceText(instance)} {instance.isSelf && <span class="tag">this one</span>}
    </span>
  );
}

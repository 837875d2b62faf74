/** Web pages that servers asked one client to open. News about a page goes to that client only. */

import { elementsOf, memberText, type Question } from '@callsign/core';

/** More pages than a client can have open. The oldest are dropped. */
const MOST = 256;

export class AskedPages {
  readonly #asked = new Set<string>();

  /** Records the pages in a question of a server, or in an error (`data.elicitations`). */
  note(server: string, { params }: Pick<Question, 'params'>): void {
    if (!params.includes('licitationId')) return;
    const listed = elementsOf(memberText(memberText(params, 'data') ?? '{}', 'elicitations') ?? '');
    for (const one of [params, ...(listed ?? [])]) this.#add(keyOf(server, one));
  }

  /** Whether this client was asked to open the page of a notification. */
  has(server: string, params: string): boolean {
    const key = keyOf(server, params);
    return key !== undefined && this.#asked.has(key);
  }

  #add(key: string | undefined): void {
    if (key === undefined) return;
    this.#asked.add(key);
    const [oldest] = this.#asked;
    if (oldest !== undefined && this.#asked.size > MOST) this.#asked.delete(oldest);
  }
}

function keyOf(server: string, json: string): string | undefined {
  const id = json.startsWith('{') ? memberText(json, 'elicitationId') : undefined;
  return id === undefined ? undefined : `${server}:${id}`;
}

/** Fetches the skills of a server, all pages. Servers without the extension are not asked. */

import { setTimeout as after } from 'node:timers/promises';

import type { Item } from '@callsign/core';

import {
  hasExtension,
  SKILLS_EXTENSION,
} from '../extensions/capabilities/extension-capabilities.js';
import { ListBudget } from './list-budget.js';
import { fetchList, type FetchOptions, type ListRequest } from './lists.js';

export interface SkillsOptions extends FetchOptions {
  /** As JSON text. */
  readonly capabilities: string;
}

const SKILLS: ListRequest = {
  method: 'skills/list',
  member: 'skills',
  name: 'uri',
  most: 2_000,
  mayBeMissing: false,
};
/** How long a start, or a change of other lists, waits for skills. */
const LAG_MS = 2_000;

/** The skills of one run of a server. Nothing else waits long for them. */
export class Skills {
  readonly #onLate: () => void;
  #known: readonly Item[] = [];
  #asked: Promise<readonly Item[]> | undefined;
  /** They came after the others had been published. */
  #isLate = false;

  /** `onLate`: skills have come for which a fetch did not wait. The next fetch returns them. */
  constructor(onLate: () => void) {
    this.#onLate = onLate;
  }

  /** `undefined`: the server has no skills. */
  async fetch(options: SkillsOptions): Promise<readonly Item[] | undefined> {
    if (!hasExtension(options.capabilities, SKILLS_EXTENSION)) return undefined;
    if (this.#isLate) {
      this.#isLate = false;
      return this.#known;
    }
    const asked = (this.#asked ??= this.#ask(options));
    const isThere = await Promise.race([
      asked.then(() => true),
      after(LAG_MS, false, { ref: false }),
    ]);
    if (!isThere) void this.#announce(asked);
    return this.#known;
  }

  /** Skills that cannot be read stay as they were. */
  async #ask(options: SkillsOptions): Promise<readonly Item[]> {
    const { limits, timeoutMs, warn } = options;
    const budget = new ListBudget(limits, timeoutMs);
    const fetched = await fetchList(SKILLS, options, budget, warn).catch(() =>
      warn('skills/list failed: no answer'),
    );
    this.#asked = undefined;
    return (this.#known = fetched ?? this.#known);
  }

  async #announce(asked: Promise<readonly Item[]>): Promise<void> {
    await asked;
    if (this.#isLate) return;
    this.#isLate = true;
    this.#onLate();
  }
}

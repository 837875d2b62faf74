/** Records of calls as a tree: a script, and the calls that it made beneath it. */

export interface OfScript {
  readonly id: string;
  /** `server:tool`. */
  readonly tool?: string;
  readonly time: string;
  /** The id of the script that made the call or, for a call of `callsign:run`, that it ran. */
  readonly script?: string | null;
}

export interface Placed<T> {
  readonly row: T;
  /** `run`: the call that ran a script. `inner`, `last`: beneath it. `alone`: of no script. */
  readonly place: 'alone' | 'run' | 'inner' | 'last';
}

const RUN = 'callsign:run';

/**
 * The rows in their order, but those of a script together, where its earliest one of `callsign:run` is, and by time. A
 * script that was resumed has more than one. Rows of a script whose run is not among the rows come together too.
 */
export function scriptTree<T extends OfScript>(rows: readonly T[]): Placed<T>[] {
  const scripts = new Map<string, T[]>();
  for (const row of rows) {
    if (!row.script) continue;
    const known = scripts.get(row.script);
    if (known) known.push(row);
    else scripts.set(row.script, [row]);
  }
  const heads = new Map<T, readonly T[]>();
  for (const own of scripts.values()) {
    own.sort((a, b) => (a.time < b.time ? -1 : Number(a.time > b.time)));
    const run = own.findIndex(({ tool }) => tool === RUN);
    if (run > 0) own.unshift(...own.splice(run, 1));
    heads.set(own[0]!, own);
  }
  return rows.flatMap((row): Placed<T>[] => {
    if (!row.script) return [{ row, place: 'alone' }];
    const own = heads.get(row);
    if (!own) return [];
    const hasRun = row.tool === RUN;
    return own.map((each, i) => {
      if (i === 0 && hasRun) return { row: each, place: 'run' };
      return { row: each, place: i === own.length - 1 ? 'last' : 'inner' };
    });
  });
}

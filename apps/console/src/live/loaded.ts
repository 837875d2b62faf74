/** A hook for data that a screen fetches: loading, loaded, or refused. */

import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

/** `data` and `problem` can both be set: old data stays when a reload fails. */
export interface Loaded<T> {
  readonly data: T | undefined;
  readonly problem: string | undefined;
  readonly reload: () => void;
  readonly set: (data: T) => void;
}

/** Fetches again when a dependency changes. Old data stays until the new data arrives. */
export function useLoaded<T>(
  fetchData: () => Promise<T>,
  dependencies: readonly unknown[],
): Loaded<T> {
  const [state, setState] = useState<{ data?: T; problem?: string }>({});
  // Answers of older requests are ignored: they may arrive after the newer one.
  const latest = useRef(0);
  const reload = useCallback(() => {
    const turn = ++latest.current;
    fetchData().then(
      (data) => turn === latest.current && setState({ data }),
      (error: Error) =>
        turn === latest.current && setState((old) => ({ ...old, problem: error.message })),
    );
  }, dependencies);
  useEffect(() => {
    reload();
    return () => void latest.current++;
  }, [reload]);
  return { data: state.data, problem: state.problem, reload, set: (data) => setState({ data }) };
}

/** Lists that Lightdash gives out page by page. */

export interface PageRequest {
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
}

export interface Pagination extends PageRequest {
  readonly totalPageCount: number;
  readonly totalResults: number;
}

export interface Page<T> {
  readonly data: readonly T[];
  /** Missing where the server gave everything at once. */
  readonly pagination?: Pagination;
}

/** No organization has more pages than this; a server that says otherwise is not believed. */
const MAX_PAGES = 10_000;

/** Everything, page after page. A page may be short without being the last one. */
export async function* eachOf<T>(
  read: (page: PageRequest) => Promise<Page<T>>,
  pageSize = 100,
): AsyncGenerator<T> {
  for (let page = 1; page <= MAX_PAGES; page++) {
    const { data, pagination } = await read({ page, pageSize });
    yield* data;
    if (pagination === undefined || page >= pagination.totalPageCount) return;
  }
}

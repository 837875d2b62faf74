/** Lists that Lightdash returns in pages. */

/** Which page of a list to fetch. */
export interface PageRequest {
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
}

/** The page that was sent, and how many there are. */
export interface Pagination extends PageRequest {
  readonly totalPageCount: number;
  readonly totalResults: number;
}

/** One page of a list. */
export interface Page<T> {
  readonly data: readonly T[];
  /** Missing if the server returned everything at once. */
  readonly pagination?: Pagination;
}

/** More pages than any organization has, in case a server reports an endless list. */
const MAX_PAGES = 10_000;

/** Reads all pages. It trusts the page count: a short page is not always the last one. */
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

import { describe, expect, it } from 'vitest';

import { eachOf, type Page, type PageRequest } from './page.js';

async function read(pages: readonly Page<number>[]): Promise<{ all: number[]; asked: number[] }> {
  const asked: number[] = [];
  const all: number[] = [];
  const give = async ({ page }: PageRequest): Promise<Page<number>> => {
    asked.push(page);
    return pages[page - 1]!;
  };
  for await (const each of eachOf(give, 2)) all.push(each);
  return { all, asked };
}

const pagination = { page: 0, pageSize: 2, totalPageCount: 3, totalResults: 5 };

describe('a whole list', () => {
  it('is read page by page, including short and empty pages', async () => {
    const pages = [
      { data: [1], pagination },
      { data: [], pagination },
      { data: [4, 5], pagination },
    ];
    expect(await read(pages)).toEqual({ all: [1, 4, 5], asked: [1, 2, 3] });
  });

  it('is complete at once if the server does not page', async () => {
    expect(await read([{ data: [1, 2, 3] }])).toEqual({ all: [1, 2, 3], asked: [1] });
  });
});

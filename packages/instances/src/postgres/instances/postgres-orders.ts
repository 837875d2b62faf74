/**
 * Orders to all instances, such as to reload. Orders are counted, so an instance that misses the
 * news finds a higher count later.
 */

import type { News } from '../../news/news.js';
import type { Database } from '../database/database.js';

/** Gives orders and counts them. */
export interface Orders {
  /** How often this order was given so far. */
  count(order: string): Promise<number>;
  /** Returns the new count. */
  give(order: string): Promise<number>;
}

export function postgresOrders(database: Database, news: News): Orders {
  const orders = database.name('orders');
  return {
    async count(order) {
      const [row] = await database.query<{ count: number }>(
        `select count from ${orders} where name = $1`,
        [order],
      );
      return row?.count ?? 0;
    },
    async give(order) {
      const [row] = await database.query<{ count: number }>(
        `insert into ${orders} as given (name, count) values ($1, 1)
         on conflict (name) do update set count = given.count + 1 returning count`,
        [order],
      );
      await news.publish('orders', order).catch(() => {});
      return row!.count;
    },
  };
}

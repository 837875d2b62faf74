/** One project's part of the world, for the routes. */

import { notFound } from '../api-problem.js';
import { param, type Exchange } from '../exchange.js';
import type { Library } from '../world/world.js';

export function libraryOf(exchange: Exchange): Library {
  const uuid = param(exchange, 'projectUuid');
  const library = exchange.world.libraries.get(uuid);
  if (!library) throw notFound(`Cannot find project with id: ${uuid}`);
  return library;
}

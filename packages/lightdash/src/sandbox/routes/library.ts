/** Finds the data of the project that a request names. */

import { notFound } from '../api-problem.js';
import { param, type Exchange } from '../exchange.js';
import type { Library } from '../world/world.js';

export function libraryOf(exchange: Exchange): Library {
  const uuid = param(exchange, 'projectUuid');
  const library = exchange.world.libraries.get(uuid);
  if (!library) throw notFound(`Cannot find project with id: ${uuid}`);
  return library;
}

import { expect, it } from 'vitest';

import type { HttpMethod } from '../../adapter/maps-to.js';
import { operationName } from './operation-name.js';

it.each([
  ['GET /ships', 'list_ships'],
  ['GET /ships/{id}', 'get_ship'],
  ['GET /api/v2/ships/{id}/crew', 'get_ship_crew'],
  ['GET /companies/{id}/ships', 'list_company_ships'],
  ['POST /ships', 'create_ship'],
  ['PUT /boxes/{id}', 'replace_box'],
  ['PATCH /ships/{id}', 'update_ship'],
  ['DELETE /ships/{id}', 'delete_ship'],
  ['POST /ships/search', 'search_ships'],
  ['POST /ships/{id}/launch', 'launch_ship'],
  ['POST /alarms/{id}:silence', 'silence_alarm'],
  ['GET /status', 'get_status'],
])('%s without an id is named %s', (line, expected) => {
  const [method, path] = line.split(' ') as [HttpMethod, string];
  expect(operationName(method, path)).toBe(expected);
});

/** A small harbour behind an HTTP API: ships, berths, bookings. In memory, and the same at every start. */

import { createServer } from 'node:http';
import { pathToFileURL } from 'node:url';

const DEFAULT_PORT = 4610;
const BASE = '/api/v1';
const MAX_BODY = 1024 * 1024;

const ship = (id, name, flag, length_m) => ({
  id,
  name,
  flag,
  length_m,
  crew: { captain: `Captain of ${name}` },
});

const berth = (id, length_m, occupied_by) => ({
  id,
  length_m,
  free: occupied_by === null,
  occupied_by,
});

const booking = (id, berth_id, ship_id, arrives) => ({
  id,
  berth_id,
  ship_id,
  arrives,
  status: 'booked',
});

/** What lies in the harbour when the day begins. */
const morning = () => ({
  ships: [
    ship('ship-1', 'Alba', 'NO', 42),
    ship('ship-2', 'Brise', 'FR', 18),
    ship('ship-3', 'Caravel', 'PT', 30),
    ship('ship-4', 'Dogger', 'DK', 55),
    ship('ship-5', 'Ebba', 'SE', 12),
  ],
  berths: [berth('b1', 60, 'ship-1'), berth('b2', 40, null), berth('b3', 20, null)],
  bookings: [
    booking('booking-1', 'b2', 'ship-3', '2026-05-01T08:00:00Z'),
    booking('booking-2', 'b3', 'ship-2', '2026-05-02T09:30:00Z'),
    booking('booking-3', 'b2', 'ship-4', '2026-05-03T07:15:00Z'),
  ],
  lastBooking: 3,
  sluices: [{ id: 'north', state: 'closed' }],
  log: [
    'Alba moored at b1',
    'Booking booking-1 taken',
    'Booking booking-2 taken',
    'Booking booking-3 taken',
  ],
});

class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

const find = (list, id, what) => {
  const found = list.find((each) => each.id === id);
  if (!found) throw new Refusal(404, `There is no ${what} ${id}.`);
  return found;
};

const need = (body, ...keys) => {
  for (const key of keys) if (body[key] === undefined) throw new Refusal(400, `${key} is missing.`);
};

/** Method and path, and what happens there. Each gets the harbour, the parts of the path, the query and the body. */
const ROUTES = [
  [
    'GET',
    '/ships',
    (harbour, _, query) => {
      const flag = query.get('flag');
      const ships = harbour.ships.filter((each) => flag === null || each.flag === flag);
      const offset = Number(query.get('offset') ?? 0);
      const limit = Number(query.get('limit') ?? 20);
      return { items: ships.slice(offset, offset + limit), total: ships.length };
    },
  ],
  ['GET', '/ships/:id', (harbour, [id]) => find(harbour.ships, id, 'ship')],
  [
    'POST',
    '/ships',
    (harbour, _, __, body) => {
      need(body, 'name', 'flag');
      if (harbour.ships.some(({ name }) => name === body.name)) {
        throw new Refusal(409, `A ship called ${body.name} is known already.`);
      }
      const registered = { id: `ship-${harbour.ships.length + 1}`, length_m: null, ...body };
      harbour.ships.push(registered);
      return registered;
    },
  ],
  [
    'GET',
    '/berths',
    (harbour, _, query) =>
      harbour.berths.filter(({ free }) => query.get('free_only') !== 'true' || free),
  ],
  ['GET', '/berths/:id', (harbour, [id]) => find(harbour.berths, id, 'berth')],
  [
    'PUT',
    '/berths/:id/length',
    (harbour, [id], __, body) =>
      Object.assign(find(harbour.berths, id, 'berth'), { length_m: body.length_m }),
  ],
  [
    'GET',
    '/bookings',
    (harbour, _, query) => {
      const page = Number(query.get('page') ?? 1);
      const size = Number(query.get('per_page') ?? 20);
      const rows = harbour.bookings.slice((page - 1) * size, page * size);
      return { data: { rows, count: harbour.bookings.length } };
    },
  ],
  [
    'POST',
    '/berths/:id/bookings',
    (harbour, [id], __, body) => {
      need(body, 'shipId', 'arrives');
      find(harbour.berths, id, 'berth');
      find(harbour.ships, body.shipId, 'ship');
      const taken = booking(`booking-${++harbour.lastBooking}`, id, body.shipId, body.arrives);
      harbour.bookings.push(taken);
      return taken;
    },
  ],
  [
    'PATCH',
    '/bookings/:id',
    (harbour, [id], __, body) => Object.assign(find(harbour.bookings, id, 'booking'), body),
  ],
  [
    'DELETE',
    '/bookings/:id',
    (harbour, [id]) => {
      const found = find(harbour.bookings, id, 'booking');
      harbour.bookings.splice(harbour.bookings.indexOf(found), 1);
      return undefined;
    },
  ],
  [
    'GET',
    '/log',
    (harbour, _, query) => {
      const start = Number(query.get('cursor') ?? 0);
      const end = start + Number(query.get('limit') ?? 20);
      return {
        entries: harbour.log.slice(start, end),
        next: end < harbour.log.length ? String(end) : null,
      };
    },
  ],
  [
    'POST',
    '/ships/:id/horn',
    (harbour, [id]) => {
      const { name } = find(harbour.ships, id, 'ship');
      harbour.log.push(`${name} sounds its horn`);
      return { heard: `${name}: Tuut!` };
    },
  ],
  [
    'POST',
    '/sluices/:id/open',
    (harbour, [id]) => Object.assign(find(harbour.sluices, id, 'sluice'), { state: 'open' }),
  ],
];

function routeTo(method, path) {
  const parts = path.split('/');
  for (const [verb, pattern, answer] of ROUTES) {
    const wanted = pattern.split('/');
    const fits =
      verb === method &&
      wanted.length === parts.length &&
      wanted.every((part, i) => part.startsWith(':') || part === parts[i]);
    if (!fits) continue;
    const values = parts.filter((_, i) => wanted[i].startsWith(':')).map(decodeURIComponent);
    return { answer, values };
  }
  throw new Refusal(404, `There is nothing at ${method} ${path}.`);
}

async function readBody(request) {
  let text = '';
  for await (const chunk of request) {
    text += chunk;
    if (text.length > MAX_BODY) throw new Refusal(413, 'The body is too large.');
  }
  try {
    return text === '' ? {} : JSON.parse(text);
  } catch {
    throw new Refusal(400, 'The body is not JSON.');
  }
}

/**
 * Opens the harbour on 127.0.0.1. With a `token` only those who show it are let in.
 * @param {{ port?: number, token?: string }} [options] port 0 takes any free one
 */
export async function startHarbour({ port = 0, token } = {}) {
  const harbour = morning();
  /** What was asked so far, as `METHOD /path?query`. */
  const requests = [];

  async function answer(request) {
    const url = new URL(request.url, 'http://harbour.invalid');
    if (token !== undefined && request.headers.authorization !== `Bearer ${token}`) {
      throw new Refusal(401, 'Show a token: Authorization: Bearer …');
    }
    if (!url.pathname.startsWith(`${BASE}/`)) throw new Refusal(404, `The API is at ${BASE}.`);
    const { answer: act, values } = routeTo(request.method, url.pathname.slice(BASE.length));
    return act(harbour, values, url.searchParams, await readBody(request));
  }

  async function respond(request, response) {
    requests.push(`${request.method} ${request.url}`);
    const json = { 'content-type': 'application/json' };
    try {
      const value = await answer(request);
      response.writeHead(value === undefined ? 204 : 200, json);
      response.end(value === undefined ? undefined : JSON.stringify(value));
    } catch (error) {
      const known = error instanceof Refusal;
      response.writeHead(known ? error.status : 500, json);
      const message = known ? error.message : 'The harbour is in disorder.';
      response.end(JSON.stringify({ error: { message } }));
    }
  }

  const server = createServer((request, response) => void respond(request, response));
  await new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  return {
    port: server.address().port,
    url: `http://127.0.0.1:${server.address().port}${BASE}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { url } = await startHarbour({
    port: Number(process.argv[2] ?? DEFAULT_PORT),
    token: process.env.HARBOUR_TOKEN,
  });
  process.stdout.write(`The harbour is open at ${url}\n`);
}

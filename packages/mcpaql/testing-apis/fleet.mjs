/** Builds a large API document in the style of 3.1. `node fleet.mjs` prints it. */

import { pathToFileURL } from 'node:url';

/** Plural, singular, and fields with descriptions, as in documents for people. */
const RESOURCES = [
  [
    'ships',
    'ship',
    {
      name: 'Name of the ship as painted on the bow',
      flag: 'Country whose flag it flies, as two letters (ISO 3166-1)',
      imo_number: 'Number of the International Maritime Organization, seven digits',
      length_m: 'Length over all, in metres',
    },
  ],
  [
    'voyages',
    'voyage',
    {
      origin: 'Code of the port where it starts (UN/LOCODE)',
      destination: 'Code of the port where it ends (UN/LOCODE)',
      departs_at: 'When it is to leave, in the local time of the port of origin',
      eta: 'When it is expected to arrive, as last estimated by the master',
    },
  ],
  [
    'crew-members',
    'crewMember',
    {
      full_name: "Given name and family name, as in the seaman's book",
      rank: 'Rank on board, such as second officer or able seaman',
      nationality: 'Country of the passport, as two letters (ISO 3166-1)',
      signed_on_at: 'When the contract on board began',
    },
  ],
  [
    'containers',
    'container',
    {
      number: 'Owner code, serial number and check digit (ISO 6346)',
      size: 'Size and type, such as 22G1 or 45R1',
      weight_kg: 'Verified gross mass in kilograms, container included',
      is_reefer: 'Whether it has to be plugged in and kept cold',
    },
  ],
  [
    'ports',
    'port',
    {
      code: 'Code of the port (UN/LOCODE)',
      name: 'Name of the port in English',
      country: 'Country, as two letters (ISO 3166-1)',
      depth_m: 'Depth at the quay at lowest tide, in metres',
    },
  ],
  [
    'inspections',
    'inspection',
    {
      inspector: 'Name of the inspector or of the office that sent them',
      held_at: 'When the inspection took place',
      outcome: 'What came of it, in a few words',
      remarks: 'Remarks for the superintendent; not shown to charterers',
    },
  ],
  [
    'invoices',
    'invoice',
    {
      number: 'Number of the invoice, unique within a year',
      amount: 'Amount to be paid, taxes included, in the currency below',
      currency: 'Currency of the amount, as three letters (ISO 4217)',
      due_on: 'Last day on which it can be paid without a reminder',
    },
  ],
  [
    'engines',
    'engine',
    {
      maker: 'Maker of the engine',
      power_kw: 'Rated power at full speed, in kilowatts',
      hours: 'Running hours since the last overhaul',
      serial: 'Serial number on the plate of the engine block',
    },
  ],
  [
    'charters',
    'charter',
    {
      charterer: 'Company that hires the ship',
      from: 'When the ship is handed over to the charterer',
      until: 'When the ship is handed back to the owner',
      rate: 'Hire for each day, in US dollars',
    },
  ],
  [
    'fuel-orders',
    'fuelOrder',
    {
      grade: 'Grade of the fuel, such as VLSFO or MGO',
      tonnes: 'Quantity ordered, in metric tonnes',
      supplier: 'Company that delivers it, by barge or by truck',
      price: 'Price of a tonne in US dollars, without delivery',
    },
  ],
  [
    'work-orders',
    'workOrder',
    {
      title: 'What is to be done, in one line',
      priority: 'How soon it has to be done',
      assignee: 'Crew member or workshop that does it',
      due_on: 'Day by which it has to be finished',
    },
  ],
  [
    'documents',
    'document',
    {
      title: 'Title of the document as printed on it',
      kind: 'Kind of document, such as certificate or manual',
      language: 'Language it is written in, as two letters (ISO 639-1)',
      valid_until: 'Last day on which it is valid; empty if it does not expire',
    },
  ],
  [
    'alerts',
    'alert',
    {
      level: 'How serious it is',
      message: 'What is wrong, in words for the officer of the watch',
      raised_at: 'When the sensor or the person raised it',
      source: 'Sensor, system or person that raised it',
    },
  ],
  [
    'users',
    'user',
    {
      email: 'Address that notices and invitations are sent to',
      display_name: 'Name that others see in comments and lists',
      role: 'Role in the office, which decides what they may see',
      locale: 'Language and region of the interface, such as en-GB',
    },
  ],
];

/** Actions besides reading and writing, one for each resource in turn. */
const DEEDS = ['activate', 'deactivate', 'archive', 'approve', 'cancel', 'duplicate', 'send'];

const NUMBERS = /_m$|_kg$|_kw$|amount|rate|hours|tonnes|price/;
const pascal = (name) => name[0].toUpperCase() + name.slice(1);

function fieldSchema(name) {
  if (NUMBERS.test(name)) return { type: ['number', 'null'], minimum: 0 };
  if (name.startsWith('is_')) return { type: 'boolean' };
  if (/_at$|_on$|eta|until|from/.test(name)) return { type: 'string', format: 'date-time' };
  if (name === 'priority' || name === 'level') return { enum: ['low', 'normal', 'high'] };
  return { type: 'string', maxLength: 200 };
}

const ref = (name) => ({ $ref: `#/components/schemas/${name}` });
const json = (schema) => ({ content: { 'application/json': { schema } } });

/** A third of the operations have no id, as in documents that were not written for code generation. */
function operation(count, id, summary, rest) {
  return { ...(count % 3 === 0 ? {} : { operationId: id }), summary, ...rest };
}

function pathsOf([plural, single, _fields], index) {
  const type = pascal(single);
  const id = [
    {
      name: 'id',
      in: 'path',
      required: true,
      description: `Id of the ${single}, as lists give it`,
      schema: { type: 'string', format: 'uuid' },
    },
  ];
  const one = { 200: { description: type, ...json(ref(type)) } };
  const body = { requestBody: { required: true, ...json(ref(`${type}Input`)) } };
  const deed = DEEDS[index % DEEDS.length];
  const page = [
    { name: 'cursor', in: 'query', schema: { type: 'string' } },
    { name: 'limit', in: 'query', schema: { type: 'integer', default: 50, maximum: 500 } },
    {
      name: 'sort',
      in: 'query',
      schema: { type: 'string' },
      description: 'A field, with - before it to turn round',
    },
  ];
  const list = {
    type: 'object',
    properties: {
      items: { type: 'array', items: ref(type) },
      next_cursor: { type: ['string', 'null'] },
    },
  };
  const sum = (words) => `${words} ${single}`;
  return {
    [`/${plural}`]: {
      get: operation(index, `list${pascal(single)}s`, `Lists ${plural}`, {
        parameters: page,
        responses: { 200: { description: 'A page', ...json(list) } },
      }),
      post: operation(index + 1, `create${type}`, sum('Creates a'), { ...body, responses: one }),
    },
    [`/${plural}/{id}`]: {
      parameters: id,
      get: operation(index + 2, `get${type}`, sum('Shows one'), { responses: one }),
      put: operation(index, `replace${type}`, sum('Replaces a'), { ...body, responses: one }),
      patch: operation(index + 1, `update${type}`, sum('Changes a'), {
        requestBody: { required: true, ...json(ref(`${type}Patch`)) },
        responses: one,
      }),
      delete: operation(index + 2, `delete${type}`, sum('Removes a'), {
        responses: { 204: { description: 'Gone' } },
      }),
    },
    [`/${plural}/{id}/${deed}`]: {
      post: operation(index, `${deed}${type}`, sum(`${pascal(deed)}s a`), {
        parameters: id,
        responses: one,
      }),
    },
    [`/${plural}/{id}/history`]: {
      get: operation(index + 1, `get${type}History`, sum('Shows what happened to a'), {
        parameters: id,
        responses: { 200: { description: 'Entries' } },
      }),
    },
    [`/${plural}/search`]: {
      post: operation(index + 2, `search${type}s`, `Searches ${plural} by several fields`, {
        ...body,
        responses: { 200: { description: 'Found', ...json(list) } },
      }),
    },
  };
}

function schemasOf([, single, fields]) {
  const type = pascal(single);
  const properties = Object.fromEntries(
    Object.entries(fields).map(([name, description]) => [
      name,
      { description, ...fieldSchema(name) },
    ]),
  );
  return {
    [`${type}Input`]: { type: 'object', required: Object.keys(fields).slice(0, 2), properties },
    [`${type}Patch`]: { type: 'object', minProperties: 1, properties },
    [type]: {
      allOf: [
        ref(`${type}Input`),
        {
          type: 'object',
          required: ['id'],
          properties: { id: { type: 'string', format: 'uuid' } },
        },
      ],
    },
  };
}

/** The document. It is the same every time. */
export const FLEET = {
  openapi: '3.1.0',
  info: {
    title: 'Fleet Office',
    version: '3.2.1',
    summary: 'Ships, voyages, crews and papers of a shipping company',
  },
  servers: [{ url: 'https://fleet.example/api/v3' }],
  security: [{ programs: ['fleet:read', 'fleet:write'] }],
  paths: Object.assign({}, ...RESOURCES.map(pathsOf)),
  components: {
    securitySchemes: {
      programs: {
        type: 'oauth2',
        flows: {
          clientCredentials: {
            tokenUrl: 'https://fleet.example/oauth/token',
            scopes: { 'fleet:read': 'Read', 'fleet:write': 'Write' },
          },
        },
      },
    },
    schemas: Object.assign({}, ...RESOURCES.map(schemasOf)),
  },
};

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.stdout.write(`${JSON.stringify(FLEET, null, 2)}\n`);
}

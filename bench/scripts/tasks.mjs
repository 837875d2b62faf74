// Ten tasks over real servers. `rounds` are the calls of a model without scripts: all calls of a round are made at once, and
// the next round may use their answers. `code` is the same task as a program; `query` finds the functions that it needs.
const FILES = 12;
const paths = Array.from({ length: FILES }, (_, i) => `page-${String(i + 1).padStart(2, '0')}.md`);

export const files = paths.map((name, i) => [
  name,
  `# Page ${i + 1}\nTides of week ${i + 1}.\n${'High water at noon.\n'.repeat(20 + i)}`,
]);

const text = ({ content }) => content[0].text;
const read = (root) =>
  paths.map((each) => ['filesystem:read_text_file', { path: `${root}/${each}` }]);
const list = (root) => [['filesystem:list_directory', { path: root }]];
const ships = ['Fulmar', 'Gannet', 'Heron', 'Ibis', 'Jackdaw', 'Kestrel'];
const create = 'harbour:harbour_logbook_mcpaql_create';
const readApi = 'harbour:harbour_logbook_mcpaql_read';
const register = (name) => ({ operation: 'register_ship', params: { name, flag: 'NO' } });

const READ_ALL = `const { content } = await tools.filesystem.list_directory({ path: root });
const names = content.split('\\n').map((line) => line.slice('[FILE] '.length)).filter((name) => name.startsWith('page-'));
const read = async (name) => (await tools.filesystem.read_text_file({ path: root + '/' + name })).content;
`;

export const tasks = [
  {
    title: 'Count the lines of 12 pages',
    rounds: [list, read],
    query: 'filesystem list directory read text file',
    code: `${READ_ALL}return Promise.all(names.map(async (name) => [name, (await read(name)).split('\\n').length]))`,
  },
  {
    title: 'Read one page',
    rounds: [(root) => [['filesystem:read_text_file', { path: `${root}/page-03.md` }]]],
    query: 'filesystem read text file',
    code: 'return (await tools.filesystem.read_text_file({ path: root + "/page-03.md" })).content',
  },
  {
    title: 'Write an index of 12 pages',
    rounds: [
      list,
      read,
      (root, answers) => [
        [
          'filesystem:write_file',
          {
            path: `${root}/index.md`,
            content: answers.map((each) => text(each).split('\n')[0]).join('\n'),
          },
        ],
      ],
    ],
    query: 'filesystem list directory read text write file',
    code: `${READ_ALL}const heads = await Promise.all(names.map(async (name) => (await read(name)).split('\\n')[0]));
await tools.filesystem.write_file({ path: root + '/index.md', content: heads.join('\\n') });`,
  },
  {
    title: 'Copy 12 pages with a new heading',
    rounds: [
      list,
      read,
      (root, answers) =>
        answers.map((each, i) => [
          'filesystem:write_file',
          { path: `${root}/copy-${i + 1}.md`, content: text(each).replace('# Page', '# Old page') },
        ]),
    ],
    query: 'filesystem list directory read text write file',
    code: `${READ_ALL}const all = await Promise.all(names.map(read));
for (let i = 0; i < all.length; i++)
  await tools.filesystem.write_file({ path: root + '/copy-' + (i + 1) + '.md', content: all[i].replace('# Page', '# Old page') });`,
  },
  {
    title: 'Move 12 copies into a folder',
    rounds: [
      (root) => [['filesystem:create_directory', { path: `${root}/old` }]],
      (root) =>
        paths.map((_, i) => [
          'filesystem:move_file',
          { source: `${root}/copy-${i + 1}.md`, destination: `${root}/old/copy-${i + 1}.md` },
        ]),
    ],
    query: 'filesystem create directory move file',
    code: `await tools.filesystem.create_directory({ path: root + '/old' });
for (let i = 1; i <= ${FILES}; i++)
  await tools.filesystem.move_file({ source: root + '/copy-' + i + '.md', destination: root + '/old/copy-' + i + '.md' });`,
  },
  {
    title: 'Remember each page as an entity',
    rounds: [
      list,
      read,
      (_, answers) => [
        [
          'memory:create_entities',
          {
            entities: answers.map((each, i) => ({
              name: paths[i],
              entityType: 'page',
              observations: [text(each).split('\n')[1]],
            })),
          },
        ],
      ],
    ],
    query: 'filesystem list directory read text file memory create entities',
    code: `${READ_ALL}const entities = await Promise.all(names.map(async (name) => ({
  name, entityType: 'page', observations: [(await read(name)).split('\\n')[1]] })));
await tools.memory.create_entities({ entities });`,
  },
  {
    title: 'Forget half of the entities',
    rounds: [
      () => [['memory:read_graph', {}]],
      () => [['memory:delete_entities', { entityNames: paths.slice(FILES / 2) }]],
    ],
    query: 'memory read graph delete entities',
    code: `const { entities } = await tools.memory.read_graph({});
await tools.memory.delete_entities({ entityNames: entities.map(({ name }) => name).filter((name) => name > 'page-06.md') });`,
  },
  {
    title: 'Register six ships in an API',
    rounds: [() => ships.map((name) => [create, register(name)])],
    query: 'harbour create',
    code: `for (const name of ${JSON.stringify(ships)})
  await call('${create}', { operation: 'register_ship', params: { name, flag: 'NO' } });`,
  },
  {
    title: 'Look at each berth of an API',
    rounds: [
      () => [[readApi, { operation: 'list_berths', params: {} }]],
      (_, [answer]) =>
        dataIn(answer).map(({ id }) => [
          readApi,
          { operation: 'get_berth', params: { berth_id: id } },
        ]),
    ],
    query: 'harbour read',
    code: `const { data } = await call('${readApi}', { operation: 'list_berths', params: {} });
const all = await Promise.all(data.map(({ id }) => call('${readApi}', { operation: 'get_berth', params: { berth_id: id } })));
return all.filter((each) => each.data.free).map((each) => each.data.id)`,
  },
  {
    title: 'Note the ships of an API in a file',
    rounds: [
      () => [[readApi, { operation: 'list_ships', params: { limit: 100 } }]],
      (root, [answer]) => [
        [
          'filesystem:write_file',
          {
            path: `${root}/ships.md`,
            content: dataIn(answer)
              .map(({ name }) => name)
              .join('\n'),
          },
        ],
      ],
    ],
    query: 'harbour read filesystem write file',
    code: `const { data } = await call('${readApi}', { operation: 'list_ships', params: { limit: 100 } });
await tools.filesystem.write_file({ path: root + '/ships.md', content: (data.items ?? data).map(({ name }) => name).join('\\n') });`,
  },
];

function dataIn(answer) {
  const { data } = answer.structuredContent ?? JSON.parse(text(answer));
  return data.items ?? data;
}

/** serve(source): one source without a hub. Any source will do: a server, an adapter, a view. */
import { NOTHING, resultOf, serve } from '@callsign/gateway';

const item = { name: 'hello', json: '{"name":"hello","inputSchema":{"type":"object"}}' };
const source = {
  offer: { ...NOTHING, tool: [item] },
  route: (kind, name) => (name === 'hello' ? { item, send: async () => HELLO } : undefined),
  subscribe: () => () => {},
  tell: () => {},
};
const HELLO = resultOf({ content: [{ type: 'text', text: 'Hello from one source.' }] });
serve(source, { self: { name: 'hello', version: '1.0.0' } }).stdio();

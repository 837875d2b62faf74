/** The short form `server.tool(name, description, schema, hints, handler)`, with the checks of a registrar. */

import type { AnyAnnotations } from '../label/label.js';
import type { Registered, ToolServer } from '../server/sdk-server.js';
import {
  createRegistrar,
  type RegistrarOptions,
  type ToolHandler,
  type ToolInput,
} from './registrar.js';

/** A server whose method `tool` registers like a registrar. */
export type WithToolMethod<Server extends ToolServer> = {
  tool<Input extends ToolInput>(
    name: string,
    description: string,
    inputSchema: Input,
    annotations: AnyAnnotations,
    handler: ToolHandler<Input>,
  ): Registered<Server> | undefined;
} & Server;

/** Gives the server the method `tool`, on either version of the SDK. Default: no prefix. */
export function withToolMethod<Server extends ToolServer>(
  server: Server,
  options: Partial<RegistrarOptions<false>> = {},
): WithToolMethod<Server> {
  const register = createRegistrar({ prefix: '', ...options });
  const tool = <Input extends ToolInput>(
    name: string,
    description: string,
    inputSchema: Input,
    annotations: AnyAnnotations,
    handler: ToolHandler<Input>,
  ): Registered<Server> | undefined =>
    register(server, name, { description, inputSchema, annotations }, handler);
  // The SDK's first version has a method of this name, which this one takes the place of.
  return Object.assign(server, { tool }) as WithToolMethod<Server>;
}

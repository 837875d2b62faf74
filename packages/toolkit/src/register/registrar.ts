/** Registers tools on the official SDK: one prefix, one set of defaults, interceptors around every handler. */

import type { ToolAnnotations } from '@callsign/effects';
import type { StandardSchemaV1, StandardSchemaWithJSON } from '@modelcontextprotocol/server';

import { outcomeOfThrown } from '../interceptors/failure.js';
import {
  createInterceptorOrder,
  type InterceptorSettings,
} from '../interceptors/interceptor-order.js';
import { permits } from '../interceptors/safety-mode.js';
import {
  type ToolInterceptor,
  intercepted,
  type ToolCall,
} from '../interceptors/tool-interceptor.js';
import { type AnyAnnotations, labelTool, type PresetAnnotations } from '../label/label.js';
import { createToolNamer, TOOL_PREFIX } from '../label/tool-name.js';
import type { Outcome } from '../server/outcome.js';
import { createProgress, type ProgressStep } from '../server/progress.js';
import { sdkRequest } from '../server/sdk-request.js';
import type { Registered, ToolResult, ToolServer } from '../server/sdk-server.js';
import type { ToolContext } from '../server/tool-context.js';
import { type AsJson, resultOf, type ToolAnswer, type ToolData } from './tool-answer.js';

/** What all tools of a server have in common. */
export interface RegistrarOptions<Strict extends boolean = boolean> {
  /** The beginning of every tool's name. */
  readonly prefix: string;
  /** Hints for tools that state none. Default: `DEFAULT_ANNOTATIONS`. */
  readonly defaults?: ToolAnnotations | undefined;
  /** Whether every tool has to name a preset. */
  readonly strict?: Strict | undefined;
  /** Interceptors for every tool. They run in the order of `createInterceptorOrder`. */
  readonly interceptors?: InterceptorSettings | undefined;
  /** Gets a mistake before it is thrown. Default: prints it on standard error. */
  readonly onMistake?: ((error: unknown) => void) | undefined;
}

/** The schema of the arguments: a Zod object, a plain object of Zod types, or `fromJsonSchema(…)` of the SDK. */
export type ToolInput = StandardSchemaWithJSON | Readonly<Record<string, StandardSchemaV1>>;

/** The arguments that a handler gets. */
export type ToolArguments<Input extends ToolInput> = Input extends StandardSchemaWithJSON
  ? StandardSchemaWithJSON.InferOutput<Input>
  : {
      [Key in keyof Input]: Input[Key] extends StandardSchemaV1
        ? StandardSchemaV1.InferOutput<Input[Key]>
        : never;
    };

/** The definition of one tool, without its hints; see `Labelled`. */
export interface ToolOptions<
  Input extends ToolInput = ToolInput,
  Output extends StandardSchemaWithJSON = StandardSchemaWithJSON,
> {
  /** For people, such as `List charts`. */
  readonly title?: string | undefined;
  /** For models: what it does, and when to choose it. */
  readonly description: string;
  readonly inputSchema: Input;
  readonly outputSchema?: Output | undefined;
  /** This tool's own interceptors, such as `requireRole('admin')`. */
  readonly interceptors?: readonly ToolInterceptor[] | undefined;
}

/** With `strict`: a preset. Otherwise any hints, or none. */
export type Labelled<Strict extends boolean> = [Strict] extends [true]
  ? { readonly annotations: PresetAnnotations }
  : { readonly annotations?: AnyAnnotations | undefined };

/**
 * The work of a tool. `args` are validated by the input schema. An error that it throws becomes a
 * result with `isError`, so it never has to catch.
 */
export type ToolHandler<
  Input extends ToolInput,
  Output extends StandardSchemaWithJSON = StandardSchemaWithJSON,
> = (
  args: ToolArguments<Input>,
  context: ToolContext,
) => AnswerOf<Output> | Promise<AnswerOf<Output>>;

/**
 * With an output schema, its data and no text. The SDK has no type for the data of a result, and checks it only when the
 * tool answers.
 */
type AnswerOf<Output extends StandardSchemaWithJSON> =
  | ToolResult
  | (unknown extends StandardSchemaWithJSON.InferInput<Output>
      ? ToolData | string
      : AsJson<StandardSchemaWithJSON.InferInput<Output>>);

/**
 * Registers one tool by its short name and returns the SDK's handle; `undefined` if the safety mode does not
 * permit the tool, which is then not registered. Throws if name or label are wrong.
 */
export type Registrar<Strict extends boolean = boolean> = <
  Server extends ToolServer,
  Input extends ToolInput,
  Output extends StandardSchemaWithJSON,
>(
  server: Server,
  shortName: string,
  options: ToolOptions<Input, Output> & Labelled<Strict>,
  handler: ToolHandler<Input, NoInfer<Output>>,
) => Registered<Server> | undefined;

/**
 * A registrar with your server's own prefix, defaults and interceptors. A mistake is reported before it is thrown:
 * where the SDK creates servers itself, it answers "Internal server error" and drops what was thrown.
 */
export function createRegistrar<const Strict extends boolean = false>(
  options: RegistrarOptions<Strict>,
): Registrar<Strict> {
  const { onMistake = printed } = options;
  const reporting = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      onMistake(error);
      throw error;
    }
  };
  const register = reporting(() => registrarOf(options));
  return (server, shortName, tool, handler) =>
    reporting(() => register(server, shortName, tool, handler));
}

/**
 * The default registrar: `registerToolSafe(server, 'list_charts', { title, description, inputSchema }, handler)`. It has one
 * prefix and two default hints, which the author can override.
 */
export const registerToolSafe: Registrar<false> = createRegistrar({ prefix: TOOL_PREFIX });

function printed(error: unknown): void {
  process.stderr.write(`${String(error)}\n`);
}

function registrarOf<const Strict extends boolean>({
  prefix,
  defaults,
  strict,
  interceptors = {},
}: RegistrarOptions<Strict>): Registrar<Strict> {
  if (typeof prefix !== 'string') {
    throw new TypeError(
      "createRegistrar needs a prefix, such as { prefix: 'harbour__' }. An empty text means none.",
    );
  }
  const fullName = createToolNamer(prefix);
  const inOrder = createInterceptorOrder(interceptors);
  return function registerTool<
    Server extends ToolServer,
    Input extends ToolInput,
    Output extends StandardSchemaWithJSON,
  >(
    server: Server,
    shortName: string,
    options: ToolOptions<Input, Output> & Labelled<Strict>,
    handler: ToolHandler<Input, NoInfer<Output>>,
  ): Registered<Server> | undefined {
    const name = fullName(shortName);
    if (typeof handler !== 'function') {
      throw new TypeError(`${name} has no handler. Pass a function as the last argument.`);
    }
    const tool = { name, ...labelTool(name, options, { defaults, strict: strict === true }) };
    if (interceptors.safetyMode !== undefined && !permits(interceptors.safetyMode, tool.statedRisk))
      return undefined;

    const run = intercepted(
      async ({ args, context }) =>
        outcomeOf(resultOf((await handler(args as never, context)) as ToolAnswer, name), context),
      inOrder(options.interceptors),
      outcomeOfThrown,
    );
    const { title, annotations, statedRisk } = tool;
    const { description, inputSchema } = options;
    // A dry run returns no output, so an output schema would promise too much.
    const outputSchema =
      interceptors.dryRun && statedRisk !== 'read' ? undefined : options.outputSchema;
    const definition = { title, description, inputSchema, outputSchema, annotations };
    const answer = (args: ToolCall['args'], sdk: unknown): Promise<ToolResult> =>
      answerCall(sdk, (context) => run({ tool, args, context }));
    return server.registerTool(name, definition as never, answer as never) as Registered<Server>;
  };
}

async function answerCall(
  sdk: unknown,
  run: (context: ToolContext) => Promise<Outcome>,
): Promise<ToolResult> {
  const request = sdkRequest(sdk);
  const progress = createProgress(request);
  const { signal, auth, sessionId } = request;
  try {
    const { report } = progress;
    const sendProgress = (step: ProgressStep): Promise<void> =>
      report(step.progress, step.total, step.message ?? step.description);
    const { result } = await run({ signal, progress: report, sendProgress, auth, sessionId, sdk });
    return result;
  } finally {
    await progress.close();
  }
}

function outcomeOf(result: ToolResult, { signal }: ToolContext): Outcome {
  if (!('isError' in result) || result.isError !== true) return { status: 'done', result };
  return { status: signal.aborted ? 'cancelled' : 'failed', result };
}

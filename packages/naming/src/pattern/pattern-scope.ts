/** The uses of patterns: which variables each may contain, and which it must. */

/** Variable → value. */
export type PatternValues = Readonly<Record<string, string>>;

/** A variable that patterns of a scope may contain. */
export interface PatternVariable {
  /** True if different tools would have the same name without it. */
  readonly required: boolean;
  /** The only values that it can have. With them it needs no separator beside it. */
  readonly oneOf?: readonly string[];
}

/** One use of patterns. */
export interface PatternScope {
  readonly variables: Readonly<Record<string, PatternVariable>>;
  /** Text that every pattern of this scope must contain, and the reason. */
  readonly mustContain?: { readonly text: string; readonly why: string };
}

/** For what a pattern is compiled. */
export interface PatternOptions {
  readonly scope: PatternScope;
  /** Variables whose value is fixed, such as a server's own prefix. */
  readonly bind?: PatternValues;
  /** Characters that literal text may use. Default: any. */
  readonly characters?: string;
}

/**
 * The aggregator's convention: `{server}:{tool}` and every other pattern over a tool's identity.
 */
export const TOOL_SCOPE: PatternScope = {
  variables: { server: { required: true }, tool: { required: true } },
};

/** For one server's own tools: `{prefix}{tool}`. */
export const PREFIX_SCOPE: PatternScope = {
  variables: { prefix: { required: false }, tool: { required: true } },
};

/** For MCPAQL adapters: `{adapter}_mcpaql_{endpoint}`, or the bare `mcpaql_{endpoint}`. */
export const ADAPTER_SCOPE: PatternScope = {
  variables: {
    adapter: { required: false },
    endpoint: { required: true, oneOf: ['create', 'read', 'update', 'delete', 'execute'] },
  },
  mustContain: {
    text: 'mcpaql',
    why: 'the protocol is called MCPAQL; "aql" alone has other meanings',
  },
};

import { type ErrorFactory, isErrorFactory } from '../errors/define-error.ts';
import { toError } from '../errors/failure.ts';
import { type InputOf, isSchema, type OutputOf, type Schema } from '../schema/schema.ts';
import type { BaseContext } from './context.ts';
import { nextDeclaration } from './declaration-order.ts';
import { declaredAt } from './declared-at.ts';
import type { CapabilityDefinition, Deprecation, ToolOptions } from './definition.ts';
import { type Enhancer, type Handler, isEnhancer } from './enhancer.ts';
import { type Guard, type InputGuard, isGuard, isInputGuard } from './guard.ts';
import { type Intent, intents, isIntent } from './intent.ts';
import { toReplyData } from './reply.ts';
import { type CapabilitySteps, runCapability, toCapabilitySteps } from './run-capability.ts';

/** Marks every capability. In the global symbol registry, so that two copies of the package know each other's. */
const CAPABILITY: unique symbol = Symbol.for('capix.capability') as never;

/** What a capability without a schema gets: the fields as they arrived. */
export type RawFields = Record<string, unknown>;
/** What a caller sends. */
export type RawInput<S> = S extends Schema ? InputOf<S> : RawFields | undefined;
/** What handler and input guards get. */
export type ParsedInput<S> = S extends Schema ? OutputOf<S> : RawFields;
/** A context as a caller in the same process gives it; the signal may be left out. */
export type CallContext<Ctx> = Omit<Ctx, 'signal' | 'requestId'> &
  Partial<Pick<Ctx, Extract<keyof Ctx, 'signal' | 'requestId'>>>;

/**
 * A named operation, declared once. Immutable: each method returns a new one.
 * `S` is the input schema (undefined without one), `Output` what the handler gives, `Ctx` the context that it needs.
 */
export interface Capability<S extends Schema | undefined = Schema | undefined, Output = unknown, Ctx = never> {
  readonly [CAPABILITY]: CapabilityDefinition;
  /** Adds a guard; guards run in the order in which they were added. */
  guard<C>(guard: Guard<C>): Capability<S, Output, Ctx & C>;
  /** Adds a guard that sees the validated input. */
  inputGuard(guard: InputGuard<ParsedInput<S>, Ctx>): Capability<S, Output, Ctx>;
  /** Adds an enhancer inside those added before. */
  enhance(enhancer: Enhancer): Capability<S, Output, Ctx>;
  /** Declares the shape of the answer, for documents and clients; checked outside production. */
  output<O extends Schema>(schema: Output extends InputOf<O> ? O : never): Capability<S, Output, Ctx>;
  /** Declares errors that the handler may throw, for documents, clients and agents: `.errors(NotFound)`. Adds to those declared before. */
  errors(...errors: readonly ErrorFactory[]): Capability<S, Output, Ctx>;
  /** Says what it does, for documents, `show` and agents. */
  describe(text: string): Capability<S, Output, Ctx>;
  /** Marks it as going away. */
  deprecated(deprecation?: Deprecation): Capability<S, Output, Ctx>;
  /** How agents see it; `false` hides it from them. */
  tool(options: false | ToolOptions): Capability<S, Output, Ctx>;
  /**
   * Runs guards, validation, enhancers and handler in this process, without timeout or transport.
   * Rejects with what they throw; an invalid input with `BadRequest` and `meta.fields`.
   */
  resolve(input: RawInput<S>, ctx: CallContext<Ctx>): Promise<Output>;
}

/** A capability of any shape. */
// oxlint-disable-next-line typescript/no-explicit-any -- the context is contravariant and the schema invariant, so only `any` admits every capability
export type AnyCapability = Capability<any, any, any>;

/** Declares capabilities for a context. */
export interface CapabilityFactory<Ctx> {
  <S extends Schema, Result>(
    schema: S,
    handler: (input: OutputOf<S>, ctx: Ctx) => Result,
    intent?: Intent,
  ): Capability<S, Awaited<Result>, Ctx>;
  <Result>(
    handler: (input: RawFields, ctx: Ctx) => Result,
    intent?: Intent,
  ): Capability<undefined, Awaited<Result>, Ctx>;
  /** The same factory for handlers whose context is `C`. */
  withContext<C>(): CapabilityFactory<C>;
  /** The same factory with a guard first: an asserting guard narrows the handler's `ctx`. */
  guard<C, Narrowed>(guard: Guard<C, Narrowed>): CapabilityFactory<Ctx & C & Narrowed>;
}

/** Declares a capability: `capability(schema, handler, intent)`, with schema and intent as you need them. */
export const capability: CapabilityFactory<BaseContext> = toFactory([]);

/** Whether `value` is a capability, of this copy of the package or another. */
export function isCapability(value: unknown): value is AnyCapability {
  return typeof value === 'object' && value !== null && CAPABILITY in value;
}

/** What was declared of a capability. */
export function definitionOfCapability(value: AnyCapability): CapabilityDefinition {
  return value[CAPABILITY];
}

function toFactory<Ctx>(guards: readonly Guard[]): CapabilityFactory<Ctx> {
  const declare = (...args: readonly unknown[]): AnyCapability => {
    const [schema, handler, intent] = isSchema(args[0]) ? [args[0], args[1], args[2]] : [undefined, args[0], args[1]];
    if (typeof handler !== 'function') {
      throw new TypeError(
        `capability: expected a handler function${schema === undefined ? ' or a zod schema followed by one' : ' after the schema'}, got ${describeValue(handler)}.`,
      );
    }
    if (intent !== undefined && !isIntent(intent)) {
      throw new TypeError(`capability: the intent must be one of ${intents.join(', ')}, got ${describeValue(intent)}.`);
    }
    return toCapability({
      schema,
      handler: handler as Handler,
      intent,
      guards,
      inputGuards: [],
      enhancers: [],
      output: undefined,
      errors: [],
      description: undefined,
      deprecation: undefined,
      tool: undefined,
      order: nextDeclaration(),
      declaredAt: declaredAt(declare),
    });
  };
  return Object.assign(declare, {
    withContext: () => toFactory(guards),
    guard: (guard: unknown) => toFactory([...guards, expectKind(guard, isGuard, '.guard: expected defineGuard(…)')]),
  }) as unknown as CapabilityFactory<Ctx>;
}

function toCapability(definition: CapabilityDefinition): AnyCapability {
  const withChange = (change: Partial<CapabilityDefinition>): AnyCapability =>
    toCapability({ ...definition, ...change });
  let steps: CapabilitySteps | undefined;
  const made = {
    [CAPABILITY]: Object.freeze(definition),
    guard: (guard: unknown) =>
      withChange({ guards: [...definition.guards, expectKind(guard, isGuard, '.guard: expected defineGuard(…)')] }),
    inputGuard: (guard: unknown) =>
      withChange({
        inputGuards: [
          ...definition.inputGuards,
          expectKind(guard, isInputGuard, '.inputGuard: expected defineInputGuard(…)'),
        ],
      }),
    enhance: (enhancer: unknown) =>
      withChange({
        enhancers: [
          ...definition.enhancers,
          expectKind(enhancer, isEnhancer, '.enhance: expected an enhancer such as withTimeout(…)'),
        ],
      }),
    output: (schema: unknown) => withChange({ output: expectKind(schema, isSchema, '.output: expected a zod schema') }),
    errors: (...errors: readonly unknown[]) =>
      withChange({
        errors: [
          ...definition.errors,
          ...errors.map((error) =>
            expectKind(error, isErrorFactory, '.errors: expected errors made with defineError(…)'),
          ),
        ],
      }),
    describe: (description: string) => withChange({ description }),
    deprecated: (deprecation: Deprecation = {}) => withChange({ deprecation }),
    tool: (tool: false | ToolOptions) => withChange({ tool }),
    resolve: async (input: unknown, ctx: unknown) => {
      steps ??= toCapabilitySteps(definition, {
        key: definition.handler.name,
        intent: definition.intent ?? 'mutation',
        guarded: definition.guards.length + definition.inputGuards.length > 0,
      });
      return resolveCapability(steps, input, ctx);
    },
  };
  return Object.freeze(made) as unknown as AnyCapability;
}

async function resolveCapability(steps: CapabilitySteps, input: unknown, ctx: unknown): Promise<unknown> {
  const outcome = await runCapability(steps, ctx, { readInput: () => ({ ok: true, value: input }) });
  if (outcome.ok) return toReplyData(outcome.value);
  throw toError(outcome.failure);
}

function expectKind<T>(value: unknown, isKind: (value: unknown) => value is T, expectation: string): T {
  if (isKind(value)) return value;
  throw new TypeError(`${expectation}, got ${describeValue(value)}.`);
}

function describeValue(value: unknown): string {
  return value === null ? 'null' : typeof value === 'string' ? `'${value}'` : typeof value;
}

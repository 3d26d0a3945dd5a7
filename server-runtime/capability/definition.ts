import type { ErrorFactory } from '../errors/define-error.ts';
import { expectKnownOptions } from '../errors/expect-options.ts';
import type { MaybePromise } from '../errors/maybe-promise.ts';
import { callerStack } from '../patches/caller-stack.ts';
import { findFieldNames } from '../schema/describe.ts';
import { isSchema, isZod3Schema, type Schema } from '../schema/schema.ts';
import {
  type AnswerLike,
  type AnswerOptions,
  answer,
  type Content,
  isContent,
  PAGE,
  pageInput,
} from './content.ts';
import { type AnyEnhancer, ENHANCER, type Handler } from './enhancer.ts';
import { type AnyGuard, GUARD, INPUT_GUARD, type InputGuard } from './guard.ts';
import {
  type DeclaredRoute,
  isDirectives,
  type SentField,
  type TakesOptions,
  toSentFields,
  toWholeBodyOptions,
  type WholeBodyOptions,
} from './http.ts';
import { joinInputs } from './join-inputs.ts';

/** The effect of a capability on data, which gives the HTTP method of names that match no rule. */
export type Intent = 'query' | 'mutation' | 'update' | 'replace' | 'delete';
export const intents = [
  'query',
  'mutation',
  'update',
  'replace',
  'delete',
] as const satisfies readonly Intent[];

/** When an operation ends, and its replacement. Dates are ISO 8601 (`2027-01-31`). */
export interface Deprecation<Key extends string = string> {
  readonly since?: string | undefined;
  readonly sunset?: string | undefined;
  /** Key of the capability to use instead. A server whose groups have no such key does not compile. */
  readonly use?: Key | undefined;
}

export interface Icon {
  readonly src: string;
  /** @default the address */
  readonly mimeType?: string | undefined;
  readonly sizes?: readonly string[] | undefined;
  readonly theme?: 'light' | 'dark' | undefined;
}

export interface ToolOptions extends Omit<OfferOptions, 'suggest'> {
  readonly icons?: readonly Icon[] | undefined;
  readonly readOnly?: boolean | undefined;
  readonly destructive?: boolean | undefined;
  /** Whether a second call with the same input changes nothing more. */
  readonly idempotent?: boolean | undefined;
  /** Whether it reaches things outside the application. @default unsaid */
  readonly openWorld?: boolean | undefined;
}

/**
 * Suggests values of a field for the text that a person has typed; `filled` holds the fields that have values already.
 * It is called behind the guards, with the context of the caller: `(typed, _filled, ctx: Ctx) => …`.
 */
export type Suggest = (
  typed: string,
  filled: Readonly<Record<string, string>>,
  ctx: never,
) => MaybePromise<readonly string[]>;

export interface OfferOptions {
  /** @default `<group>_<name>` */
  readonly name?: string | undefined;
  readonly title?: string | undefined;
  /** @default the capability's description */
  readonly description?: string | undefined;
  /** Suggestions for fields; those of enums are suggested anyway. */
  readonly suggest?: Readonly<Record<string, Suggest>> | undefined;
}

export interface ResourceOptions extends OfferOptions {
  /** The media type of its content. @default that of the answer, else `application/json`, or `text/plain` for texts */
  readonly mimeType?: string | undefined;
}

export interface CacheControlOptions {
  /**
   * Whether a `public` answer behind guards is the same for everybody, so that shared caches may give it to others.
   * @default false
   */
  readonly isShared?: boolean | undefined;
}

/** Everything that can be declared of a capability beside its handler. Lists are in the order of declaration. */
export interface DeclaredParts {
  readonly schema?: Schema | undefined;
  readonly guards: readonly AnyGuard[];
  readonly inputGuards: readonly InputGuard[];
  readonly enhancers: readonly AnyEnhancer[];
  readonly errors: readonly ErrorFactory[];
  /** Sorted by status; a plain value has the first, which is the lowest. */
  readonly answers: readonly Content[];
  /** The schema of the answer's data, where one answer is declared and it has data. */
  readonly output?: Schema | undefined;
  readonly description?: string | undefined;
  readonly routes: readonly DeclaredRoute[];
  /** The fields of the input that headers and cookies carry. */
  readonly sent: readonly SentField[];
  /** Whether a body may be a form. */
  readonly form?: boolean | undefined;
  /** The field of the input that is the whole body. */
  readonly body?: WholeBodyOptions | undefined;
  /** The longest body, bytes, in place of the limit of the transport. */
  readonly maxBodySize?: number | undefined;
  readonly cacheControl?: string | undefined;
  /** Whether caches of others may give the answer to everybody, although guards are before it. */
  readonly isSharedBehindGuards?: boolean | undefined;
  readonly deprecation?: Deprecation | undefined;
  readonly tool?: false | ToolOptions | undefined;
  /** `uri` is `shop://orders/{id}`: the fields of the input in braces. */
  readonly resources: readonly (ResourceOptions & { readonly uri: string })[];
  readonly prompt?: OfferOptions | undefined;
}

export interface CapabilityDefinition extends DeclaredParts {
  readonly handler: Handler;
  readonly intent: Intent | undefined;
  /** The place among all declared capabilities: a module namespace loses the order of its exports. */
  readonly order: number;
  /** Reading `stack` formats it and maps it to the source, which takes time. */
  readonly declaredAt: { readonly stack?: string } | undefined;
}

export const noParts: DeclaredParts = {
  guards: [],
  inputGuards: [],
  enhancers: [],
  errors: [],
  answers: [],
  routes: [],
  sent: [],
  resources: [],
};

/** `args` are an optional schema, a handler and an optional intent. */
export function toDefinition(
  parts: DeclaredParts,
  args: readonly unknown[],
  declare: (...args: never[]) => unknown,
): CapabilityDefinition {
  const first = args[0];
  const hasSchema = isSchema(first);
  const handler = hasSchema ? args[1] : first;
  const intent = hasSchema ? args[2] : args[1];
  const schema = hasSchema ? joinInputs(parts.schema, first) : parts.schema;
  const place = schema === undefined ? 'or a schema followed by one' : 'after the schema';
  // A factory may declare fields that the input of one of its capabilities does not have.
  const fields = parts.sent.length === 0 ? undefined : findFieldNames(schema).names;
  declared += 1;
  return {
    ...parts,
    schema,
    sent: parts.sent.filter(({ field }) => fields?.has(field)),
    handler: expectKind(handler, isHandler, `capability: expected a handler function ${place}`),
    intent: expectKind(intent, isIntentOrNone, NO_INTENT),
    order: declared,
    declaredAt: everyCopy[WANTED] === true ? callerStack(declare) : undefined,
  };
}

const NO_INTENT = `capability: the intent must be one of ${intents.join(', ')}`;

function isHandler(value: unknown): boolean {
  return typeof value === 'function';
}

function isIntentOrNone(value: unknown): boolean {
  return value === undefined || (intents as readonly unknown[]).includes(value);
}

/** Counts the capabilities that this process has declared, before it has a server. It only orders two of them. */
let declared = 0;

type Declare = (parts: DeclaredParts, ...values: never[]) => Partial<DeclaredParts>;

const methods: Readonly<Record<string, Declare>> = {
  guard: adding('guards', GUARD, '.guard: expected defineGuard(…)'),
  inputGuard: adding('inputGuards', INPUT_GUARD, '.inputGuard: expected defineInputGuard(…)'),
  enhance: adding('enhancers', ENHANCER, '.enhance: expected an enhancer such as withTimeout(…)'),
  use: adding(
    'enhancers',
    ENHANCER,
    '.use: expected defineMiddleware(…), or an enhancer such as withTimeout(…)',
  ),
  errors: adding('errors', 'errorName', '.errors: expected errors made with defineError(…)'),
  input: ({ schema }, more: Schema) => ({
    schema: joinInputs(schema, expectKind(more, isSchema, '.input: expected a schema')),
  }),
  output: (parts, what: AnswerLike, options?: AnswerOptions) => {
    if (!isContent(what))
      expectKind(what, isSchema, '.output: expected a schema or a content such as noContent');
    const one = answer(what, options);
    const others = parts.answers.filter(({ status }) => status !== one.status);
    const isPage = PAGE in what && !('handler' in parts);
    return {
      answers: [...others, one].toSorted((a, b) => a.status - b.status),
      output: others.length === 0 && one.kind === 'data' ? one.schema : undefined,
      schema: isPage ? joinInputs(parts.schema, pageInput) : parts.schema,
    };
  },
  route: ({ routes }, method: DeclaredRoute['method'], path: DeclaredRoute['path']) => ({
    routes: [...routes, { method, path }],
  }),
  takes: ({ schema, sent, ...before }, options: TakesOptions) => {
    const own = toSentFields(schema, options);
    const others = sent.filter(({ field }) => !own.some((one) => one.field === field));
    const { form = before.form, maxBodySize = before.maxBodySize } = options;
    const body = toWholeBodyOptions(options) ?? before.body;
    return { sent: [...others, ...own], form, body, maxBodySize };
  },
  cacheControl: (_, directives: string, options: CacheControlOptions = {}) => {
    expectKnownOptions('.cacheControl', options, { isShared: true });
    const wanted = ".cacheControl: expected directives such as 'private, max-age=60'";
    return {
      cacheControl: expectKind(directives, isDirectives, wanted),
      isSharedBehindGuards: options.isShared,
    };
  },
  describe: (_, description: string) => ({ description }),
  deprecated: (_, deprecation: Deprecation = {}) => ({ deprecation }),
  tool: (_, tool: false | ToolOptions) => ({ tool }),
  resource: ({ resources }, uri: string, options: ResourceOptions = {}) => ({
    resources: [...resources, { ...options, uri }],
  }),
  prompt: (_, prompt: OfferOptions = {}) => ({ prompt }),
};

/** The methods by which more is declared: `make` gets the parts of their object, and what one of them has changed. */
export function toMethods<Owner, Parts extends DeclaredParts, Made>(
  readParts: (owner: Owner) => Parts,
  make: (parts: Parts) => Made,
): Readonly<Record<string, (...values: unknown[]) => Made>> {
  const toMethod = (declare: Declare) =>
    function (this: Owner, ...values: unknown[]) {
      const parts = readParts(this);
      return make({ ...parts, ...declare(parts, ...(values as never[])) });
    };
  return Object.fromEntries(
    Object.entries(methods).map(([name, declare]) => [name, toMethod(declare)]),
  );
}

function adding(
  part: 'guards' | 'inputGuards' | 'enhancers' | 'errors',
  mark: PropertyKey,
  expectation: string,
): Declare {
  const isKind = (value: unknown): boolean => mark in Object(value);
  return (parts, ...more) => ({
    [part]: [...parts[part], ...more.map((one) => expectKind(one, isKind, expectation))],
  });
}

export function expectKind<T>(
  value: unknown,
  isKind: (value: unknown) => boolean,
  expectation: string,
): T {
  if (isKind(value)) return value as T;
  const isFields =
    expectation.includes('schema') && Object.getPrototypeOf(value ?? 0) === Object.prototype;
  const remedy = isFields ? ' Write z.object({ … }) around the fields.' : '';
  throw new TypeError(`${expectation}, got ${toGot(value)}.${remedy}`);
}

function toGot(value: unknown): string {
  if (isZod3Schema(value)) return 'a schema of zod 3, which cannot be used: npm install zod@^4.2.0';
  if (value === null) return 'null';
  return typeof value === 'string' ? `'${value}'` : typeof value;
}

const WANTED: unique symbol = Symbol.for('capix.sourceLocations');
const everyCopy = globalThis as { [WANTED]?: boolean };

/** Called by the command-line tool before it loads a project: servers pay nothing for source locations. */
export function rememberDeclarations(): void {
  everyCopy[WANTED] = true;
}

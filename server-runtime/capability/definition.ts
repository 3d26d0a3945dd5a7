import { type ErrorFactory, isErrorFactory } from '../errors/define-error.ts';
import type { MaybePromise } from '../errors/failure.ts';
import { callerStack } from '../patches/caller-stack.ts';
import { isSchema, isZod3Schema, type Schema } from '../schema/schema.ts';
import { type AnswerLike, type AnswerOptions, answer, type Content, isContent } from './content.ts';
import { type AnyEnhancer, type Handler, isEnhancer } from './enhancer.ts';
import { type Guard, type InputGuard, isGuard, isInputGuard } from './guard.ts';
import {
  type DeclaredRequest,
  type DeclaredRoute,
  expectCacheControl,
  expectFieldsOf,
  joinRequests,
  noRequest,
  type TakesOptions,
  toDeclaredRequest,
} from './http.ts';

/** The effect of a capability on data. It gives the HTTP method of names that match no prefix rule. */
export type Intent = 'query' | 'mutation' | 'update' | 'replace' | 'delete';

export const intents = ['query', 'mutation', 'update', 'replace', 'delete'] as const satisfies readonly Intent[];

export function isIntent(value: unknown): value is Intent {
  return (intents as readonly unknown[]).includes(value);
}

/** When an operation ends and what to use instead. Dates are ISO 8601 (`2027-01-31`). */
export interface Deprecation<Key extends string = string> {
  readonly since?: string | undefined;
  readonly sunset?: string | undefined;
  /** Key of the capability to use instead. A server whose groups have no such key does not compile. */
  readonly use?: Key | undefined;
}

/** A picture for people, in the list of an agent's tools or servers. */
export interface Icon {
  /** An address with `https:` or `data:`. */
  readonly src: string;
  /** @default what the address says */
  readonly mimeType?: string | undefined;
  /** The sizes that it is made for: `['48x48']`, `['any']`. */
  readonly sizes?: readonly string[] | undefined;
  /** The background that it is made for. @default any */
  readonly theme?: 'light' | 'dark' | undefined;
}

/** A capability as it appears to AI agents; `false` hides it from them. */
export interface ToolOptions {
  /** @default `<group>_<name>` */
  readonly name?: string | undefined;
  readonly title?: string | undefined;
  readonly icons?: readonly Icon[] | undefined;
  /** @default the capability's description */
  readonly description?: string | undefined;
  /** Whether it changes nothing. @default what the intent says */
  readonly readOnly?: boolean | undefined;
  /** Whether it may destroy something. @default what the intent says */
  readonly destructive?: boolean | undefined;
  /** Whether a second call with the same input changes nothing more. @default what the intent says */
  readonly idempotent?: boolean | undefined;
  /** Whether it reaches things outside the application. @default unsaid */
  readonly openWorld?: boolean | undefined;
}

/** Suggests values of a field for what a person has typed; `given` are the fields that are filled in. */
export type Suggest = (typed: string, given: Readonly<Record<string, string>>) => MaybePromise<readonly string[]>;

/** The options of a prompt for agents, and of a resource. */
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

export interface DeclaredResource extends ResourceOptions {
  /** `shop://orders/{id}`: the fields of the input in braces. */
  readonly uri: string;
}

/** The things besides tools that a capability is for agents. */
export interface Offers {
  readonly resources: readonly DeclaredResource[];
  readonly prompt: OfferOptions | undefined;
}

/** Everything that can be declared of a capability beside its handler. Lists are in the order of declaration. */
export interface DeclaredParts {
  readonly schema: Schema | undefined;
  readonly guards: readonly Guard[];
  readonly inputGuards: readonly InputGuard[];
  /** The first is the outermost. */
  readonly enhancers: readonly AnyEnhancer[];
  readonly errors: readonly ErrorFactory[];
  /** The lowest status first, which is that of a plain value. */
  readonly answers: readonly Content[];
  /** The schema of the answer's data, where one answer is declared and it has data. */
  readonly output: Schema | undefined;
  /** A sentence on what the capability does, for documents, `show` and agents. */
  readonly description: string | undefined;
  /** As stated by `.route`, in place of the inferred one; empty leaves it to the name. */
  readonly routes: readonly DeclaredRoute[];
  /** The fields that headers and cookies carry, and whether forms of a page are taken, as stated by `.takes`. */
  readonly request: DeclaredRequest;
  /** The `Cache-Control` of its answers over HTTP; undefined leaves it to the transport. */
  readonly cacheControl: string | undefined;
  readonly deprecation: Deprecation | undefined;
  /** The tool that agents see; undefined leaves it to the rest. */
  readonly tool: false | ToolOptions | undefined;
  readonly offers: Offers;
  /** The parts that `group` has declared, the innermost group first. */
  readonly groupsAround: readonly GroupAround[];
}

interface GroupAround {
  /** In place of its name, in routes. */
  readonly path: string | undefined;
  readonly text: string | undefined;
  /** The number of groups between it and the capability. */
  readonly depth: number;
}

export interface CapabilityDefinition extends DeclaredParts {
  readonly handler: Handler;
  /** As given; undefined leaves it to the name. */
  readonly intent: Intent | undefined;
  /** The place among all capabilities declared in this process, from 1. */
  readonly order: number;
  /** The place of the declaration, where source locations were asked for. */
  readonly declaredAt: DeclarationPlace | undefined;
}

export const noParts: DeclaredParts = {
  schema: undefined,
  guards: [],
  inputGuards: [],
  enhancers: [],
  errors: [],
  answers: [],
  output: undefined,
  description: undefined,
  routes: [],
  request: noRequest,
  cacheControl: undefined,
  deprecation: undefined,
  tool: undefined,
  offers: { resources: [], prompt: undefined },
  groupsAround: [],
};

/** Says what a call of a method changes in what is declared. @throws TypeError for what is not of its kind */
type Declare = (parts: DeclaredParts, ...values: never[]) => Partial<DeclaredParts>;

const methods = {
  guard: ({ guards }, guard: unknown) => ({
    guards: [...guards, expectKind(guard, isGuard, '.guard: expected defineGuard(…)')],
  }),
  inputGuard: ({ inputGuards }, guard: unknown) => ({
    inputGuards: [...inputGuards, expectKind(guard, isInputGuard, '.inputGuard: expected defineInputGuard(…)')],
  }),
  enhance: (parts, enhancer: unknown) =>
    withEnhancer(parts, enhancer, '.enhance: expected an enhancer such as withTimeout(…)'),
  use: (parts, enhancer: unknown) =>
    withEnhancer(parts, enhancer, '.use: expected defineMiddleware(…), or an enhancer such as withTimeout(…)'),
  errors: (parts, ...errors: unknown[]) => ({
    errors: [
      ...parts.errors,
      ...errors.map((error) => expectKind(error, isErrorFactory, '.errors: expected errors made with defineError(…)')),
    ],
  }),
  /** One of another status is added, one of the same status takes the place of the former. */
  output: ({ answers }, what: unknown, options?: AnswerOptions) => {
    const expectation = '.output: expected a schema or a content such as noContent';
    const one = answer(expectKind(what, isAnswerLike, expectation), options);
    const others = answers.filter(({ status }) => status !== one.status);
    return {
      answers: [...others, one].toSorted((a, b) => a.status - b.status),
      output: others.length === 0 && one.kind === 'data' ? one.schema : undefined,
    };
  },
  route: ({ routes }, method: DeclaredRoute['method'], path: DeclaredRoute['path']) => ({
    routes: [...routes, { method, path }],
  }),
  takes: ({ schema, request }, options: TakesOptions) => {
    const own = toDeclaredRequest('.takes', options);
    expectFieldsOf(schema, own);
    return { request: joinRequests(request, own) };
  },
  cacheControl: (_, directives: string) => ({ cacheControl: expectCacheControl('.cacheControl', directives) }),
  describe: (_, description: string) => ({ description }),
  deprecated: (_, deprecation: Deprecation = {}) => ({ deprecation }),
  tool: (_, tool: false | ToolOptions) => ({ tool }),
  resource: ({ offers }, uri: string, options: ResourceOptions = {}) => ({
    offers: { ...offers, resources: [...offers.resources, { ...options, uri }] },
  }),
  prompt: ({ offers }, prompt: OfferOptions = {}) => ({ offers: { ...offers, prompt } }),
} satisfies Readonly<Record<string, Declare>>;

/** The methods of a factory or a capability, each of which gives `withParts` what it changes. */
export function toMethods<Made>(
  parts: DeclaredParts,
  withParts: (change: Partial<DeclaredParts>) => Made,
): Readonly<Record<string, (...values: unknown[]) => Made>> {
  const made: Record<string, (...values: unknown[]) => Made> = {};
  for (const [name, declare] of Object.entries<Declare>(methods))
    made[name] = (...values) => withParts(declare(parts, ...(values as never[])));
  return made;
}

function withEnhancer({ enhancers }: DeclaredParts, enhancer: unknown, expectation: string): Partial<DeclaredParts> {
  return { enhancers: [...enhancers, expectKind(enhancer, isEnhancer, expectation)] };
}

function isAnswerLike(value: unknown): value is AnswerLike {
  return isSchema(value) || isContent(value);
}

function expectKind<T>(value: unknown, isKind: (value: unknown) => value is T, expectation: string): T {
  if (isKind(value)) return value;
  throw new TypeError(`${expectation}, got ${describeValue(value)}.`);
}

/** `null`, `'read'`, `object`: a value in an error about what it is not. */
export function describeValue(value: unknown): string {
  if (isZod3Schema(value)) return 'a schema of zod 3, which cannot be used: npm install zod@^4.2.0';
  return value === null ? 'null' : typeof value === 'string' ? `'${value}'` : typeof value;
}

/** Set on `globalThis` by the command-line tool before it loads a project: servers pay nothing for source locations. */
const WANTED: unique symbol = Symbol.for('capix.sourceLocations') as never;

/** The place where something was declared. Reading `stack` formats it and maps it to the source, which takes time. */
export interface DeclarationPlace {
  /** The call that declared it, above other frames, as `Error` has it. */
  readonly stack?: string | undefined;
}

/** Asks that capabilities declared from now on remember where they were declared. */
export function rememberDeclarations(): void {
  (globalThis as { [WANTED]?: boolean })[WANTED] = true;
}

/** The frame above `from`, where it was asked for. */
export function declaredAt(from: (...args: never[]) => unknown): DeclarationPlace | undefined {
  return (globalThis as { [WANTED]?: boolean })[WANTED] === true ? callerStack(from) : undefined;
}

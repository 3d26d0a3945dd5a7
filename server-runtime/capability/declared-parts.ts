import type { Schema } from '../schema/schema.ts';
import { expectCacheControl } from './answers/expect-cache-control.ts';
import type { Deprecation, ToolOptions } from './capability-definition.ts';
import { type DeclaredSteps, noSteps, toStepMethods } from './declared-steps.ts';
import { noOffers, type OfferOptions, type Offers, type ResourceOptions } from './offers/offers.ts';
import {
  type DeclaredRequest,
  expectFieldsOf,
  joinRequests,
  noRequest,
  type TakesOptions,
  toDeclaredRequest,
} from './route/declared-request.ts';
import type { DeclaredRoute } from './route/declared-route.ts';

/**
 * Everything that can be declared of a capability beside its handler: before it on a factory, behind it on the
 * capability.
 */
export interface DeclaredParts extends DeclaredSteps {
  /** The input schema; undefined without one. */
  readonly schema: Schema | undefined;
  /** A sentence on what the capability does, for documents, `show` and agents. */
  readonly description: string | undefined;
  /** As stated by `.route`, in place of the inferred one; empty leaves it to the name. */
  readonly routes: readonly DeclaredRoute[];
  /** The fields that headers and cookies carry, and whether forms of a page are taken, as stated by `.takes`. */
  readonly request: DeclaredRequest;
  /**
   * The `Cache-Control` of its answers over HTTP, as stated by `.cacheControl`; undefined leaves it to the transport.
   */
  readonly cacheControl: string | undefined;
  /** When it ends and what to use instead; undefined for one that stays. */
  readonly deprecation: Deprecation | undefined;
  /** The tool that agents see; undefined leaves it to the rest. */
  readonly tool: false | ToolOptions | undefined;
  /** The resources and the prompt that agents see. */
  readonly offers: Offers;
}

export const noParts: DeclaredParts = {
  ...noSteps,
  schema: undefined,
  description: undefined,
  routes: [],
  request: noRequest,
  cacheControl: undefined,
  deprecation: undefined,
  tool: undefined,
  offers: noOffers,
};

/** Methods by their names, each of which declares a part. */
type PartMethods<Made> = Readonly<Record<string, (...values: never[]) => Made>>;

/**
 * The methods that declare a part, each giving `withParts` what it changes. @throws TypeError for what is not of its
 * kind
 */
export function toPartMethods<Made>(
  parts: DeclaredParts,
  withParts: (change: Partial<DeclaredParts>) => Made,
): PartMethods<Made> {
  // By name: an object that begins as the copy of another one grows by three fields at a time, which of 500
  // capabilities makes a megabyte of garbage.
  const { guard, inputGuard, enhance, use, errors, output } = toStepMethods(parts, withParts);
  return {
    guard,
    inputGuard,
    enhance,
    use,
    errors,
    output,
    route: (method: DeclaredRoute['method'], path: DeclaredRoute['path']) =>
      withParts({ routes: [...parts.routes, { method, path }] }),
    takes: (options: TakesOptions) => {
      const own = toDeclaredRequest('.takes', options);
      expectFieldsOf(parts.schema, own);
      return withParts({ request: joinRequests(parts.request, own) });
    },
    cacheControl: (directives: string) => withParts({ cacheControl: expectCacheControl('.cacheControl', directives) }),
    describe: (description: string) => withParts({ description }),
    deprecated: (deprecation: Deprecation = {}) => withParts({ deprecation }),
    tool: (tool: false | ToolOptions) => withParts({ tool }),
    resource: (uri: string, options: ResourceOptions = {}) =>
      withParts({ offers: { ...parts.offers, resources: [...parts.offers.resources, { ...options, uri }] } }),
    prompt: (prompt: OfferOptions = {}) => withParts({ offers: { ...parts.offers, prompt } }),
  };
}

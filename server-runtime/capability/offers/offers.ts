import type { MaybePromise } from '../../errors/outcome.ts';

/** Suggests values of a field for what a person has typed; `given` are the fields that are filled in. */
export type Suggest = (typed: string, given: Readonly<Record<string, string>>) => MaybePromise<readonly string[]>;

/** The options of a resource and of a prompt for agents. */
export interface OfferOptions {
  /** @default `<group>_<name>` */
  readonly name?: string | undefined;
  /** A name for people. */
  readonly title?: string | undefined;
  /** @default the capability's description */
  readonly description?: string | undefined;
  /** Suggestions for fields; those of enums are suggested anyway. */
  readonly suggest?: Readonly<Record<string, Suggest>> | undefined;
}

/** The options of a resource for agents. */
export interface ResourceOptions extends OfferOptions {
  /** The media type of its content. @default that of the answer, else `application/json`, or `text/plain` for texts */
  readonly mimeType?: string | undefined;
}

/** A resource as `.resource` declares it. */
export interface DeclaredResource extends ResourceOptions {
  /** `shop://orders/{id}`: the fields of the input in braces. */
  readonly uri: string;
}

/** The things besides tools that a capability is for agents. */
export interface Offers {
  /** The resources, in the order in which they were declared. */
  readonly resources: readonly DeclaredResource[];
  /** Undefined for one that is not a prompt. */
  readonly prompt: OfferOptions | undefined;
}

export const noOffers: Offers = { resources: [], prompt: undefined };

import type { Schema } from '../schema/schema.ts';
import type { DeclarationPlace } from './declared-at.ts';
import type { DeclaredSteps } from './declared-steps.ts';
import type { Handler } from './enhancer.ts';
import type { Intent } from './intent.ts';
import type { Offers } from './offers/offers.ts';
import type { DeclaredRoute } from './route/declared-route.ts';

/** When an operation ends and what to use instead. Dates are ISO 8601 (`2027-01-31`). */
export interface Deprecation<Key extends string = string> {
  /** Since when it is deprecated. */
  readonly since?: string | undefined;
  /** When it goes away. */
  readonly sunset?: string | undefined;
  /** Key of the capability to use instead. A server whose groups have no such key does not compile. */
  readonly use?: Key | undefined;
}

/** A capability as it appears to AI agents; `false` hides it from them. */
export interface ToolOptions {
  /** @default `<group>_<name>` */
  readonly name?: string | undefined;
  /** A name for people. */
  readonly title?: string | undefined;
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

/** Everything that was declared of one capability. */
export interface CapabilityDefinition extends DeclaredSteps {
  /** The input schema; undefined without one. */
  readonly schema: Schema | undefined;
  /** The function that does the work. */
  readonly handler: Handler;
  /** As given; undefined leaves it to the name. */
  readonly intent: Intent | undefined;
  /** A sentence on what the capability does, for documents, `show` and agents. */
  readonly description: string | undefined;
  /** As stated by `.route`, in place of the inferred one; empty leaves it to the name. */
  readonly routes: readonly DeclaredRoute[];
  /** The `Cache-Control` of its answers over HTTP, as stated by `.cacheControl`; undefined leaves it to the transport. */
  readonly cacheControl: string | undefined;
  /** When it ends and what to use instead; undefined for one that stays. */
  readonly deprecation: Deprecation | undefined;
  /** The tool that agents see; undefined leaves it to the rest. */
  readonly tool: false | ToolOptions | undefined;
  /** The resources and the prompt that agents see. */
  readonly offers: Offers;
  /** Its place among all capabilities declared in this process, from 1. */
  readonly order: number;
  /** The place of the declaration, where source locations were asked for. */
  readonly declaredAt: DeclarationPlace | undefined;
}

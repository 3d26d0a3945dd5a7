import type { DeclarationPlace } from './declared-at.ts';
import type { DeclaredParts } from './declared-parts.ts';
import type { Handler } from './enhancer.ts';
import type { Intent } from './intent.ts';

/** When an operation ends and what to use instead. Dates are ISO 8601 (`2027-01-31`). */
export interface Deprecation<Key extends string = string> {
  /** Since when it is deprecated. */
  readonly since?: string | undefined;
  /** When it goes away. */
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
  /** A name for people. */
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
  /**
   * Whether the agent's user must approve each call, or the question that they are asked; the input stands below it.
   * @default what `mcpTransport({ approve })` says
   */
  readonly approve?: boolean | string | undefined;
}

/** Everything that was declared of one capability. */
export interface CapabilityDefinition extends DeclaredParts {
  /** The function that does the work. */
  readonly handler: Handler;
  /** As given; undefined leaves it to the name. */
  readonly intent: Intent | undefined;
  /** The place among all capabilities declared in this process, from 1. */
  readonly order: number;
  /** The place of the declaration, where source locations were asked for. */
  readonly declaredAt: DeclarationPlace | undefined;
}

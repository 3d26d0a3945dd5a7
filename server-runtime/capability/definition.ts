import type { ErrorFactory } from '../errors/define-error.ts';
import type { Schema } from '../schema/schema.ts';
import type { DeclarationPlace } from './declared-at.ts';
import type { Enhancer, Handler } from './enhancer.ts';
import type { Guard, InputGuard } from './guard.ts';
import type { Intent } from './intent.ts';

/** When an operation ends and what to use instead. Dates are ISO 8601 (`2027-01-31`). */
export interface Deprecation {
  readonly since?: string;
  readonly sunset?: string;
  /** Key of the capability to use instead. */
  readonly use?: string;
}

/** How a capability appears to AI agents; `false` hides it from them. */
export interface ToolOptions {
  /** @default `<group>_<name>` */
  readonly name?: string;
  readonly title?: string;
  /** @default the capability's description */
  readonly description?: string;
  /** Overrides what the intent says. */
  readonly readOnly?: boolean;
  readonly destructive?: boolean;
  readonly idempotent?: boolean;
  readonly openWorld?: boolean;
}

/** Everything that was declared of one capability. */
export interface CapabilityDefinition {
  readonly schema: Schema | undefined;
  readonly handler: Handler;
  /** As given; undefined leaves it to the name. */
  readonly intent: Intent | undefined;
  readonly guards: readonly Guard[];
  readonly inputGuards: readonly InputGuard[];
  /** The first is the outermost. */
  readonly enhancers: readonly Enhancer[];
  readonly output: Schema | undefined;
  /** What the handler may throw, as declared. */
  readonly errors: readonly ErrorFactory[];
  readonly description: string | undefined;
  readonly deprecation: Deprecation | undefined;
  readonly tool: false | ToolOptions | undefined;
  /** Its place among all capabilities declared in this process, from 1. */
  readonly order: number;
  /** Where it was declared, where source locations were asked for. */
  readonly declaredAt: DeclarationPlace | undefined;
}

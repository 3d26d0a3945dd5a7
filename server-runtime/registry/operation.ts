import type { CapabilityDefinition } from '../capability/capability-definition.ts';
import type { Intent } from '../capability/intent.ts';
import type { CapabilitySteps } from '../capability/run-capability.ts';
import type { ObjectFields } from '../schema/object-fields.ts';

/** A capability in its place in a registry, with everything worked out that can be. */
export interface Operation {
  /** `<group>.<name>`; groups inside groups are joined by dots. */
  readonly key: string;
  /** From the outermost group inwards; empty at the root. */
  readonly groups: readonly string[];
  readonly name: string;
  /** The effective intent: as declared, else what the name says. */
  readonly intent: Intent;
  readonly declaredIntent: Intent | undefined;
  /** The named fields of the input; undefined when the input is no object schema. */
  readonly fields: ObjectFields | undefined;
  readonly hasId: boolean;
  /** From `withTimeout`; undefined leaves the server's default. */
  readonly timeoutMs: number | undefined;
  readonly definition: CapabilityDefinition;
  readonly steps: CapabilitySteps;
}

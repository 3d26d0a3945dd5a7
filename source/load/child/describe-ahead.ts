import { definitionOfCapability, isCapability } from '../../../server-runtime/capability/capability.ts';
import { toOperationSchemas } from '../../manifest/operations/with-operation-schemas.ts';

/** Makes the costly parts of a manifest, of the capabilities among some values: their places and their schemas are then known. */
export function describeAhead(values: readonly unknown[]): void {
  for (const value of values) {
    if (!isCapability(value)) continue;
    const definition = definitionOfCapability(value);
    // Node formats a stack, and maps it to the source, when it is first read.
    void definition.declaredAt?.stack;
    toOperationSchemas(definition);
  }
}

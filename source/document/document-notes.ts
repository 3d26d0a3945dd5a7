import type { DocumentNotes } from '../../server-runtime/openapi/to-operation-object.ts';
import type { Operation } from '../../server-runtime/registry/operation.ts';
import { isZodSchema } from '../../server-runtime/schema/schema.ts';
import type { OperationFacts, OtherRouteFacts, RouteFacts } from './facts.ts';
import { noteChecks, toForeignChecks } from './note-checks.ts';
import { defined, findWildcard, toOperationFacts, toRouteFacts } from './operation-facts.ts';

/** The facts that a project knows of an operation beside what it declares. */
export type ToPlace = (operation: Operation) => Pick<RouteFacts, 'source'>;

/** The facts that `toOpenApi` writes under `x-capix` of each operation and job. */
export function toDocumentNotes(toPlace: ToPlace = () => ({})): DocumentNotes {
  const known = new Set<Operation>();
  return {
    onNode: noteChecks,
    ofRoute: (route, nameOf) => {
      const { operation, segments } = route;
      if (known.has(operation))
        return defined<OtherRouteFacts>({ key: operation.key, isOther: true, wildcard: findWildcard(segments) });
      known.add(operation);
      return { ...withInputChecks(toRouteFacts(route, nameOf), operation), ...toPlace(operation) };
    },
    ofJob: (operation) => ({ ...withInputChecks(toOperationFacts(operation), operation), ...toPlace(operation) }),
  };
}

function withInputChecks<Facts extends OperationFacts>(facts: Facts, { definition: { schema } }: Operation): Facts {
  const inputChecks = schema === undefined || isZodSchema(schema) ? undefined : toForeignChecks(schema);
  return inputChecks === undefined ? facts : { ...facts, inputChecks };
}

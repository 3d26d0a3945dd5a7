import type { OpenApi, Schema } from './document-types.ts';
import type { Edited, EditKind, Effect } from './edit-kind.ts';
import { type OperationEdit, operationEdits } from './operation-edits.ts';
import {
  atSteps,
  type Direction,
  findOperation,
  findSchemaPlace,
  isolateOperation,
  methods,
  type OperationPlace,
  toOperationPlaces,
} from './places.ts';
import type { Random } from './random.ts';
import { type SchemaEdit, schemaEdits } from './schema-edits.ts';
import { wordEdits } from './word-edits.ts';

/** All kinds of edits: those of schemas twice, as they are sent and as they are read. */
export const editKinds: readonly EditKind[] = [
  ...schemaEdits.flatMap((edit) => [
    ...toSchemaKind(edit, 'input', edit.asInput),
    ...toSchemaKind(edit, 'output', edit.asOutput),
  ]),
  ...operationEdits.map(toOperationKind),
  ...wordEdits,
];

function toSchemaKind(
  edit: SchemaEdit,
  direction: Direction,
  effect: Effect | undefined,
): readonly EditKind[] {
  if (effect === undefined) return [];
  const make = (document: OpenApi, random: Random): Edited | undefined => {
    const place = findSchemaPlace(document, random, { direction, fits: edit.fits });
    if (place === undefined) return undefined;
    const schemaIn = (side: OpenApi): Schema =>
      atSteps(findOperation(side, place.operation), place.steps) as Schema;
    edit.prepare?.(schemaIn(document), document.openapi);
    const after = structuredClone(document);
    edit.edit(schemaIn(after), document.openapi);
    return { before: document, after };
  };
  const { name, reason, isUnclear = false } = edit;
  return [{ name: `${direction}: ${name}`, effect, reason, isUnclear, make }];
}

/** How many operations of a document are tried. */
const MAX_TRIES = 40;

function toOperationKind(edit: OperationEdit): EditKind {
  const hold = (document: OpenApi, place: OperationPlace) => ({
    document,
    place,
    item: document.paths![place.template]!,
    operation: findOperation(document, place)!,
  });
  const make = (document: OpenApi, random: Random): Edited | undefined => {
    for (const found of random.shuffle(toOperationPlaces(document)).slice(0, MAX_TRIES)) {
      isolateOperation(document, found);
      const place = { ...found };
      if (!edit.fits(hold(document, place))) continue;
      edit.prepare?.(hold(document, place));
      const after = structuredClone(document);
      edit.edit(hold(after, place));
      return { before: document, after };
    }
    return undefined;
  };
  const { name, effect, reason, isUnclear = false } = edit;
  return { name, effect, reason, isUnclear, make };
}

/** Whether edits of a document have one meaning: its operations can be told apart, and their paths, too. */
export function isEditable(document: OpenApi): boolean {
  const ids = toOperationPlaces(document).flatMap((place) => {
    const id = findOperation(document, place)?.operationId;
    return id === undefined ? [] : [id];
  });
  const shapes = Object.keys(document.paths ?? {}).map((path) =>
    path.replaceAll(/\{[^}]*\}/g, '{}'),
  );
  const isPlain = shapes.every((shape) => shape.startsWith('/') && !/[?#]/.test(shape));
  const hasOperations = Object.values(document.paths ?? {}).some((item) =>
    methods.some((method) => item[method] !== undefined),
  );
  return (
    hasOperations &&
    isPlain &&
    new Set(ids).size === ids.length &&
    new Set(shapes).size === shapes.length
  );
}

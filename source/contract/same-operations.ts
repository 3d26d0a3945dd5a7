import { isSameJson } from '../document/fits-branch.ts';
import type { ApiOperation } from '../document/operations/api-operation.ts';
import { methods } from '../document/operations/read-operations.ts';
import { isSchemaObject, recordOf, type SchemaJson, textOf } from '../document/schema-json.ts';
import { findSchemaPairs } from './schemas/compare-schemas.ts';

export type IsSameOperation = (old: ApiOperation, now: ApiOperation) => boolean;

/**
 * Makes a function that quickly finds operations that say the same in both documents, so that nothing of them is
 * compared. In a large document with one changed field, these are most. It finds none where something around them
 * differs, such as servers or credentials.
 */
export function createSameOperations(before: object, after: object): IsSameOperation {
  const { same } = findSchemaPairs(before, after);
  const isSameAround = same.isSame(toSurroundings(before), toSurroundings(after));
  const isSameShared = (old: SchemaJson, now: SchemaJson): boolean => {
    const shared = toShared(old);
    const sharedNow = toShared(now);
    // Most say nothing but their operations.
    const areEmpty = shared === undefined && sharedNow === undefined;
    return areEmpty || same.isSame(shared ?? {}, sharedNow ?? {});
  };
  return (old, now) => {
    if (!isSameAround || old.source === undefined || now.source === undefined) return false;
    return (
      old.method === now.method &&
      old.path === now.path &&
      isSameJson(old.otherRoutes, now.otherRoutes) &&
      same.isSame(old.source.operation, now.source.operation) &&
      isSameShared(old.source.pathItem, now.source.pathItem)
    );
  };
}

/** The parts of a document that concern every operation. The versions 3.0.0 and 3.0.3 mean the same. */
function toSurroundings(document: object): SchemaJson {
  const { paths: _, webhooks: _ignored, info: _info, ...rest } = document as SchemaJson;
  const { securitySchemes } = recordOf(rest['components']);
  const version = /^\d+\.\d+/.exec(textOf(rest['openapi']) ?? '')?.[0];
  return { ...rest, openapi: version, components: { securitySchemes } };
}

/** All that a path item says of each of its operations; undefined where it says nothing. */
function toShared(pathItem: SchemaJson): SchemaJson | undefined {
  const names = Object.keys(pathItem).filter(
    (name) => !(methods.has(name) && isSchemaObject(pathItem[name])),
  );
  return names.length === 0
    ? undefined
    : Object.fromEntries(names.map((name) => [name, pathItem[name]]));
}

import { describe } from '../schema/describe.ts';
import { type JsonSchema, mapSubschemas } from '../schema/json-schema.ts';
import { isRaw, type JsonBranch, type Lens, toChoices } from '../schema/lens.ts';
import type { Schema } from '../schema/schema.ts';
import { toPath } from './input-fields.ts';

/** The parts of a form that may be files, by the declared input of a capability. */
export interface FileFields {
  /** Whether any field takes a file. A form for a capability without one holds texts alone. */
  readonly hasAny: boolean;
  /** Whether the field of a part's name takes a file: `avatar`, `pages[]`, `pages[0][scan]`. */
  readonly takes: (name: string) => boolean;
}

/** A schema that leaves a field open takes files there, and a capability without a schema takes them everywhere. */
export function toFileFields(schema: Schema | undefined): FileFields {
  if (schema === undefined) return { hasAny: true, takes: () => true };
  const { input, lens } = describe(schema);
  const hasAny = mayHoldFile(input);
  return { hasAny, takes: (name) => hasAny && takesFileAt(lens, toPath(name, lens)) };
}

/** Whether a file may stand at a place of a schema, or anywhere inside of it. */
function mayHoldFile({ not: _not, ...json }: JsonSchema): boolean {
  if (_not === undefined && isOpen({ properties: {}, ...json })) return true;
  let isFound = json['x-capix-file'] !== undefined;
  mapSubschemas(json, (inner) => {
    isFound ||= mayHoldFile(inner);
    return inner;
  });
  return isFound;
}

function takesFileAt(input: Lens, path: readonly string[]): boolean {
  let place = input;
  for (const step of path) {
    if (place.branches.some(isOpen)) return true;
    const inside = place.inside(step);
    if (inside === undefined) return false;
    place = inside;
  }
  const kinds = [...place.branches, ...(place.inside('0')?.branches ?? [])];
  return place.reading.file !== undefined || kinds.some(isOpen);
}

/** Whether a schema admits any value, so that a file, or an object with one, fits. */
function isOpen(branch: JsonBranch): boolean {
  if (isRaw(branch) || branch.additionalProperties === true) return true;
  const refers = ['$ref', 'anyOf', 'oneOf', 'allOf'].some((keyword) => keyword in branch);
  return branch.type === undefined && toChoices(branch).length === 0 && !refers;
}

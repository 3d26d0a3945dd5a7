import { type DeepDefinition, toInnerSchemas } from './inner-schemas.ts';
import { definitionOf, type Schema } from './schema.ts';

/**
 * Whether a schema holds code of the application (a refinement, a transform, a custom schema), which may return a promise.
 * Only running it would tell, and a parse that is given up when it does leaves a promise behind whose failure ends the process.
 */
export function mayBeAsync(schema: Schema): boolean {
  return holdsCode(schema, new Set());
}

/** Types whose own parsing is zod's alone. What is not listed is taken to hold code. */
const plainTypes: ReadonlySet<string> = new Set(
  (
    'string number int boolean bigint symbol null undefined void any unknown never date nan literal enum file template_literal ' +
    'object record array tuple map set union intersection pipe optional nullable nonoptional default prefault catch readonly lazy'
  ).split(' '),
);

function holdsCode(schema: Schema, seen: Set<Schema>): boolean {
  if (seen.has(schema)) return false;
  seen.add(schema);
  const definition = definitionOf(schema) as DeepDefinition;
  if (!plainTypes.has(definition.type) || definition.transform !== undefined) return true;
  if (definition.checks?.some((check) => !isPlainCheck(check._zod.def.check)) === true) return true;
  return toInnerSchemas(definition).some((inner) => holdsCode(inner, seen));
}

/** `custom` is a refinement; `property` holds another schema. */
function isPlainCheck(check: string): boolean {
  return check !== 'custom' && check !== 'property';
}

import type { FormField } from './form-field.ts';

/** A field of an input as a flag of the command line. */
export interface FieldFlag {
  /** `'--address.city'` */
  readonly flag: string;
  readonly field: FormField;
  /** Whether a call without it is refused: it and all that it is in are required. */
  readonly isRequired: boolean;
}

/** Deeper objects are said as JSON. */
const MAX_DEPTH = 3;

/** The flags for the fields of an input: those of an object inside of it stand behind its own. */
export function toFieldFlags({ kind }: FormField): readonly FieldFlag[] {
  return kind.kind === 'group' ? toFlags(kind.fields(), { outer: [], isRequired: true }) : [];
}

function toFlags(
  fields: readonly FormField[],
  { outer, isRequired }: { readonly outer: readonly string[]; readonly isRequired: boolean },
): readonly FieldFlag[] {
  return fields.flatMap((field): readonly FieldFlag[] => {
    const path = [...outer, field.name];
    const own = { flag: `--${path.join('.')}`, field, isRequired: isRequired && field.isRequired };
    if (field.kind.kind !== 'group' || path.length === MAX_DEPTH) return [own];
    return [own, ...toFlags(field.kind.fields(), { outer: path, isRequired: own.isRequired })];
  });
}

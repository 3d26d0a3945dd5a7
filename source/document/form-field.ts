import { groupBy } from '../values/once.ts';

/** The question of a form for one value. */
export interface FormField {
  readonly name: string;
  readonly kind: FormKind;
  /** As `toTypeText` gives it. */
  readonly type: string;
  /** Whether a value must be there. */
  readonly isRequired: boolean;
  /** Whether null is a value of it. @default false */
  readonly isNullable?: boolean;
  /** Whether it is an item of a list, which has no way to leave it out. @default false */
  readonly isItem?: boolean;
  /** As JSON. */
  readonly default?: string | undefined;
  /** Constraints and description. */
  readonly note: string;
  /** An example of the value, where that is not plain: `2026-12-31`. */
  readonly placeholder?: string | undefined;
}

/** Gives the text that is shown in place of another one, as many characters. */
type Mask = (text: string) => string;

export type FormKind =
  /** `isOneLine`: a name, a header. */
  | { readonly kind: 'text'; readonly mask?: Mask | undefined; readonly isOneLine?: boolean }
  | { readonly kind: 'number'; readonly mask?: Mask | undefined }
  /** The path of a file. */
  | { readonly kind: 'file' }
  | { readonly kind: 'toggle' }
  | { readonly kind: 'picker'; readonly values: readonly unknown[] }
  | FormGroup
  | { readonly kind: 'list'; readonly item: () => FormField }
  /** A list whose first items have fields of their own; `rest` is that of those that follow them, where any may. */
  | {
      readonly kind: 'tuple';
      readonly items: () => readonly FormField[];
      readonly rest?: (() => FormField) | undefined;
    }
  | { readonly kind: 'union'; readonly variants: readonly FormVariant[] }
  /** Everything else: the value is typed as JSON. */
  | { readonly kind: 'json' };

/** An object: its fields, and where `extra` is there any number of others. */
export interface FormGroup {
  readonly kind: 'group';
  readonly fields: () => readonly FormField[];
  readonly extra?: (() => FormField) | undefined;
  /** Whether a form begins without its fields though it is required: it is deep, or inside of itself. @default false */
  readonly isFolded?: boolean;
}

/** One of several that a value may be. */
export interface FormVariant {
  /** `circle`, `string`. */
  readonly label: string;
  /** The name of its field that says no more than the label. */
  readonly tag?: string | undefined;
  readonly field: () => FormField;
  /** Whether a value is of this variant. */
  readonly admits: (value: unknown) => boolean;
}

/** A field of an input as a flag of the command line. */
export interface FieldFlag {
  /** `'--address.city'` */
  readonly flag: string;
  /** The names of the objects that it is in, and its own. */
  readonly path: readonly string[];
  readonly field: FormField;
  /** Whether a call without it is refused: it and all that it is in are required. */
  readonly isRequired: boolean;
}

/** Deeper objects are written as JSON. */
const MAX_DEPTH = 3;

/** The flags for the fields of an input: those of an object inside of it stand behind its own. */
export function toFieldFlags({ kind }: FormField): readonly FieldFlag[] {
  return toFlags(toMembers(kind), { outer: [], isRequired: true });
}

function toFlags(
  fields: readonly FormField[],
  { outer, isRequired }: { readonly outer: readonly string[]; readonly isRequired: boolean },
): readonly FieldFlag[] {
  return fields.flatMap((field): readonly FieldFlag[] => {
    const path = [...outer, field.name];
    const own = {
      flag: `--${path.join('.')}`,
      path,
      field,
      isRequired: isRequired && field.isRequired,
    };
    if (path.length === MAX_DEPTH) return [own];
    return [own, ...toFlags(toMembers(field.kind), { outer: path, isRequired: own.isRequired })];
  });
}

/** The fields of an object, or of all the objects that a union may be. */
export function toMembers(kind: FormKind): readonly FormField[] {
  if (kind.kind === 'group') return kind.fields();
  if (kind.kind !== 'union') return [];
  const variants = kind.variants.map((variant) => toMembers(variant.field().kind));
  const byName = groupBy(variants.flat(), ({ name }) => name);
  return [...byName.values()].map((fields) => ({
    ...fields.reduce(joinFields),
    isRequired: fields.length === variants.length && fields.every((field) => field.isRequired),
  }));
}

/** A field that takes what either of two takes. */
function joinFields(one: FormField, other: FormField): FormField {
  const types = new Set([one.type, other.type]);
  const kinds = [one.kind, other.kind];
  const values = kinds.flatMap((each) => (each.kind === 'picker' ? [each.values] : []));
  const isAlike =
    one.kind.kind === other.kind.kind && /^(?:text|number|file|toggle)$/.test(one.kind.kind);
  const joined: FormKind =
    values.length === kinds.length ? { kind: 'picker', values: values.flat() } : { kind: 'json' };
  return { ...one, type: [...types].join(' | '), kind: isAlike ? one.kind : joined };
}

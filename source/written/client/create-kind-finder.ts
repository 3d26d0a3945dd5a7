import type { InnerKinds, Kinds } from '../../../server-runtime/client/revive.ts';
import type {
  ApiSchema,
  Branch,
  ListBranch,
  ObjectBranch,
  TextBranch,
} from '../../document/branch.ts';
import { findValues, toBranches } from '../../document/read-branches.ts';
import { findTarget } from '../../document/schema-json.ts';
import type { TypeNames } from './to-type-script.ts';

/** Finds where the dates and big integers of schemas are, which JSON has as texts. */
interface KindFinder {
  /** Undefined where there is none. */
  readonly find: (schema: ApiSchema | undefined) => Kinds | undefined;
  /** The places in the components that those refer to, by the names of their types. */
  readonly shared: () => Readonly<Record<string, Kinds>>;
}

export function createKindFinder(names: TypeNames): KindFinder {
  const components = new Map<string, Kinds | undefined>();
  const findShared = (component: string, schema: ApiSchema): Kinds | undefined => {
    const pointer = `#/components/schemas/${component}`;
    const name = names.get(pointer) ?? 'unknown';
    const reference = `#${name}` as const;
    if (components.has(name)) return components.get(name) && reference;
    // It may hold itself.
    components.set(name, reference);
    const json = findTarget(pointer, schema.root);
    const kinds = find({ ...schema, json });
    const others = JSON.stringify(kinds ?? {}).replaceAll(`"${reference}"`, '');
    const hasAny = /"(date|bigint|#\w+)"(?!:)/.test(others);
    components.set(name, hasAny ? kinds : undefined);
    return hasAny ? reference : undefined;
  };
  const findOf = (branch: Branch): Kinds | undefined =>
    branch.name === undefined || branch.name.includes(' & ')
      ? findInBranch(branch, find)
      : findShared(branch.name, branch.schema);
  const find: KindFinder['find'] = (schema) => schema && findInUnion(toBranches(schema), findOf);
  return {
    find,
    shared: () =>
      Object.fromEntries(
        [...components].flatMap(([name, kinds]) => (kinds ? [[name, kinds]] : [])),
      ),
  };
}

function findInBranch(branch: Branch, find: KindFinder['find']): Kinds | undefined {
  if (branch.type === 'string') return findInText(branch);
  if (branch.type === 'array') return findInList(branch, find);
  return branch.type === 'object' ? findInObject(branch, find) : undefined;
}

function findInList({ first, rest }: ListBranch, find: KindFinder['find']): Kinds | undefined {
  const items = first.map((item) => find(item) ?? null);
  return toInner({
    first: items.every((each) => each === null) ? undefined : items,
    items: find(rest),
  });
}

function findInText({ kind, values }: TextBranch): Kinds | undefined {
  return values === undefined && (kind === 'date' || kind === 'bigint') ? kind : undefined;
}

function findInObject(
  { rest, fields, isRecord }: ObjectBranch,
  find: KindFinder['find'],
): Kinds | undefined {
  const others = find(rest);
  const own = [...(isRecord ? [] : fields)].flatMap(([name, field]) => {
    const kinds = find(field) ?? (others === undefined ? undefined : null);
    return kinds === undefined ? [] : [[name, kinds] as const];
  });
  return toInner({ fields: own.length === 0 ? undefined : Object.fromEntries(own), others });
}

/** Beside a plain text nobody can tell a date from one, so that both stay texts. */
function findInUnion(
  branches: readonly Branch[],
  find: (branch: Branch) => Kinds | undefined,
): Kinds | undefined {
  const isText = (branch: Branch): branch is TextBranch =>
    branch.type === 'string' && !branch.formats.includes('binary') && branch.values === undefined;
  const hasText = branches.some(
    (each) => each.type === 'any' || (isText(each) && each.kind === undefined),
  );
  const revived = branches.filter((branch) => !(hasText && isText(branch)));
  // The branches of one component are found together.
  const different = revived.filter(
    ({ name }, at) =>
      name === undefined || revived.findIndex((other) => other.name === name) === at,
  );
  const objects = different.filter((branch) => branch.type === 'object');
  const others = different.filter(({ type }) => type !== 'object').map(find);
  const [first] = objects;
  if (objects.length < 2) return toAll([...others, first && find(first)]);
  const isOne = ({ name }: Branch): boolean =>
    name === undefined || revived.filter((each) => each.name === name).length === 1;
  const choices = objects.map(
    (branch) => [isOne(branch) ? toSigns(branch) : {}, find(branch) ?? null] as const,
  );
  return toAll([
    ...others,
    choices.every((choice) => choice[1] === null) ? undefined : { choices },
  ]);
}

/** Without what is undefined, and undefined where nothing is left. */
function toInner(kinds: InnerKinds): Kinds | undefined {
  const present = Object.entries(kinds).filter((entry) => entry[1] !== undefined);
  return present.length === 0 ? undefined : (Object.fromEntries(present) as Kinds);
}

function toAll(found: readonly (Kinds | undefined)[]): Kinds | undefined {
  const all = found.filter((kinds) => kinds !== undefined);
  return all.length < 2 ? all[0] : { all };
}

/** The fields that an object must have; where it takes certain values alone, with those. */
function toSigns({
  fields,
  required,
}: ObjectBranch): Readonly<Record<string, readonly unknown[] | null>> {
  const needed = [...fields].filter(([name]) => required.has(name));
  return Object.fromEntries(needed.map(([name, field]) => [name, findValues(field) ?? null]));
}

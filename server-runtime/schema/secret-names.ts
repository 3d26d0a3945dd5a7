import { isDeclaredSecret, looksSecret } from './received.ts';

/** The text in place of a secret in a log. */
export const LOG_MASK = '***';

/** Decides by the name of a field, header or parameter whether its value is a secret. */
export type IsSecret = (name: string) => boolean;

/** By the name itself, or because it is among others, whatever their case: those that something declares. */
export function createSecretCheck(names: Iterable<string>): IsSecret {
  const declared = new Set(Array.from(names, (name) => name.toLowerCase()));
  return (name) => looksSecret(name) || declared.has(name.toLowerCase());
}

/**
 * The names of the fields, at any depth, whose schemas mark them as secrets. References point into `root`. A name that
 * means a secret in one place means one everywhere.
 */
export function findSecretNames(json: unknown, root: unknown = json): ReadonlySet<string> {
  const names = new Set<string>();
  const seen = new Set<unknown>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    const { properties, $ref: reference } = value as Readonly<Record<string, unknown>>;
    for (const [name, field] of Object.entries(Object(properties) as object))
      if (holdsSecret(field, root, new Set())) names.add(name);
    if (typeof reference === 'string') visit(findTarget(root, reference));
    for (const inner of Object.values(value)) visit(inner);
  };
  visit(json);
  return names;
}

/** Keywords whose schemas describe the value itself, or the items of a list or the values of a record. */
const ofValue = 'anyOf oneOf allOf items prefixItems additionalProperties'.split(' ');

/** Whether a schema, or a part of it without a name of its own, marks its value as a secret. */
function holdsSecret(json: unknown, root: unknown, above: Set<unknown>): boolean {
  if (typeof json !== 'object' || json === null || above.has(json)) return false;
  above.add(json);
  if (isDeclaredSecret(json)) return true;
  const keywords = json as Readonly<Record<string, unknown>>;
  const reference = keywords['$ref'];
  if (typeof reference === 'string' && holdsSecret(findTarget(root, reference), root, above))
    return true;
  return ofValue
    .flatMap((keyword) => keywords[keyword] ?? [])
    .some((part) => holdsSecret(part, root, above));
}

function findTarget(root: unknown, reference: string): unknown {
  const steps = reference.replace(/^#\/?/, '').split('/').filter(Boolean);
  return steps.reduce<unknown>(
    (target, step) =>
      Reflect.get(Object(target) as object, step.replaceAll('~1', '/').replaceAll('~0', '~')),
    root,
  );
}

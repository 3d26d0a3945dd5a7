import type { ErrorName, OperationFacts } from '../document/facts.ts';

/** An error that a capability says it may answer with. */
interface DeclaredError extends ErrorName {
  /** Names of the guards and enhancers that declare it; empty where only the capability itself does. */
  readonly from: readonly string[];
}

/** Finds the errors that guards, enhancers and the capability declare, each once, in that order. */
export function findDeclaredErrors({
  guards,
  inputGuards,
  enhancers,
  errors,
}: OperationFacts): readonly DeclaredError[] {
  const found = new Map<string, DeclaredError>();
  for (const { name, errors: declared } of [
    ...guards,
    ...inputGuards,
    ...enhancers,
    { name: undefined, errors },
  ])
    for (const error of declared) {
      const from = new Set(found.get(toErrorText(error))?.from);
      if (name !== undefined) from.add(name);
      found.set(toErrorText(error), { ...error, from: [...from] });
    }
  return [...found.values()];
}

/** `404 NotFound` */
export function toErrorText({ status, name }: ErrorName): string {
  return `${status} ${name}`;
}

import type { ErrorName, OperationFacts } from '../document/facts.ts';

/** An error that a capability says it may answer with. */
export interface DeclaredError extends ErrorName {
  /** Names of the guards and enhancers that declare it; empty where only the capability itself does. */
  readonly from: readonly string[];
}

/** Finds the errors that guards, enhancers and the capability declare, each once, in that order. */
export function findDeclaredErrors({
  guards,
  inputGuards,
  enhancers,
  errors,
}: Pick<OperationFacts, 'guards' | 'inputGuards' | 'enhancers' | 'errors'>): readonly DeclaredError[] {
  const found = new Map<string, DeclaredError>();
  const add = ({ status, name }: ErrorName, from: readonly string[]): void => {
    const key = toErrorText({ status, name });
    found.set(key, { status, name, from: [...new Set([...(found.get(key)?.from ?? []), ...from])] });
  };
  for (const step of [...guards, ...inputGuards, ...enhancers]) {
    for (const error of step.errors) add(error, [step.name]);
  }
  for (const error of errors) add(error, []);
  return [...found.values()];
}

/** `404 NotFound` */
export function toErrorText({ status, name }: ErrorName): string {
  return `${status} ${name}`;
}

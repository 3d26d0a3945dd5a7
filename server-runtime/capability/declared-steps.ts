import { type ErrorFactory, isErrorFactory } from '../errors/define-error.ts';
import { isSchema, type Schema } from '../schema/schema.ts';
import { type AnyEnhancer, isEnhancer } from './enhancer.ts';
import { type Guard, type InputGuard, isGuard, isInputGuard } from './guard.ts';

/** What is declared around a handler, on a capability or on a factory for each of its capabilities. */
export interface DeclaredSteps {
  readonly guards: readonly Guard[];
  readonly inputGuards: readonly InputGuard[];
  /** The first is the outermost. */
  readonly enhancers: readonly AnyEnhancer[];
  /** What the handler may throw. */
  readonly errors: readonly ErrorFactory[];
  /** What the answer is checked against outside production, and documented as. */
  readonly output: Schema | undefined;
}

export const noSteps: DeclaredSteps = { guards: [], inputGuards: [], enhancers: [], errors: [], output: undefined };

/** The methods that add a step, each giving `withSteps` what it adds. @throws TypeError for what is not of its kind */
export function toStepMethods<Made>(
  steps: DeclaredSteps,
  withSteps: (change: Partial<DeclaredSteps>) => Made,
): Readonly<Record<'guard' | 'inputGuard' | 'enhance' | 'errors' | 'output', (...values: unknown[]) => Made>> {
  return {
    guard: (guard) =>
      withSteps({ guards: [...steps.guards, expectKind(guard, isGuard, '.guard: expected defineGuard(…)')] }),
    inputGuard: (guard) =>
      withSteps({
        inputGuards: [
          ...steps.inputGuards,
          expectKind(guard, isInputGuard, '.inputGuard: expected defineInputGuard(…)'),
        ],
      }),
    enhance: (enhancer) =>
      withSteps({
        enhancers: [
          ...steps.enhancers,
          expectKind(enhancer, isEnhancer, '.enhance: expected an enhancer such as withTimeout(…)'),
        ],
      }),
    errors: (...errors) =>
      withSteps({
        errors: [
          ...steps.errors,
          ...errors.map((error) =>
            expectKind(error, isErrorFactory, '.errors: expected errors made with defineError(…)'),
          ),
        ],
      }),
    output: (schema) => withSteps({ output: expectKind(schema, isSchema, '.output: expected a zod schema') }),
  };
}

function expectKind<T>(value: unknown, isKind: (value: unknown) => value is T, expectation: string): T {
  if (isKind(value)) return value;
  throw new TypeError(`${expectation}, got ${describeValue(value)}.`);
}

/** `null`, `'read'`, `object`: a value in an error about what it is not. */
export function describeValue(value: unknown): string {
  return value === null ? 'null' : typeof value === 'string' ? `'${value}'` : typeof value;
}

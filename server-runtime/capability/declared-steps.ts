import { type ErrorFactory, isErrorFactory } from '../errors/define-error.ts';
import { isSchema, isZod3Schema, type Schema } from '../schema/schema.ts';
import { type AnswerLike, type AnswerOptions, answer, type Content, isContent } from './answers/content.ts';
import { type AnyEnhancer, isEnhancer } from './enhancer.ts';
import { type Guard, type InputGuard, isGuard, isInputGuard } from './guard.ts';

/** The steps that are declared around a handler, on a capability or on a factory for each of its capabilities. */
export interface DeclaredSteps {
  /** The guards in the order in which they run. */
  readonly guards: readonly Guard[];
  /** The guards that run after validation, in the order in which they run. */
  readonly inputGuards: readonly InputGuard[];
  /** The first is the outermost. */
  readonly enhancers: readonly AnyEnhancer[];
  /** The errors that the handler may throw. */
  readonly errors: readonly ErrorFactory[];
  /** The answers, the lowest status first, which is that of a plain value; empty where none is declared. */
  readonly answers: readonly Content[];
  /** The schema of the answer's data, where one answer is declared and it has data. */
  readonly output: Schema | undefined;
}

export const noSteps: DeclaredSteps = {
  guards: [],
  inputGuards: [],
  enhancers: [],
  errors: [],
  answers: [],
  output: undefined,
};

type StepMethod = 'guard' | 'inputGuard' | 'enhance' | 'use' | 'errors' | 'output';

/** The methods that add a step, each giving `withSteps` what it adds. @throws TypeError for what is not of its kind */
export function toStepMethods<Made>(
  steps: DeclaredSteps,
  withSteps: (change: Partial<DeclaredSteps>) => Made,
): Readonly<Record<StepMethod, (...values: unknown[]) => Made>> {
  const enhance = (enhancer: unknown, expectation: string): Made =>
    withSteps({ enhancers: [...steps.enhancers, expectKind(enhancer, isEnhancer, expectation)] });
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
    enhance: (enhancer) => enhance(enhancer, '.enhance: expected an enhancer such as withTimeout(…)'),
    use: (enhancer) => enhance(enhancer, '.use: expected defineMiddleware(…), or an enhancer such as withTimeout(…)'),
    errors: (...errors) =>
      withSteps({
        errors: [
          ...steps.errors,
          ...errors.map((error) =>
            expectKind(error, isErrorFactory, '.errors: expected errors made with defineError(…)'),
          ),
        ],
      }),
    output: (what, options) => {
      const declared = expectKind(what, isAnswerLike, '.output: expected a schema or a content such as noContent');
      return withSteps(withAnswer(steps.answers, answer(declared, options as AnswerOptions | undefined)));
    },
  };
}

/** One of another status is added, one of the same status takes the place of the former. */
function withAnswer(answers: readonly Content[], one: Content): Pick<DeclaredSteps, 'answers' | 'output'> {
  const others = answers.filter(({ status }) => status !== one.status);
  return {
    answers: [...others, one].toSorted((a, b) => a.status - b.status),
    output: others.length === 0 && one.kind === 'data' ? one.schema : undefined,
  };
}

function isAnswerLike(value: unknown): value is AnswerLike {
  return isSchema(value) || isContent(value);
}

function expectKind<T>(value: unknown, isKind: (value: unknown) => value is T, expectation: string): T {
  if (isKind(value)) return value;
  throw new TypeError(`${expectation}, got ${describeValue(value)}.`);
}

/** `null`, `'read'`, `object`: a value in an error about what it is not. */
export function describeValue(value: unknown): string {
  if (isZod3Schema(value)) return 'a schema of zod 3, which cannot be used: npm install zod@^4.2.0';
  return value === null ? 'null' : typeof value === 'string' ? `'${value}'` : typeof value;
}

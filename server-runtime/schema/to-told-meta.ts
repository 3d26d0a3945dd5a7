import type { ErrorMeta } from '../errors/define-error.ts';
import type { FieldProblem } from './validator.ts';

/** The `meta` of a failure as it is told in words. */
export interface ToldMeta {
  /** Empty where it is not of a validation. */
  readonly fields: readonly FieldProblem[];
  /** The number of further wrong fields. */
  readonly omitted: number;
  /** Everything else. */
  readonly facts: ErrorMeta;
}

/** Tells the wrong fields of a validation from what an application says in its own errors. */
export function toToldMeta(meta: ErrorMeta = {}): ToldMeta {
  const { issues: _texts, fields, omitted = 0, ...facts } = meta;
  return Array.isArray(fields)
    ? { fields: fields as readonly FieldProblem[], omitted: Number(omitted), facts }
    : { fields: [], omitted: 0, facts: meta };
}

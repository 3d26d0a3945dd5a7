import { expect, it } from 'vitest';
import { toFormParts } from '../../../../source/kit/form/to-form-parts.ts';
import { toSymbols } from '../../../../source/kit/theme/tokens.ts';

const field = { name: 'street', type: 'string', isRequired: true, kind: { kind: 'text' } };
const toSide = (node: object, problem: string | undefined) =>
  toFormParts({ node, field, role: 'typed' } as never, {
    problem,
    columns: 60,
    minWidth: 10,
    isFocused: true,
    isTried: true,
    symbols: toSymbols({}),
  }).side.text;

it('calls no field required that has letters: the schema was asked before they were typed', () => {
  expect(toSide({ kind: 'unset' }, 'required')).toBe('✗ required');
  expect(toSide({ kind: 'text', text: 'E' }, 'required')).toBe('string');
  expect(toSide({ kind: 'text', text: 'E' }, 'Too small')).toBe('✗ Too small');
});

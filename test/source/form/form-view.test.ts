import { expect, it } from 'vitest';
import { toFormParts } from '../../../source/form/form-view.tsx';

const field = { name: 'street', type: 'string', isRequired: true, kind: { kind: 'text' } };
const toSide = (said: object, problem: string | undefined) =>
  toFormParts({ ...said, field, role: 'typed' } as never, {
    problem,
    columns: 60,
    minWidth: 10,
    isFocused: true,
    isTried: true,
  }).side.text;

it('calls no field required that has letters: the schema was asked before they were typed', () => {
  expect(toSide({}, 'required')).toBe('✗ required');
  expect(toSide({ value: 'E', text: 'E' }, 'required')).toBe('string');
  expect(toSide({ value: 'E', text: 'E' }, 'Too small')).toBe('✗ Too small');
});

import type { JsonSchema } from '../../schema/to-json-schema.ts';
import type { Block, Line } from './block.ts';
import { toFields, toLimitWords, toTypeWords } from '../schema-words.ts';

/** The fields of what is sent; nothing where it has none. */
export function toFieldTable(schema: JsonSchema): Block {
  const rows = toFields(schema).map(({ name, schema: field, isRequired }): readonly Line[] => [
    [{ code: name }],
    [{ code: toTypeWords(field) }],
    [isRequired ? 'always' : 'sometimes'],
    toRemarks(field),
  ]);
  return { kind: 'table', head: ['Field', 'Type', 'Present', 'Description'], rows };
}

/** The description, limits, default and an example. */
export function toRemarks(schema: JsonSchema): Line {
  const { description, default: fallback, examples } = schema;
  const [example] = Array.isArray(examples) ? (examples as readonly unknown[]) : [];
  const limits = toLimitWords(schema).flatMap((limit, index): Line => {
    const isPattern = limit.startsWith('matches ');
    const words = index === 0 ? `${limit.charAt(0).toUpperCase()}${limit.slice(1)}` : limit;
    return [index === 0 ? '' : ', ', ...(isPattern ? [words.slice(0, 8), { code: limit.slice(8) }] : [words])];
  });
  const told = typeof description === 'string' ? description.trim() : '';
  const remarks: readonly Line[] = [
    told === '' ? [] : [told],
    limits.length === 0 ? [] : [...limits, '.'],
    fallback === undefined ? [] : ['Default ', { code: JSON.stringify(fallback) }, '.'],
    example === undefined ? [] : ['Example ', { code: JSON.stringify(example) }, '.'],
  ];
  const [first = [], ...others] = remarks.filter((remark) => remark.length > 0);
  const stop = told !== '' && others.length > 0 && !/[.!?:;]$/.test(told) ? ['.'] : [];
  return [...first, ...stop, ...others.flatMap((remark) => [' ', ...remark])];
}

/** The lines as one, with a word between them. */
export function join(lines: readonly Line[], word = ', '): Line {
  return lines.flatMap((line, index) => (index === 0 ? line : [word, ...line]));
}

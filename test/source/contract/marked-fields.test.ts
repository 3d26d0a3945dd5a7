import { expect, it } from 'vitest';
import { compare } from '../../../source/contract/compare.ts';

type Json = Readonly<Record<string, unknown>>;

/** A document whose one operation takes and gives the same component, as generators share it. */
function toDocument(properties: Json, required: readonly string[]): object {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } };
  return {
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1' },
    paths: {
      '/pets': {
        post: {
          operationId: 'createPet',
          requestBody: { required: true, content },
          responses: { 200: { description: 'Done', content } },
        },
      },
    },
    components: { schemas: { Pet: { type: 'object', properties, required } } },
  };
}

const name = { type: 'string' };
const marked = (keyword: string): Json => ({ type: 'string', [keyword]: true });

type Side = readonly [properties: Json, required: readonly string[]];
type Row = readonly [name: string, before: Side, after: Side, ...changes: readonly string[]];

// biome-ignore format: an edit a line.
const rows: readonly Row[] = [
  ['a required read-only field is new', [{ name }, []], [{ name, id: marked('readOnly') }, ['id']], 'safe output-field-added'],
  ['a read-only field becomes required', [{ name, id: marked('readOnly') }, []], [{ name, id: marked('readOnly') }, ['id']], 'safe output-field-required'],
  ['a required field is read-only no more', [{ name, id: marked('readOnly') }, ['id']], [{ name, id: name }, ['id']], 'breaking input-field-required'],
  ['a read-only field has another type', [{ name, id: marked('readOnly') }, []], [{ name, id: { type: 'integer', readOnly: true } }, []], 'breaking output-type-wider'],
  ['a write-only field is gone', [{ name, secret: marked('writeOnly') }, []], [{ name }, []], 'risky input-field-removed'],
  ['a field becomes write-only', [{ name, secret: name }, []], [{ name, secret: marked('writeOnly') }, []], 'breaking output-field-removed'],
  ['a field becomes read-only', [{ name, id: name }, []], [{ name, id: marked('readOnly') }, []], 'risky input-field-removed'],
];

const edits = rows.map(([title, before, after, ...changes]) => ({ title, before, after, changes }));

it.each(edits)('$title', ({ before, after, changes }) => {
  const { added, removed, changed } = compare(
    toDocument(before[0], before[1]),
    toDocument(after[0], after[1]),
  );
  const found = [...added, ...removed, ...changed].flatMap((each) => each.changes);
  expect(found.map(({ class: type, rule }) => `${type} ${rule}`)).toEqual(changes);
});

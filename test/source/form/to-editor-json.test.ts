import { expect, it } from 'vitest';
import * as z from 'zod';
import { toApiSchema } from '../../../source/document/branch.ts';
import { toRootField } from '../../../source/document/root-field.ts';
import { toFormRows } from '../../../source/form/form-rows.ts';
import { toFilledForm } from '../../../source/form/form-state.ts';
import { toEditorJson } from '../../../source/form/to-editor-json.ts';

const to = z.object({ street: z.string(), zip: z.string().optional() });
const by = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('card'), number: z.string() }),
  z.object({ kind: z.literal('cash') }),
]);

it('names the fields of an object that is not there, and of each variant, above the JSON', () => {
  const schema = z.object({ to: to.optional(), by });
  const field = toRootField(toApiSchema(z.toJSONSchema(schema, { io: 'input' })));
  const toText = (value: unknown): string => {
    const rows = toFormRows(field, toFilledForm(field, value));
    return toEditorJson(value, { rows, problems: new Map(), path: [] }).text;
  };
  const variants = `//   by as card: kind: 'card', number: string\n//   by as cash: kind: 'cash'\n`;
  expect(toText({})).toContain(`// to: object\n//   to with: street: string, zip?: string\n`);
  expect(toText({})).toContain(variants);
  expect(toText({ to: { street: 'a' } })).toContain(
    `// to: object\n// to.street: string, required\n// to.zip: string\n`,
  );
});

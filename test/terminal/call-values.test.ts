import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import { openProject } from '../helpers/fixture-project.ts';
import { type OpenTerminal, openTerminal } from '../helpers/open-terminal.ts';

let terminal: OpenTerminal | undefined;
afterEach(() => terminal?.close());

/** A field of a form, with a value: how it is typed, how it is shown, and what is sent. */
interface TypedField {
  readonly schema: string;
  /** From its first row that takes something to its last one. */
  readonly keys: string;
  /** Each row as it is shown: the label, unless it is that of the field, and the value. */
  readonly shown: readonly (readonly [label: string, value: string])[];
  readonly sent: unknown;
}

const down = '\u001B[B';
/** Inserts an item below the one that is filled in. */
const below = '\u0018i';
const say = '\u000E';

const text = fc
  .array(fc.constantFrom(...'abZ9é日"\\{}<>+-:/?q,[]'), { minLength: 1, maxLength: 8 })
  .map((letters) => letters.join(''));
const number = fc
  .oneof(fc.maxSafeInteger(), fc.constantFrom(0, -0.5, 12.25, 1e3))
  .map((value) => value + 0);
const json = fc.jsonValue({ maxDepth: 1 }).filter((value) => JSON.stringify(value).length < 16);

/** Every kind of field, each with a random value. */
const kinds: Readonly<Record<string, fc.Arbitrary<TypedField>>> = {
  text: text.map((value) => ({
    schema: 'z.string()',
    keys: value,
    shown: [['', value]],
    sent: value,
  })),
  empty: fc.constant({
    schema: 'z.string().optional()',
    keys: `${say}`,
    shown: [['', '""']],
    sent: '',
  }),
  null: text.map(() => ({
    schema: 'z.string().nullable()',
    keys: say,
    shown: [['', 'null']],
    sent: null,
  })),
  number: number.map((value) => ({
    schema: 'z.number()',
    keys: `${value}`,
    shown: [['', `${value}`]],
    sent: value,
  })),
  toggle: fc.boolean().map((value) => ({
    schema: 'z.boolean()',
    keys: value ? ' ' : '  ',
    shown: [['', `< ${value} >`]],
    sent: value,
  })),
  picker: fc.nat({ max: 2 }).map((index) => ({
    schema: "z.enum(['red', 'green', 'blue'])",
    keys: ' '.repeat(index + 1),
    shown: [['', `< "${['red', 'green', 'blue'][index]}" >`]],
    sent: ['red', 'green', 'blue'][index],
  })),
  file: fc.constant({
    schema: 'z.file()',
    keys: 'note.txt',
    shown: [['', 'note.txt']],
    sent: 'note.txt',
  }),
  group: text.map((value) => ({
    schema: 'z.object({ inner: z.string() })',
    keys: value,
    shown: [['inner', value]],
    sent: { inner: value },
  })),
  list: fc.array(text, { minLength: 1, maxLength: 3 }).map((values) => ({
    schema: 'z.array(z.string())',
    keys: `+${values.join(below)}`,
    shown: values.map((value, index) => [`${index + 1}`, value] as const),
    sent: values,
  })),
  tuple: fc.tuple(text, number).map(([first, second]) => ({
    schema: 'z.tuple([z.string(), z.number()])',
    keys: `+${first}${down}${second}`,
    shown: [
      ['1', first],
      ['2', `${second}`],
    ],
    sent: [first, second],
  })),
  record: fc.tuple(text, number).map(([name, value]) => ({
    schema: 'z.record(z.string(), z.number())',
    keys: `+${name}${down}${value}`,
    shown: [
      ['name', name],
      ['', `${value}`],
    ],
    sent: { [name]: value },
  })),
  union: number.map((side) => ({
    schema: `z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('circle'), r: z.number() }),
      z.object({ kind: z.literal('square'), side: z.number() }),
    ])`,
    keys: ['  ', `${side}`].join(down),
    shown: [
      ['', '< square >'],
      ['side', `${side}`],
    ],
    sent: { kind: 'square', side },
  })),
  untagged: number.map((side) => ({
    schema: 'z.union([z.object({ r: z.number() }), z.object({ side: z.number() })])',
    keys: ['  ', `${side}`].join(down),
    shown: [
      ['', '< object with side >'],
      ['side', `${side}`],
    ],
    sent: { side },
  })),
  json: json.map((value) => ({
    schema: 'z.unknown()',
    keys: JSON.stringify(value),
    shown: [['', JSON.stringify(value)]],
    sent: value,
  })),
};

/** Forms with all kinds of field, in random order. */
const forms = fc
  .tuple(
    fc.shuffledSubarray(Object.keys(kinds), { minLength: Object.keys(kinds).length }),
    fc.record(kinds as Readonly<Record<string, fc.Arbitrary<TypedField>>>),
  )
  .map(([order, fields]) =>
    [order.slice(0, 6), order.slice(6)].map((names) => names.map((name) => fields[name]!)),
  );

it('sends what it shows, whatever the fields and the values that are typed into them', async () => {
  await fc.assert(
    fc.asyncProperty(forms, async (given) => {
      const { root } = await openProject({
        'src/capabilities.ts': toCapabilities(given),
        'note.txt': 'noted',
      });
      const open = openTerminal(['call', 'forms.form0'], { cwd: root, columns: 130, rows: 50 });
      terminal = open;
      for (const [index, fields] of given.entries()) {
        if (index > 0) open.type(`\u0010call forms.form${index}\r`);
        await open.waitFor(new RegExp(`call ▸ forms\\.form${index} [^]*No call yet`));
        open.type(fields.map(({ keys }) => keys).join(down));
        await open.waitFor((screen) =>
          fields.every((field, at) => isShown(screen, `field${at}`, field)),
        );
        open.type('\r');
        await open.waitFor(/── 200 /);
      }
      const lines = (await readFile(join(root, 'sent.log'), 'utf8')).trim().split('\n');
      const toSent = (fields: readonly TypedField[]) =>
        Object.fromEntries(fields.map(({ sent }, at) => [`field${at}`, sent]));
      expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(given.map(toSent));
    }),
    { numRuns: 1, endOnFailure: true },
  );
});

/** Capabilities that write down what they are given, a file by its name. */
function toCapabilities(given: readonly (readonly TypedField[])[]): string {
  const members = given.map((fields, index) => {
    const schemas = fields.map(({ schema }, at) => `field${at}: ${schema}`);
    return `form${index}: capability(z.object({ ${schemas.join(', ')} }), write),`;
  });
  return `import { appendFileSync } from 'node:fs';
import { capability } from 'capix';
import * as z from 'zod';

const toName = (_, value) => (value instanceof File ? value.name : value);
const write = (said) => appendFileSync('sent.log', JSON.stringify(said, toName) + '\\n');
export const forms = { ${members.join('\n')} };
`;
}

/** Whether each row of a field says its value, next to its label. */
function isShown(screen: string, name: string, { shown }: TypedField): boolean {
  return shown.every(([label, value]) => {
    const before = label === '' ? '' : `${label}\\*? +`;
    const own = label === '' ? `${name}\\*?[^]* ` : `${name}\\*?[^]* ${before}`;
    return new RegExp(`${own}${value.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')}(?= |$)`, 'm').test(
      screen,
    );
  });
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { packageRoot } from './run-capix.ts';

/** What docs/json.md says of one document: its fields, and which of them may be missing. */
interface Documented {
  /** `list`, `ready`, `notice RequestsCut` */
  readonly name: string;
  readonly fields: readonly string[];
  readonly required: readonly string[];
}

const page = await readFile(join(packageRoot, 'docs', 'json.md'), 'utf8');

/** The rows of the first table below a heading of the page. Rows of one name, such as those of `show`, are one. */
export function readTable(heading: string): readonly Documented[] {
  const [, rest = ''] = page.split(`${heading}\n`);
  const [table = ''] = rest.split(/\n#/);
  const byName = new Map<string, Documented>();
  for (const row of readRows(table)) {
    const { fields = [], required = [] } = byName.get(row.name) ?? {};
    byName.set(row.name, {
      name: row.name,
      fields: [...fields, ...row.fields],
      required: [...required, ...row.required],
    });
  }
  return [...byName.values()];
}

function readRows(table: string): readonly Documented[] {
  const rows = table.split('\n').filter((line) => line.startsWith('| `'));
  return rows.map((row) => {
    const cells = row.split('|');
    const name = [...(cells[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, word]) => word).join(' ');
    const fields = [...toFieldText(cells.at(-2) ?? '').matchAll(/`([\w-]+)`(\?)?/g)];
    return {
      name,
      fields: fields.map(([, field = '']) => field),
      required: fields.flatMap(([, field = '', mark]) => (mark === undefined ? [field] : [])),
    };
  });
}

/** Without what is in brackets, and without the sentences after the fields. */
function toFieldText(cell: string): string {
  return cell.replaceAll(/\([^)]*\)/g, '').split('. ')[0] ?? '';
}

/** Holds a document to the fields that its row names, and to no others. */
export function expectFields(heading: string, name: string, document: object): void {
  const row = readTable(heading).find((each) => each.name === name);
  expect(row, `docs/json.md has no row of ${name}`).toBeDefined();
  const names = Object.keys(document);
  expect(row?.fields, name).toEqual(expect.arrayContaining(names));
  expect(names, name).toEqual(expect.arrayContaining([...(row?.required ?? [])]));
}

/** Holds a line of `capix dev --json` or `capix start --json` to its row. */
export function expectEvent(command: 'dev' | 'start', document: object): void {
  const { event, time, ...fields } = document as Readonly<Record<string, unknown>>;
  expect(time).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  const name = event === 'notice' ? `notice ${String(fields['code'])}` : String(event);
  expectFields(`### \`capix ${command}\``, name, fields);
}

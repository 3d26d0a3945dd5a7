// Boundary: documents and texts of others. Promises: whatever a document says, it is read as data and compared in bounded
// time; nothing of a text acts on a terminal, and none of its lines stands where a line of ours begins.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toLinePart } from '../../server-runtime/server/logger.ts';
import { toAnnotations } from '../../source/cli/annotations.ts';
import { createCliError } from '../../source/cli/cli-error.ts';
import { toJsonOutput } from '../../source/cli/json-output.ts';
import { compare } from '../../source/contract/compare.ts';
import { toDiffText } from '../../source/diff/diff-text.ts';
import { readOperations } from '../../source/document/operations/read-operations.ts';
import { toOneLine } from '../../source/kit/line.ts';
import { readAnyText } from '../../source/sides/references/read-any-text.ts';
import { stripControl } from '../../source/terminal/strip-control.ts';
import { countInputs } from '../helpers/count-inputs.ts';

/** Characters and marks that act on a terminal, a build or the direction of text, among others. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\u001B[31m',
        '\u001B]0;t\u0007',
        '\u009B2J',
        '\u009D',
        '\u202E',
        '\u2066',
        '\r',
        '\n',
        '\t',
        '\n::error::forged',
        '\n[capix] GET /admin 200',
        '\u2028',
      ),
      fc.string({ maxLength: 5 }),
      fc.string({ unit: 'binary', maxLength: 3 }),
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(''));
const acting = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/;
const forged = /^\s*(?:::error::forged|\[capix\] GET \/admin)/m;

describe('a text of others', () => {
  it('acts on no terminal, in whatever a command prints of it', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const json = toJsonOutput({ [text]: [text] });
        expect(JSON.parse(json)).toEqual({ ok: true, data: { [text]: [text] } });
        const { message } = createCliError('Unexpected', { problem: `x${text}` });
        const finding = { rule: 'r', level: 'error', name: text, message: text } as const;
        const printed = [
          json,
          message,
          stripControl(text),
          toOneLine(text),
          toLinePart(text),
          toAnnotations([{ ...finding, file: text, line: 1 }], '/shop'),
        ];
        for (const each of printed) expect(each).not.toMatch(acting);
        for (const each of [`x${toOneLine(text)}`, `x${toLinePart(text)}`, message])
          expect(each).not.toMatch(forged);
        for (const each of [toOneLine(text), toLinePart(text)]) expect(each).not.toMatch(/[\n\r]/);
      }),
      { numRuns: countInputs(500) },
    );
  });
});

/** A document in which each word may be anything. */
const name = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('a', 'b', 'id', '__proto__') },
  hostile,
);
const reference = fc.constantFrom('#/components/schemas/A', '#/components/schemas/B', '#', '#/x');
const schema = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.record({ type: fc.constantFrom('string', 'integer', 'object', 'array', 'x') }),
    fc.record({ $ref: reference }),
    fc.record({ enum: fc.array(fc.oneof(hostile, fc.integer()), { maxLength: 3 }) }),
    fc.record({ type: fc.constant('object'), properties: fc.dictionary(name, tie('any')) }),
    fc.record({ allOf: fc.array(tie('any'), { maxLength: 3 }) }),
    fc.record({ anyOf: fc.array(tie('any'), { maxLength: 3 }) }),
    fc.record({ items: tie('any') }),
    fc.record({ description: hostile, pattern: hostile, default: fc.jsonValue({ maxDepth: 1 }) }),
    fc.jsonValue({ maxDepth: 1 }),
  ),
})).any;
const content = fc.record({ 'application/json': fc.record({ schema }) });
const operation = fc.record(
  {
    operationId: hostile,
    summary: hostile,
    parameters: fc.array(
      fc.record({ name, in: fc.constantFrom('query', 'path', 'header', 'cookie', 'x'), schema }),
      { maxLength: 2 },
    ),
    requestBody: fc.record({ content }),
    responses: fc.dictionary(fc.constantFrom('200', '404', 'default', 'x'), fc.record({ content })),
    security: fc.jsonValue({ maxDepth: 2 }),
  },
  { requiredKeys: ['responses'] },
);
const documents = fc.record({
  openapi: fc.constant('3.1.0'),
  info: fc.record({ title: hostile, version: hostile }),
  paths: fc.dictionary(
    fc.oneof(
      fc.constantFrom('/a', '/a/{id}', '/b'),
      hostile.map((text) => `/${text}`),
    ),
    fc.dictionary(fc.constantFrom('get', 'post', 'x', 'parameters'), operation, { maxKeys: 2 }),
    { maxKeys: 2 },
  ),
  components: fc.record({ schemas: fc.record({ A: schema, B: schema }) }),
});

describe('a document of others', () => {
  it('is compared whatever it says, and writes no line of the text', () => {
    fc.assert(
      fc.property(documents, documents, (before, after) => {
        readOperations(before);
        const diff = compare(before, after);
        const text = toDiffText({ diff, ignored: [] } as never);
        expect(text).not.toMatch(acting);
        expect(text).not.toMatch(forged);
        expect(toDiffText({ diff: compare(after, after), ignored: [] } as never)).toContain(
          'No differences',
        );
      }),
      { numRuns: countInputs(200) },
    );
  });

  it('may have paths that differ by a space at their end alone', () => {
    const info = { title: 'a', version: '1' };
    const get = { responses: {} };
    const made = { openapi: '3.1.0', info, paths: { '/\t': { get }, '/': { get }, '/ ': { get } } };
    const text = toDiffText({ diff: compare(made, made), ignored: [] } as never);
    expect(text).toContain('No differences');
  });

  it('may have an error that consists of itself', () => {
    const schema = { $ref: '#/components/schemas/B' };
    const error = { content: { 'application/json': { schema } } };
    const made = {
      openapi: '3.1.0',
      info: { title: 'a', version: '1' },
      paths: { '/a': { get: { responses: { 404: error } } } },
      components: { schemas: { B: { allOf: [{ $ref: '#/components/schemas/B' }] } } },
    };
    expect(readOperations(made)[0]?.errors.map(({ status }) => status)).toEqual(['404']);
    const same = compare(made, made);
    expect(toDiffText({ diff: same, ignored: [] } as never)).toContain('No differences');
  });

  it('is read, or refused with its place, whatever its bytes are', async () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"a"',
      ':',
      ',',
      '- ',
      'a: ',
      '&x ',
      '*x',
      '\n',
      '  ',
      '1',
      '|\n',
    );
    const text = fc.array(fc.oneof(piece, hostile), { maxLength: 14 }).map((all) => all.join(''));
    await fc.assert(
      fc.asyncProperty(text, async (words) => {
        const { kind } = await readAnyText(new TextEncoder().encode(words));
        expect(typeof kind).toBe('string');
      }),
      { numRuns: countInputs(200) },
    );
  });
});

it.each(['::error::forged', ' ::error::forged', '##[error]forged', '[capix] GET /admin 200'])(
  'an operation called %j begins no line of a comparison with its name',
  (operationId) => {
    const paths = { '/a': { get: { operationId, responses: {} } } };
    const info = { title: 'a', version: '1' };
    const diff = compare({ openapi: '3.1.0', info, paths }, { openapi: '3.1.0', info, paths: {} });
    const text = toDiffText({ diff, ignored: [] } as never);
    expect(text).toContain(`  ${JSON.stringify(operationId.trim())}  GET /a`);
  },
);

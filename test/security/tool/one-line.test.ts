// Boundary: documents of others. Promise: a name or a value is part of a line of text, and never a line of its own.
import { expect, test } from 'vitest';
import { openProject } from '../../helpers/fixture-project.ts';

const forged = ['::error::forged', 'No differences', '[capix] GET /admin 200'];
const name = ['a', ...forged].join('\n');

/** A document whose every text has further lines. */
function toDocument(type: string, status: string, path = name): string {
  const schema = { type: 'object', required: [name], properties: { [name]: { type } } };
  const operation = {
    operationId: `find.${path}`,
    description: name,
    tags: [name],
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: { [status]: { description: name, content: { 'application/json': { schema } } } },
  };
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: name, version: '1' },
    paths: { [`/${path}`]: { post: operation } },
  });
}

test.each([
  ['what changed', [toDocument('string', '200'), toDocument('integer', '201')]],
  ['what was removed', [toDocument('string', '200'), toDocument('string', '200', 'other')]],
])(
  'a comparison tells %s without a line that a document wrote',
  async (_what, [before = '', after = '']) => {
    const { ask } = await openProject({ 'before.json': before, 'after.json': after });
    const { stdout, stderr } = await ask(['diff', 'before.json', 'after.json']);
    expect(stdout).toContain('breaking');
    for (const line of `${stdout}\n${stderr}`.split('\n'))
      for (const text of forged) expect(line.trimStart().startsWith(text)).toBe(false);
  },
);

test.each([['list'], ['show', 'items.listItems'], ['check']])(
  'capix %s %s tells of a project without a line that a name or a value of it wrote',
  async (...words) => {
    const { ask } = await openProject({
      'src/capabilities.ts': `
import { capability, defineError, defineGuard } from 'capix';
import * as z from 'zod';
const name = ${JSON.stringify(name)} + String.fromCharCode(0x9b, 0x202e);
const guard = defineGuard(() => {}, { name, errors: [defineError(401, name, 'Unauthorized')] });
const schema = z.object({ [name]: z.enum(['x', name]).default(name).describe(name) });
export const items = {
  listItems: capability(schema, () => [], 'query').guard(guard).tool({ description: name, title: name })
    .deprecated({ since: '2020-01-01', use: name }),
};
export const restOptions = { overrides: { [name]: { method: 'GET', path: '/a' } } };
`,
    });
    const { stdout, stderr } = await ask([...words]);
    const all = `${stdout}\n${stderr}`;
    expect(all).not.toMatch(/[\u0080-\u009F\u202A-\u202E]/);
    for (const line of all.split('\n'))
      for (const text of forged)
        expect([line, line.trimStart().startsWith(text)]).toEqual([line, false]);
  },
);

test.each([['list'], ['call', 'items.listItems'], ['check'], ['openapi']])(
  'the error of code that throws writes no line of capix %s',
  async (...words) => {
    const { ask } = await openProject({
      'src/capabilities.ts': `throw new Error(${JSON.stringify(name)});`,
      'src/server.ts': `import './capabilities.ts';`,
    });
    const { stdout, stderr } = await ask([...words]);
    for (const line of `${stdout}\n${stderr}`.split('\n'))
      for (const text of forged)
        expect([line, line.trimStart().startsWith(text)]).toEqual([line, false]);
  },
);

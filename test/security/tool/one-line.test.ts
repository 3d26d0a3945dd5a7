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
    const { capix } = await openProject({ 'before.json': before, 'after.json': after });
    const { stdout, stderr } = await capix(['diff', 'before.json', 'after.json']);
    expect(stdout).toContain('breaking');
    for (const line of `${stdout}\n${stderr}`.split('\n'))
      for (const text of forged) expect(line.trimStart().startsWith(text)).toBe(false);
  },
);

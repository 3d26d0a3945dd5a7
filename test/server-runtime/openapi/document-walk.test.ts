import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { afterAll, beforeAll, expect, it } from 'vitest';

import type { OperationObject } from '../../../server-runtime/openapi/openapi-document.ts';
import { document, kinds, startWalk } from '../../helpers/walk/walk-app.ts';
import { requests, toKindId } from '../../helpers/walk/walk-requests.ts';

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema({ $id: 'doc', ...document });

interface Place {
  readonly path: string;
  readonly method: string;
  readonly operation: OperationObject;
  readonly pointer: string;
}
const escape = (part: string): string =>
  encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
const places = new Map<string, Place>(
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => [
      operation.operationId,
      {
        path,
        method: method.toUpperCase(),
        operation,
        pointer: `doc#/paths/${escape(path)}/${method}`,
      },
    ]),
  ),
);

let url = '';
let stop = async (): Promise<void> => {};
beforeAll(async () => {
  ({ url, stop } = await startWalk());
});
afterAll(() => stop());

/** Sends a request, and gives its status with every way in which the answer is not what the document says of it. */
async function violationsOf(
  id: string,
  init: RequestInit = {},
  query = '',
): Promise<readonly unknown[]> {
  const place = places.get(id);
  if (place === undefined) return [`no operation ${id}`];
  const { path, method, operation } = place;
  const response = await fetch(`${url}${path.replaceAll(/\{\w+\}/g, '7')}${query}`, {
    method,
    redirect: 'manual',
    ...init,
  });
  const { status, headers } = response;
  const body = Buffer.from(await response.arrayBuffer());
  const said = operation.responses[status];
  if (said === undefined) return [status, 'a status that the document does not have'];
  const at = '$ref' in said ? `doc${said.$ref}` : `${place.pointer}/responses/${status}`;
  const found =
    '$ref' in said ? document.components.responses[said.$ref.split('/').at(-1) ?? ''] : said;
  const missing = Object.entries(found?.headers ?? {}).filter(
    ([name, { required }]) => required === true && !headers.has(name),
  );
  const type = (headers.get('content-type') ?? '').split(';')[0] ?? '';
  const media = found?.content?.[type];
  const faults: unknown[] = missing.map(([name]) => `no header ${name}`);
  if (found?.content === undefined)
    return [status, ...faults, ...(body.length === 0 ? [] : ['a body'])];
  if (media === undefined) return [status, ...faults, `the type ${type}`];
  const schema = `${at}/content/${escape(type)}/schema`;
  if (/[/+]json$/.test(type))
    return [status, ...faults, ...faultsOf(schema, JSON.parse(body.toString()))];
  if ('contentSchema' in media.schema) {
    const items = body.toString().match(/^data: .*$/gm) ?? body.toString().trim().split('\n');
    const all = items.flatMap((line) =>
      faultsOf(`${schema}/contentSchema`, JSON.parse(line.replace(/^data: /, ''))),
    );
    return [status, ...faults, ...all];
  }
  return [status, ...faults];
}

function faultsOf(schema: string, value: unknown): readonly unknown[] {
  const validate = ajv.getSchema(schema) ?? ajv.compile({ $ref: schema });
  return validate(value) === true ? [] : [validate.errors];
}

it.each(Object.entries(kinds))(
  'takes %s as the document says, and no value that it does not admit',
  (name, [, good, bad]) => {
    const body = `${places.get(toKindId(name))?.pointer ?? ''}/requestBody/content/application~1json/schema`;
    expect(faultsOf(body, { value: good })).toEqual([]);
    if (bad !== undefined) expect(faultsOf(body, { value: bad })).not.toEqual([]);
  },
);

it('walks every operation of the document', () => {
  expect(places.size).toBeGreaterThanOrEqual(50);
  expect(new Set(requests.map(({ id }) => id))).toEqual(new Set(places.keys()));
});

it.each(requests)(
  '$id answers $status as the document says',
  async ({ id, status, init, query }) => {
    expect(await violationsOf(id, init, query)).toEqual([status]);
  },
);

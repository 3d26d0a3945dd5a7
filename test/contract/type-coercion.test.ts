import { expect, it } from 'vitest';
import * as z from 'zod';
import { capability } from '../../server-runtime/index.ts';
import { ask, formBody, jsonBody } from '../helpers/ask.ts';
import { describeOverSockets, itOverHttp } from '../helpers/every-door.ts';

async function readQuery(fields: z.ZodRawShape, query: string): Promise<unknown> {
  const listThings = capability(z.object(fields), (input) => input);
  return (await ask({ capabilities: { things: { listThings } } }, `GET /things?${query}`)).body;
}

describeOverSockets('type coercion', () => {
  it('makes a number of a numeric string, through optional, default, nullable and refinements', async () => {
    const fields = {
      plain: z.number(),
      maybe: z.number().optional(),
      byDefault: z.number().default(1),
      orNull: z.number().nullable(),
      refined: z
        .number()
        .min(1)
        .refine((value) => value !== 13),
    };
    expect(await readQuery(fields, 'plain=42&maybe=-1.5&byDefault=2&orNull=3&refined=1e3')).toEqual(
      {
        data: { plain: 42, maybe: -1.5, byDefault: 2, orNull: 3, refined: 1000 },
      },
    );
  });

  it('makes a boolean of the literal strings true and false', async () => {
    expect(await readQuery({ on: z.boolean(), off: z.boolean() }, 'on=true&off=false')).toEqual({
      data: { on: true, off: false },
    });
    expect(await readQuery({ on: z.boolean() }, 'on=1')).toMatchObject({ error: 'BadRequest' });
  });

  it('leaves text of every other type alone, with its leading zeros', async () => {
    expect(await readQuery({ name: z.string(), code: z.string() }, 'name=123&code=01234')).toEqual({
      data: { name: '123', code: '01234' },
    });
  });

  it('leaves what does not parse cleanly, so that the error reports it as it was', async () => {
    expect(await readQuery({ count: z.number() }, 'count=abc')).toMatchObject({
      error: 'BadRequest',
      meta: { fields: [{ path: 'count', received: 'abc' }] },
    });
  });

  itOverHttp('covers query, path and the texts of forms', async () => {
    const input = z.object({ id: z.number(), on: z.boolean() });
    const capabilities = {
      things: {
        getThing: capability(input, (value) => value),
        updateThing: capability(input, (value) => value),
      },
    };
    const data = { id: 7, on: true };
    expect((await ask({ capabilities }, 'GET /things/7?on=true')).body).toEqual({ data });
    expect((await ask({ capabilities }, 'PATCH /things/7', formBody(['on', 'true']))).body).toEqual(
      { data },
    );
  });

  it('1: never touches JSON: a string for a number is a type error', async () => {
    const createThing = capability(z.object({ count: z.number() }), (input) => input);
    expect(
      await ask(
        { capabilities: { things: { createThing } } },
        'POST /things',
        jsonBody({ count: '42' }),
      ),
    ).toMatchObject({
      status: 400,
      body: { meta: { fields: [{ path: 'count', received: '42', code: 'invalid_type' }] } },
    });
  });

  it('2: gives capabilities with a record schema, or none, the raw strings', async () => {
    const capabilities = {
      records: { listRecords: capability(z.record(z.string(), z.unknown()), (input) => input) },
      raw: { listRaw: capability((input) => input) },
    };
    expect((await ask({ capabilities }, 'GET /records?a=1&b=true')).body).toEqual({
      data: { a: '1', b: 'true' },
    });
    expect((await ask({ capabilities }, 'GET /raw?a=1&b=true')).body).toEqual({
      data: { a: '1', b: 'true' },
    });
  });

  it('3: leaves coercing schemas to do their own', async () => {
    const fields = { page: z.coerce.number().default(1), since: z.coerce.date() };
    expect(await readQuery(fields, 'since=2026-01-31')).toEqual({
      data: { page: 1, since: '2026-01-31T00:00:00.000Z' },
    });
    expect(await readQuery({ page: z.coerce.number().default(1) }, 'page=4')).toEqual({
      data: { page: 4 },
    });
  });
});

import { expect, it } from 'vitest';
import * as z from 'zod';
import {
  type AnyCapability,
  capability,
  createServer,
  restTransport,
  silentLogger,
} from '../../../server-runtime/index.ts';

it('describes none of a thousand capabilities when their server starts, and one when it is asked', async () => {
  const described = new Set<string>();
  const watch = <S extends z.ZodType>(name: string, schema: S): S => {
    const { processJSONSchema: own } = schema._zod;
    schema._zod.processJSONSchema = (...given) => {
      described.add(name);
      own?.(...given);
    };
    return schema;
  };
  const names = Array.from({ length: 1000 }, (_none, at) => `getThing${at}`);
  const capabilities = Object.fromEntries(
    names.map((name): [string, AnyCapability] => {
      const input = watch(`${name} input`, z.object({ page: z.number() }));
      return [
        name,
        capability(input, ({ page }) => ({ page })).output(
          watch(`${name} output`, z.object({ page: z.int() })),
        ),
      ];
    }),
  );
  const server = createServer({
    capabilities,
    logger: silentLogger,
    transports: [restTransport({ port: 0 })],
  });
  const [started] = await server.start();
  expect([...described]).toEqual([]);
  expect((await fetch(`${started?.url}${started?.routes[7]?.path}?page=2`)).status).toBe(200);
  expect([...described]).toEqual(['getThing7 input']);
  await server.stop({ graceMs: 0 });
});

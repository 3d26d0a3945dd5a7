import { Readable } from 'node:stream';
import { describe, it } from 'vitest';
import * as z from 'zod';
import {
  bytes,
  capability,
  noContent,
  pageOf,
  redirect,
  reply,
  stream,
  text,
} from '../../server-runtime/index.ts';

const A = z.object({ a: z.string() });
const B = z.object({ b: z.string() });
const headers = { x: 'y' };

describe('reply', () => {
  it('with headers alone is the first answer, in every order of declaring', () => {
    capability.output(bytes('text/csv'))(() => reply(Readable.from(['a']), { headers }), 'query');
    capability.output(bytes('text/csv'))(
      async () => reply(Readable.from(['a']), { headers }),
      'query',
    );
    capability.output(bytes('text/csv'))(() => reply(new Uint8Array(), { headers }), 'query');
    capability.output(A)(() => reply({ a: '' }, { headers }));
    capability.output(A).output(B, { status: 202 })(() => reply({ a: '' }, { headers }));
    capability.output(A).output(B, { status: 202 })(async () => reply({ a: '' }, { headers }));
    capability.output(A).output(B, { status: 202 })(() =>
      Math.random() ? reply({ a: '' }, { headers }) : reply({ b: '' }, { status: 202, headers }),
    );
    capability.output(A, { status: 201 })(() => reply({ a: '' }, { headers }));
    capability.output(A, { status: 201 })(() => reply({ a: '' }, { status: 201, headers }));
    capability(() => reply({ a: '' }, { headers })).output(A);
    capability(() => reply({ a: '' }, { headers }))
      .output(A)
      .output(B, { status: 202 });
    capability(() => reply(Readable.from(['a']), { headers })).output(bytes('text/csv'));
    capability.output(text())(() => reply('x', { headers }));
    capability(() => reply('x', { headers })).output(text());
    capability.output(stream(A))(() =>
      reply(
        (async function* () {
          yield { a: '' };
        })(),
        { headers },
      ),
    );
    capability.output(noContent)(() => reply(null, { headers }));
    capability.output(redirect)(() => reply('/x', { headers }));
    capability.output(pageOf(A))(() => reply({ items: [] }, { headers }));
    capability.output(z.array(A))(() => reply([], { headers }));
    capability.output(z.object({ k: z.enum(['a', 'b']) }))(() => reply({ k: 'a' }, { headers }));
    capability.output(z.object({ k: z.enum(['a', 'b']) }))(async () =>
      reply({ k: 'a' }, { headers }),
    );
    const status = Math.random() > 1 ? 200 : 201;
    capability(() => reply({ a: '' }, { status }));
    capability(() => reply(reply({ a: '' }, { status: 201 }), { headers })).output(A, {
      status: 201,
    });
  });

  it('that does not fit what is declared does not compile', () => {
    // @ts-expect-error -- it is not what is declared
    capability.output(A)(() => reply({ a: 1 }, { headers }));
    // @ts-expect-error -- it is not what is declared
    capability.output(A)(() => reply({ a: '' }, { status: 202 }));
    // @ts-expect-error -- it is not what is declared
    capability.output(A).output(B, { status: 202 })(() => reply({ b: '' }, { headers }));
    // @ts-expect-error -- it is not what is declared
    capability.output(A).output(B, { status: 202 })(() => reply({ a: '' }, { status: 202 }));
    // @ts-expect-error -- it is not what is declared
    capability.output(bytes('text/csv'))(() => reply({ a: '' }, { headers }));
  });
});

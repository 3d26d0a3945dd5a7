import { findCallRequest } from '../../capability/middleware/call-request.ts';

/** Says whose call it is: a function of input and context, or the address. */
export type By<Input = never, Ctx = never> = 'address' | ((input: Input, ctx: Ctx) => string | undefined);

/** A text for each caller: `u:…` for one whom the function knows, `a:…` by address for others, `a:` where there is no address. */
export function createCallerOf(by: By | undefined): (input: unknown, ctx: unknown) => string {
  if (by === undefined) return () => '';
  const known = by === 'address' ? () => undefined : (by as (input: unknown, ctx: unknown) => string | undefined);
  return (input, ctx) => {
    const caller = known(input, ctx);
    return caller === undefined ? `a:${findCallRequest(ctx)?.remoteAddress ?? ''}` : `u:${caller}`;
  };
}

import { findCallRequest } from '../../capability/middleware/call-request.ts';

/** Says whose call it is: a function of input and context, or the address. */
export type By<Input = never, Ctx = never> = 'address' | ((input: Input, ctx: Ctx) => string | undefined);

/** The text that stands for an address, or for none. */
export type AddressOf = (address: string | undefined, ctx: unknown) => string;

/** A text for each caller: `u:…` for one whom the function knows, `a:…` by address for others. */
export function createCallerOf(
  by: By | undefined,
  addressOf: AddressOf = (address = '') => address,
): (input: unknown, ctx: unknown) => string {
  if (by === undefined) return () => '';
  const known = by === 'address' ? () => undefined : (by as (input: unknown, ctx: unknown) => string | undefined);
  return (input, ctx) => {
    const caller = known(input, ctx);
    return caller === undefined ? `a:${addressOf(findCallRequest(ctx)?.remoteAddress, ctx)}` : `u:${caller}`;
  };
}

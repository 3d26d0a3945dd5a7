import * as z from 'zod';
import {
  capability,
  defineMiddleware,
  isFrameworkError,
  type MiddlewareCall,
} from '../../../server-runtime/index.ts';

interface Entry {
  readonly who: string;
  readonly what: string;
  readonly input: unknown;
  readonly outcome: string;
}
interface Context {
  readonly user: { readonly id: string };
  readonly audit: (entry: Entry) => Promise<void>;
}

const withAudit = defineMiddleware(
  async ({ ctx, input, operation, next }: MiddlewareCall<Context>) => {
    const entry = { who: ctx.user.id, what: operation.key, input };
    try {
      const answer = await next();
      await ctx.audit({ ...entry, outcome: 'done' });
      return answer;
    } catch (error) {
      await ctx.audit({ ...entry, outcome: isFrameworkError(error) ? error.name : 'failed' });
      throw error;
    }
  },
);

const adminCap = capability.use(withAudit);

export const deleteUser = adminCap(z.object({ id: z.string() }), ({ id }) => ({ deleted: id }));

import { defineMiddleware, type MiddlewareCall } from '../../../server-runtime/index.ts';

let last: Promise<unknown> = Promise.resolve();

/** One connection has one transaction at a time, so each call waits for the one before it. */
export const withSqlite = defineMiddleware(
  ({ ctx, next }: MiddlewareCall<{ db: { readonly exec: (text: string) => unknown } }>) => {
    const work = last.then(async () => {
      ctx.db.exec('begin immediate');
      try {
        const answer = await next();
        ctx.db.exec('commit');
        return answer;
      } catch (error) {
        ctx.db.exec('rollback');
        throw error;
      }
    });
    last = work.catch(() => {});
    return work;
  },
);

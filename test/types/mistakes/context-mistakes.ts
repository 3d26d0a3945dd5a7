import type { TypeMistake } from './type-mistake.ts';

export const contextMistakes: readonly TypeMistake[] = [
  {
    title: 'a guard of another context, on a factory',
    code: `cap.guard(defineGuard((ctx: { session: Session }) => void ctx.session.token));`,
    says: [`'session' is missing in type`, `but required in type '{ session: Session; }'`],
  },
  {
    title: 'a guard of another context, on a capability',
    code: `getUser.guard(defineGuard((ctx: { session: Session }) => void ctx.session.token));`,
    says: [`'session' is missing in type`, `but required in type '{ session: Session; }'`],
  },
  {
    title: 'a guard whose field is of another type',
    code: `cap.guard(defineGuard((ctx: { user: string }) => void ctx.user));`,
    says: [`property 'user' are incompatible`, `is not assignable to type 'string'`],
  },
  {
    title: 'a guard that needs what only a later one narrows',
    code: `cap.guard(defineGuard((ctx: { user: User }) => void ctx.user.id)).guard(mustBeUser);`,
    says: [
      `property 'user' are incompatible`,
      `'User | undefined' is not assignable to type 'User'`,
    ],
  },
  {
    title: 'a plain function in place of a guard',
    code: `cap.guard((ctx: Context) => void ctx.user);`,
    says: [`Wrap the function: .guard(defineGuard((ctx) => …))`],
  },
  {
    title: 'a plain function in place of a guard of a capability',
    code: `getUser.guard((ctx) => void ctx);`,
    says: [`Wrap the function: .guard(defineGuard((ctx) => …))`],
  },
  {
    title: 'a plain function in place of an input guard',
    code: `getUser.inputGuard(({ id }: { id: string }) => void id);`,
    says: [`Wrap the function: .inputGuard(defineInputGuard((input, ctx) => …))`],
  },
  {
    title: 'a guard that is written alone and says no context',
    code: `defineGuard((ctx) => void ctx.user);`,
    says: [`Parameter 'ctx' implicitly has an 'any' type`],
  },
  {
    title: 'an asynchronous function that asserts',
    code: `defineGuard(async (ctx: Context): asserts ctx is Context & { user: User } => {});`,
    says: [`Promise`],
  },
  {
    title: 'a guard that asserts what cannot be',
    code: `defineGuard((ctx: Context): asserts ctx is { session: Session } => {});`,
    says: [
      `A type predicate's type must be assignable to its parameter's type`,
      `'{ session: Session; }' is missing the following properties`,
    ],
  },
  {
    title: 'an input guard of another input',
    code: `getUser.inputGuard(defineInputGuard((input: { userId: string }) => void input.userId));`,
    says: [`'userId' is missing in type '{ id: string; }'`],
  },
  {
    title: 'an input guard of another context',
    code: `getUser.inputGuard(defineInputGuard((_input: { id: string }, ctx: { session: Session }) => void ctx));`,
    says: [`'session' is missing in type`],
  },
  {
    title: 'a misspelt option of a guard',
    code: `defineGuard((ctx: Context) => void ctx, { error: [Unauthorized] });`,
    says: [`'error' does not exist in type 'GuardOptions`, `Did you mean to write 'errors'?`],
  },
  {
    title: 'a security scheme of no known type',
    code: `defineGuard((ctx: Context) => void ctx, { security: { type: 'bearer' } });`,
    says: [`'"bearer"' is not assignable to type`, `"apiKey"`],
  },
  {
    title: 'a context that lacks what a test needs',
    code: `getUser.resolve({ id: '1' }, mockContext({ user: undefined }));`,
    says: [`'db' is missing in type`],
  },
  {
    title: 'an empty context where a test needs more',
    code: `getUser.resolve({ id: '1' }, mockContext());`,
    says: [`missing the following properties`, `db, user`],
  },
  {
    title: 'a test with another input',
    code: `getUser.resolve({ idd: '1' }, mockContext({ db, user: undefined }));`,
    says: [`'idd' does not exist in type '{ id: string; }'`],
  },
];

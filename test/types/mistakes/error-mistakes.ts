import type { TypeMistake } from './type-mistake.ts';

export const errorMistakes: readonly TypeMistake[] = [
  {
    title: 'an error whose status is a text',
    code: `defineError('409', 'EmailTaken');`,
    says: [`'string' is not assignable to parameter of type 'number'`],
  },
  {
    title: 'an error without the meta that it declares',
    code: `EmailTaken();`,
    says: [`Expected`, `arguments`],
  },
  {
    title: 'an error with another meta',
    code: `EmailTaken({ emial: 'x' });`,
    says: [`'emial' does not exist in type '{ email: string; }'`, `Did you mean to write 'email'?`],
  },
  {
    title: 'an error that is made where its kind is declared',
    code: `getUser.errors(Unauthorized());`,
    says: [`FrameworkError<"Unauthorized", 401`, `ErrorFactory`],
  },
  {
    title: 'an error that is declared by its name',
    code: `getUser.errors('NotFound');`,
    says: [`List what defineError made, each by itself: .errors(NotFound, EmailTaken)`],
  },
  {
    title: 'an error that is declared by its name, on a factory',
    code: `cap.errors('NotFound')(() => 1);`,
    says: [`List what defineError made, each by itself: .errors(NotFound, EmailTaken)`],
  },
  {
    title: 'errors that are declared as a list',
    code: `getUser.errors([Unauthorized, EmailTaken]);`,
    says: [`List what defineError made, each by itself: .errors(NotFound, EmailTaken)`],
  },
  {
    title: 'an error that is declared by its status',
    code: `getUser.errors(404);`,
    says: [`List what defineError made, each by itself: .errors(NotFound, EmailTaken)`],
  },
  {
    title: 'errors that are declared as an object',
    code: `getUser.errors({ NotFound: defaultErrors.NotFound });`,
    says: [`List what defineError made, each by itself: .errors(NotFound, EmailTaken)`],
  },
  {
    title: 'an error that a guard declares by its name',
    code: `defineGuard((ctx: Context) => void ctx, { errors: ['Unauthorized'] });`,
    says: [`List what defineError made: errors: [NotFound, EmailTaken]`],
  },
  {
    title: 'an error that a middleware declares by its name',
    code: `defineMiddleware(({ next }) => next(), { errors: ['Unauthorized'] });`,
    says: [`List what defineError made: errors: [NotFound, EmailTaken]`],
  },
  {
    title: 'an error that an input guard declares by its name',
    code: `defineInputGuard((input: { id: string }) => void input, { errors: ['Unauthorized'] });`,
    says: [`List what defineError made: errors: [NotFound, EmailTaken]`],
  },
  {
    title: 'the meta of an error that may be another',
    code: `try { db; } catch (error) { error.meta; }`,
    says: [`'error' is of type 'unknown'`],
  },
  {
    title: 'a field that the meta of an error has not',
    code: `declare const caught: unknown;\nif (EmailTaken.is(caught)) caught.meta.emial;`,
    says: [`'emial' does not exist on type '{ email: string; }'`, `Did you mean 'email'?`],
  },
  {
    title: 'an error of the catalogue that there is not',
    code: `defaultErrors.NotFond();`,
    says: [`'NotFond' does not exist`, `Did you mean 'NotFound'?`],
  },
  {
    title: 'a misspelt option of an error',
    code: `defineError(409, 'EmailTaken', { metaa: z.object({}) });`,
    says: [`'metaa' does not exist in type 'DefineErrorOptions`],
  },
];

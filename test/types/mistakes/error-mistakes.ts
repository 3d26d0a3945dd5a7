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

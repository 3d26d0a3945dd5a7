import type { KeyOf, RestOptions } from 'capix';
import * as articles from './articles.js';
import { envelope } from './context.js';
import * as users from './users.js';

export const capabilities = { users, articles };
export const restOptions = { prefix: '/api', envelope } satisfies RestOptions<
  KeyOf<typeof capabilities>
>;

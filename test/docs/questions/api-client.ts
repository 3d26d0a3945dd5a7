// Written by `capix client` from the capabilities of this project. Write it again when they change; do not edit it.

import { type Call, createClientOf, type ErrorsAt } from '../../../server-runtime/client/index.ts';

export type {
  Call,
  CallOptions,
  ClientOptions,
  ErrorFacts,
  Interceptor,
  Result,
} from '../../../server-runtime/client/index.ts';
export {
  ApiError,
  isApiError,
  pages,
  toMutation,
  toQuery,
  toQueryKey,
} from '../../../server-runtime/client/index.ts';

/** The operations under their groups, each with one flat input. */
export interface Client {
  readonly users: {
    /** Get user */
    readonly getUser: Call<
      UsersGetUserInput,
      {
        200: {
          readonly id: string;
          readonly name: string;
        };
      },
      ErrorsAt<{ 400: 'BadRequest'; 404: 'NotFound'; 500: 'Internal'; 504: 'Timeout' }>
    >;
  };
}

/** Connects to the API. */
export const createClient = createClientOf<Client>({
  'users.getUser': ['GET', '/users/{id}'],
});

/** Input of `users.getUser`. */
export type UsersGetUserInput = {
  readonly id: string;
};

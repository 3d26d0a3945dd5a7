/** A method that a route can have. HEAD and OPTIONS are answered for every path by the transport. */
export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export const httpMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const satisfies readonly HttpMethod[];

export function isHttpMethod(value: unknown): value is HttpMethod {
  return (httpMethods as readonly unknown[]).includes(value);
}

import { type StartRestOptions, startOverSocket } from './start-rest.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed where it is JSON; the text otherwise. */
  readonly body: unknown;
}

/** Starts a server on a free port, which stops with the test, and sends it one request: `ask({capabilities}, 'GET /users/7')`. */
export async function ask(
  options: StartRestOptions,
  request: string,
  init: RequestInit = {},
): Promise<Answer> {
  const [method = 'GET', path = '/'] = request.split(' ');
  const running = await startOverSocket(options);
  return readAnswer(await running.request(path, { ...init, method }));
}

export async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true && text !== '';
  return {
    status: response.status,
    headers: response.headers,
    body: isJson ? JSON.parse(text) : text,
  };
}

/** A body of JSON; the method comes from the request. */
export function jsonBody(value: unknown): RequestInit {
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}

/** A form. */
export function formBody(
  ...fields: readonly (readonly [name: string, value: string | File])[]
): RequestInit {
  const body = new FormData();
  for (const [name, value] of fields) {
    if (typeof value === 'string') body.append(name, value);
    else body.append(name, value, value.name);
  }
  return { body };
}
